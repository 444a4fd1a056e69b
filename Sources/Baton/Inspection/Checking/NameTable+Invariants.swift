extension NameTable {
    /// The numbers of named records, keys and types.
    var counts: (records: Int, keys: Int, types: Int) {
        access { ($0.records.count, $0.keys.texts.count, $0.types.count) }
    }

    /// Returns a text that names a record in the description of a violation.
    func label(of record: RecordID) -> String {
        access { names in
            names.records.identity(of: record) == nil
                ? "the record of number \(record.index)" : "record '\(names.dataID(of: record))'"
        }
    }

    /// Checks that every number is found under its name.
    func violations() -> [String] {
        access { names in
            var found: [String] = []
            for index in 0..<names.records.count {
                let record = RecordID(UInt32(truncatingIfNeeded: index))
                let again: RecordID?
                switch names.records.identity(of: record) {
                case .text(let text): again = names.records.intern(Array(text.utf8), adding: false)
                case .place(let parent, let key, let index):
                    again = names.records.intern(parent: parent, key: key, index: index, adding: false)
                case nil: continue
                }
                if again != record { found.append("the record of number \(index) is not found under its name") }
                if case .place(_, let key, _)? = names.records.identity(of: record), names.keys.isFree(key) {
                    found.append("the name of the record of number \(index) has a storage key that was given back")
                }
            }
            return found + names.keys.violations
        }
    }
}
