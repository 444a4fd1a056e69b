/// What a handler of the application has read. Its result would be the same again as long as none of this changes.
struct WorkReads: Sendable {
    var fields: [RecordID: Set<StorageKeyID>] = [:]
    /// The records whose existence, type or set of fields was read.
    var records: Set<RecordID> = []
    /// The identities that were asked for and that no record had.
    var absent: [DataID] = []
    /// True if anything in the store may have been read.
    var isEverything = false
}
