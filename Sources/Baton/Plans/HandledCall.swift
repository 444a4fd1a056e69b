/// One run of a field handler: a field of an answer of which the handler keeps a copy under another key.
struct HandledCall: Sendable {
    /// The name, in plans, of the store's own handler, which merges the pages of connections.
    static let connection = "connection"

    /// The record that has the field.
    let record: RecordID
    let handle: BoundMarks.Handle

    /// True if the store itself does the work, so that no code of the application runs.
    var isOfStore: Bool { handle.name == Self.connection }
}
