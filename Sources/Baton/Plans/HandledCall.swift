/// A field of an answer of which a handler keeps something under another key: one run of the handler.
struct HandledCall: Sendable {
    /// The name in plans of the handler that merges pages of connections, which is the store's own.
    static let connection = "connection"

    /// The record that has the field.
    let record: RecordID
    let handle: BoundMarks.Handle

    /// The store itself takes care of it, and no code of the application runs.
    var isOfStore: Bool { handle.name == Self.connection }
}
