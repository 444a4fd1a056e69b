/// What only one publish at a time may look at or change, besides the records themselves.
struct PublishOrder {
    /// The optimistic layers, in order.
    var layers = LayerStack()
    /// What is newer than queries in flight.
    var notes = WriteNotes()
}

/// Who writes, for queries that are in flight at the time.
enum Writer: Sendable {
    /// An answer of a query: it leaves alone what was written after its request began.
    case query(request: Int?)
    /// A mutation, a subscription or an update: it is newer than what queries in flight will bring.
    case newer
    /// Nobody who says what a field is.
    case other
}
