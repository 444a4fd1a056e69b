/// One piece of work for a field that a response has brought.
struct HandledCall: Sendable {
    /// The name, in plans, of the store's own handler, which merges the pages of connections.
    static let connection = "connection"

    /// The record that has the field.
    let record: RecordID
    let work: FieldWork
    /// The work that earlier payloads of the same response have done; nil for a response of one payload.
    var parts: WorkInParts?

    /// The description of the copy, if a handler keeps a copy of the field.
    var handle: BoundMarks.Handle? {
        if case .copy(let handle) = work { handle } else { nil }
    }

    /// True for a page of a connection. The publish merges the page during its turn, because the merge must see the
    /// version on which the page lands. All other work is done earlier, as part of an update.
    var isPage: Bool { handle?.name == Self.connection }
}
