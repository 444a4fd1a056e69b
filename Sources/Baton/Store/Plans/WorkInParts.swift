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

    /// True if the payload wrote a field of a record.
    func wrote(_ key: StorageKeyID, of record: RecordID) -> Bool { written[record]?.position(of: key) != nil }
}
