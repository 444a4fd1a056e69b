/// What an update looked at: it would do the same again as long as none of this has changed.
struct UpdateReads: Sendable {
    /// A field of a record, or one of the questions below.
    struct Read: Hashable, Comparable, Sendable {
        let record: RecordID
        let key: StorageKeyID

        /// Whether the record is there, and of which type.
        static let existence = StorageKeyID(index: .max)
        /// Which fields it has.
        static let keys = StorageKeyID(index: .max - 1)

        /// In the order of the records' numbers.
        static func < (left: Read, right: Read) -> Bool { left.number < right.number }

        private var number: UInt64 { UInt64(record.index) << 32 | UInt64(key.index) }
    }

    private(set) var reads: [Read] = []
    /// Identities that it asked for and that nothing had.
    private(set) var absent: [DataID] = []
    /// It went through the whole store.
    var isEverything = false
    /// It decided a condition on an abstract type.
    var usesTypeFacts = false
    /// When there are so many, those that are there twice go.
    private var limit = 1024

    @inline(__always)
    mutating func note(_ key: StorageKeyID, of record: RecordID) {
        let read = Read(record: record, key: key)
        if reads.last == read { return }
        reads.append(read)
        if reads.count >= limit { compact() }
    }

    mutating func add(_ others: UpdateReads) {
        for read in others.reads { note(read.key, of: read.record) }
    }

    mutating func note(absent id: DataID) { absent.append(id) }

    /// Adds what a read of selections went through.
    mutating func note(_ dependencies: Dependencies, _ plan: BoundPlan) {
        for pair in dependencies.pairs {
            note(Read.existence, of: pair.record)
            for index in plan.items(of: Int(pair.node)) where plan.items[index].kind != .inline {
                note(plan.items[index].key, of: pair.record)
            }
        }
        usesTypeFacts = usesTypeFacts || dependencies.usesTypeFacts
    }

    @inline(never)
    private mutating func compact() {
        reads = Array(Set(reads))
        limit = max(limit, reads.count * 2)
    }

    /// Says whether an update that read one version would read the same in the base of a later one.
    ///
    /// Values are compared, not versions: what was written anew with the same value has not changed.
    func hold(from old: borrowing Records, in new: borrowing Records, _ names: NameTable) -> Bool {
        guard new.epoch != old.epoch else { return true }
        if isEverything || usesTypeFacts && new.factsChanged > old.epoch { return false }
        for id in absent {
            if let record = names.record(id, adding: false), new.existence(of: record).state == .existing {
                return false
            }
        }
        let isPlain = old.covered.isEmpty && new.covered.isEmpty
        return reads.allSatisfy { read in
            // Below a layer a field may change although readers see the same.
            if new.changed(read.record) <= old.epoch,
                isPlain || !old.isCovered(read.record) && !new.isCovered(read.record)
            {
                return true
            }
            return isSame(read, in: old, new)
        }
    }

    private func isSame(_ read: Read, in old: borrowing Records, _ new: borrowing Records) -> Bool {
        let record = read.record
        switch read.key {
        case Read.existence: return old.existence(of: record) == new.existence(of: record)
        case Read.keys: return Set(old.keysOfBase(of: record)) == Set(new.keysOfBase(of: record))
        case let key:
            switch (old.valueOfBase(key, of: record), new.valueOfBase(key, of: record)) {
            case (nil, nil): break
            case (let left?, let right?): guard left.isIdentical(to: right) else { return false }
            default: return false
            }
            return old.fieldErrors[record, key] == new.fieldErrors[record, key]
        }
    }
}

extension Records {
    /// Whether a record is there, and of which type.
    struct Existence: Equatable {
        let state: State
        let type: TypeID
    }

    /// Of the base.
    func existence(of record: RecordID) -> Existence {
        if let own = covered[record] { return Existence(state: own.state, type: own.type) }
        return Existence(state: state(of: record), type: type(of: record))
    }

    func keysOfBase(of record: RecordID) -> [StorageKeyID] {
        (covered[record]?.shape ?? shape(of: record)).keys
    }

    /// A field without layers; nil if it is missing.
    func valueOfBase(_ key: StorageKeyID, of record: RecordID) -> Value? {
        if let own = covered[record] { return own.value(key) }
        return value(key, of: record)
    }
}
