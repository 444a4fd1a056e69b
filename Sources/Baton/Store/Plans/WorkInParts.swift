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
    /// What a page has to wait for: the pages of the same connection that the document has before it, with nil for one
    /// that has not come completely, and for the page itself if its field has not come.
    var before: [WorkProgress?] = []

    /// True if a page must not be merged before more has come.
    var isTooEarly: Bool { before.contains { $0?.isMerged != true } }

    /// True if the payload wrote a field of a record.
    func wrote(_ key: StorageKeyID, of record: RecordID) -> Bool { written[record]?.position(of: key) != nil }
}
