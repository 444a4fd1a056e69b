/// The changes of a merge, by record and key.
struct ChangeSet: Sendable {
    struct Change: Sendable {
        let record: RecordID
        private let firstKey: UInt32
        private let keyCount: UInt32
        /// True if the type or the existence changed, which concerns every reader of the record.
        let isWhole: Bool
        let bits: UInt64

        /// A change takes only 24 bytes, because a response has one change for each new record.
        init(record: RecordID, first: Int, count: Int, bits: UInt64, isWhole: Bool) {
            self.record = record
            firstKey = UInt32(truncatingIfNeeded: first)
            keyCount = UInt32(truncatingIfNeeded: count)
            self.bits = bits
            self.isWhole = isWhole
        }

        /// The range of the changed keys in `keys`.
        var first: Int { Int(firstKey) }
        var count: Int { Int(keyCount) }
    }

    /// A list that got items at its end and is otherwise as before.
    struct GrownList: Sendable {
        /// The position of the list's key in `keys`.
        let place: Int
        /// The number of items before.
        let from: Int
    }

    var changes: [Change] = []
    var keys: [StorageKeyID] = []
    /// The changed fields of which only the new items need a look, in the order of `keys`; nearly always empty.
    var grown: [GrownList] = []
    var hasNewFacts = false
    /// True if something was invalidated.
    var invalidates = false
    /// The records whose types a response has changed.
    var typeChanges: [TypeChange] = []
    var recordsWritten = 0
    /// The number of records with two changes: one for their values and one for their errors.
    var repeated = 0
    /// The replaced values and blocks.
    var retired = Retired()

    var isEmpty: Bool { changes.isEmpty && !hasNewFacts }

    mutating func addWhole(_ record: RecordID) {
        changes.append(Change(record: record, first: keys.count, count: 0, bits: 0, isWhole: true))
    }

    /// Adds changes of types, each once.
    mutating func addTypeChanges(_ types: [TypeChange]) {
        var known = Set(typeChanges)
        for change in types where known.insert(change).inserted { typeChanges.append(change) }
    }

    /// Adds the keys from `first` on as the change of a record.
    mutating func addFields(of record: RecordID, from first: Int) {
        let bits = keys[first...].reduce(0) { $0 | $1.bit }
        changes.append(Change(record: record, first: first, count: keys.count - first, bits: bits, isWhole: false))
    }
}

/// A record that a response gave another type.
package struct TypeChange: Sendable, Hashable {
    let record: RecordID
    let old: TypeID
    let new: TypeID
}
