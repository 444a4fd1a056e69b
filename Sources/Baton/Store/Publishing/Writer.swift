/// The kind of a write, which decides how it relates to the queries in flight.
enum Writer: Sendable {
    /// A response to a query. It leaves fields alone that were written after its request began.
    case query(request: Int?)
    /// A mutation, a subscription or an update. It is newer than the responses of queries in flight.
    case newer
    /// A change without data from a server or an update, such as an invalidation or an optimistic layer.
    case other
}
