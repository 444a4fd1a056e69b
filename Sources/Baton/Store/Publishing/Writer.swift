/// The kind of a write, as it matters for queries in flight.
enum Writer: Sendable {
    /// An answer to a query. It leaves fields alone that were written after its request began.
    case query(request: Int?)
    /// A mutation, a subscription or an update. It is newer than the answers of queries in flight.
    case newer
    /// A change without data from a server or an update, such as an invalidation or an optimistic layer.
    case other
}
