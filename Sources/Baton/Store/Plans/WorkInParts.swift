/// The work of one payload for a handled field, in a response of several payloads.
///
/// Finished work is not done again; it is only continued with the data of later payloads. So changes that others have
/// made to the connection in between stay.
struct WorkInParts: Sendable {
    let progress: WorkProgress
    /// The number of the payload, from 1.
    let payload: Int
    /// The records at or below the field's value that the payload wrote, with the keys that it wrote.
    let written: [RecordID: Shape]
    /// True for the last payload of the response, for which no work can wait.
    let isLast: Bool
    /// What a page has to wait for: the pages of the same connection that the document has before it, with nil for one
    /// that has not come completely, and for the page itself if its field has not come.
    var before: [WorkProgress?] = []

    /// True if a page must not be merged before more has come.
    var isTooEarly: Bool { before.contains { $0?.isMerged != true } }

    /// True if the payload wrote a field of a record.
    func wrote(_ key: StorageKeyID, of record: RecordID) -> Bool { written[record]?.position(of: key) != nil }
}
