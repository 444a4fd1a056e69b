/// The data that an update has read. The update would give the same result as long as none of this data has changed.
struct UpdateReads: Sendable {
    /// A read of a field of a record, or of one of the properties below.
    struct Read: Hashable, Comparable, Sendable {
        let record: RecordID
        let key: StorageKeyID

        /// The existence and type of the record.
        static let existence = StorageKeyID(index: .max)
        /// The set of the record's fields.
        static let keys = StorageKeyID(index: .max - 1)

        /// Orders reads by the numbers of the records.
        static func < (left: Read, right: Read) -> Bool { left.number < right.number }

        private var number: UInt64 { UInt64(record.index) << 32 | UInt64(key.index) }
    }

    private(set) var reads: [Read] = []
    /// The identities that the update asked for and that no record had.
    private(set) var absent: [DataID] = []
    /// True if the update has visited the whole store.
    var isEverything = false
    /// True if the update evaluated a condition on an abstract type.
    var usesTypeFacts = false
    /// The number of reads at which repetitions are removed.
    private var limit = 1024

    @inline(__always)
    mutating func noteField(_ key: StorageKeyID, of record: RecordID) {
        let read = Read(record: record, key: key)
        if reads.last == read { return }
        reads.append(read)
        if reads.count >= limit { compact() }
    }

    mutating func add(_ others: UpdateReads) {
        for read in others.reads { noteField(read.key, of: read.record) }
        absent += others.absent
        isEverything = isEverything || others.isEverything
        usesTypeFacts = usesTypeFacts || others.usesTypeFacts
    }

    /// The reads in the form for a handler of the application.
    var ofHandler: WorkReads {
        var result = WorkReads(absent: absent, isEverything: isEverything || usesTypeFacts)
        for read in reads {
            switch read.key {
            case Read.existence, Read.keys: result.records.insert(read.record)
            default: result.fields[read.record, default: []].insert(read.key)
            }
        }
        return result
    }

    mutating func noteAbsence(of id: DataID) { absent.append(id) }

    /// Adds the reads of a selection set.
    mutating func noteDependencies(_ dependencies: Dependencies, _ plan: BoundPlan) {
        for pair in dependencies.pairs {
            noteField(Read.existence, of: pair.record)
            for index in plan.items(of: Int(pair.node)) where plan.items[index].kind != .inline {
                noteField(plan.items[index].key, of: pair.record)
            }
        }
        usesTypeFacts = usesTypeFacts || dependencies.usesTypeFacts
    }

    @inline(never)
    private mutating func compact() {
        reads = Array(Set(reads))
        limit = max(limit, reads.count * 2)
    }

    /// Returns true if an update that read one version would read the same data in the base of a later version.
    ///
    /// Values are compared, not versions. A field that was written again with the same value has not changed.
    func hold(from old: borrowing Records, in new: borrowing Records, _ names: NameTable) -> Bool {
        guard new.epoch != old.epoch else { return true }
        if isEverything || usesTypeFacts && new.facts.changed > old.epoch { return false }
        for id in absent {
            if let record = names.record(id, adding: false), new.existence(of: record).state == .existing {
                return false
            }
        }
        let isPlain = old.covered.isEmpty && new.covered.isEmpty
        return reads.allSatisfy { read in
            // Below a layer a field may change although readers see no change.
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
    /// The state and the type of a record.
    struct Existence: Equatable {
        let state: State
        let type: TypeID
    }

    /// Returns the existence of a record in the base.
    func existence(of record: RecordID) -> Existence {
        if let own = covered[record] { return Existence(state: own.state, type: own.type) }
        return Existence(state: state(of: record), type: type(of: record))
    }

    func keysOfBase(of record: RecordID) -> [StorageKeyID] {
        (covered[record]?.shape ?? shape(of: record)).keys
    }

    /// Returns a field's value in the base, without layers; nil if the field is missing.
    func valueOfBase(_ key: StorageKeyID, of record: RecordID) -> Value? {
        if let own = covered[record] { return own.value(key) }
        return value(key, of: record)
    }
}
