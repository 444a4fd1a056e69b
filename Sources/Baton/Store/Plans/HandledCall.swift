/// One piece of work for a field that an answer has brought.
struct HandledCall: Sendable {
    /// The name, in plans, of the store's own handler, which merges the pages of connections.
    static let connection = "connection"

    /// The record that has the field.
    let record: RecordID
    let work: FieldWork
    /// What earlier payloads of the same answer have done; nil for an answer that came as a whole.
    var parts: WorkInParts?

    /// The handle, if a handler keeps a copy of the field.
    var handle: BoundMarks.Handle? {
        if case .copy(let handle) = work { handle } else { nil }
    }

    /// True for a page of a connection. It is merged while the publish has its turn, because it must see the version on
    /// which it lands. All other work is done before, as part of an update.
    var isPage: Bool { handle?.name == Self.connection }
}
