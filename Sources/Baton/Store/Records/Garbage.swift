/// The values and blocks that a collection removed, and notes about them.
struct Garbage: Sendable {
    var retired = Retired()
    /// The number of removed records.
    var records = 0
    /// The version in which the records were removed; 0 if none were.
    var version: Epoch = 0
    /// The freed numbers of records.
    var numbers: [RecordID] = []
    /// The freed numbers of storage keys.
    var keys: [StorageKeyID] = []
    /// True if the versions of the records' last writes are to be kept.
    var keepsOrigins = false
    var origins: [(record: RecordID, written: Epoch)] = []
    /// The identities of some of the freed numbers.
    var names: [(record: RecordID, id: DataID)] = []
    static let mostNames = 256
}
