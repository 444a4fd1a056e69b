/// The data that a handler of the application has read. The handler would give the same result as long as none of it
/// changes.
struct WorkReads: Sendable {
    var fields: [RecordID: Set<StorageKeyID>] = [:]
    /// The records whose existence, type or set of fields was read.
    var records: Set<RecordID> = []
    /// The identities that the handler asked for and that no record had.
    var absent: [DataID] = []
    /// True if anything in the store may have been read.
    var isEverything = false
}
