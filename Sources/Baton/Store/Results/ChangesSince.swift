/// The records that have changed since a version.
struct ChangesSince {
    /// The records, if they are few.
    let few: [RecordID]?
    let all: ChangedRecords

    init(_ all: ChangedRecords) {
        self.all = all
        few = all.few(atMost: 16)
    }
}
