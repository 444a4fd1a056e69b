/// What the store does when an answer brings a field.
enum FieldWork: Sendable {
    /// A handler keeps a copy of the field under another key.
    case copy(BoundMarks.Handle)
    /// A directive such as `@appendEdge` changes connections or records.
    case mutation(BoundMarks.Mutation)
}

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

/// The work for a field of an answer that comes in parts, as one payload has to do it.
///
/// Work that has been done is not done once more. It only carries on what later payloads bring: what somebody else has
/// changed in between stays.
struct WorkInParts: Sendable {
    let progress: WorkProgress
    /// The number of the payload, from 1.
    let payload: Int
    /// The records at or below the field's value that the payload wrote, with the keys that it wrote.
    let written: [RecordID: Shape]
    /// True if nothing of the answer will follow, so that there is nothing to wait for.
    let isLast: Bool

    /// True if the payload wrote a field of a record.
    func wrote(_ key: StorageKeyID, of record: RecordID) -> Bool { written[record]?.position(of: key) != nil }
}
