/// The records of a store for an update: a version, the staged records of a response on top, and the update's own
/// changes on top of both.
///
/// An ordinary update does not see optimistic layers. An optimistic update sees the layers below it through
/// `LowerRecords`, which include the response, or sees all layers if `isTop` is true.
///
/// No part is copied: a write into a shared version would copy its tables, which takes time with the number of records
/// (benchmark `notify.growth`). A read of a field asks the three parts in turn. The type is a class, because a struct
/// with so many parts would be copied at each read (benchmark `connection.append-us`).
final class UpdatedRecords {
    let base: Records
    /// The staged records of the response that the update belongs to.
    let response: StagedRecords?
    private let level: (any LowerRecords)?
    /// True if the update sees all layers.
    private let isTop: Bool
    /// The update's own changes so far.
    private(set) var own: StagedRecords
    /// True if the changes begin with an expected answer.
    private let ownIsAnswer: Bool
    /// What the file has below the base; nil if the store has no file, or while a lock is held.
    let disk: LowerDisk?

    init(
        _ base: Records, response: StagedRecords? = nil, level: (any LowerRecords)? = nil, isTop: Bool = false,
        own: StagedRecords = StagedRecords(), disk: LowerDisk? = nil
    ) {
        self.disk = disk
        self.base = base
        self.response = response
        self.level = level
        self.isTop = isTop
        self.own = own
        ownIsAnswer = !own.isEmpty
    }

    // MARK: - The answer

    /// The records of the response, or of the expected answer with the changes so far; nil if there is neither.
    var answer: StagedRecords? { ownIsAnswer ? own : response }

    /// Returns the state that a record had before the answer. Without an answer, returns its state.
    func stateBeforeAnswer(of record: RecordID) -> Records.State {
        guard answer?.position(of: record) != nil else { return state(of: record) }
        return ownIsAnswer ? stateBelow(record) : lowestState(of: record)
    }

    // MARK: - Reading

    func state(of record: RecordID) -> Records.State { own.state(of: record) ?? stateBelow(record) }

    private func stateBelow(_ record: RecordID) -> Records.State {
        if let known = layers(of: record) { return known.existence(of: record).state }
        return response?.state(of: record) ?? lowestState(of: record)
    }

    private func lowestState(of record: RecordID) -> Records.State {
        let state = inBase(record)?.state ?? base.state(of: record)
        guard state == .unknown, let item = disk?.record(record, below: base) else { return state }
        return item.isDeleted ? .deleted : item.type == nil ? .unknown : .existing
    }

    /// Returns the layers below, if they write a record.
    @inline(__always)
    private func layers(of record: RecordID) -> (any LowerRecords)? {
        guard let level, level.concerns(record) else { return nil }
        return level
    }

    /// Returns a record without layers. Returns nil if no layer writes the record, or if the update sees all layers.
    @inline(__always)
    private func inBase(_ record: RecordID) -> WholeRecord? {
        base.covered.isEmpty || isTop ? nil : base.covered[record]
    }

    /// The records whose values for the update differ from the values in `base`.
    var standingApart: [RecordID] {
        guard let level else { return isTop ? [] : Array(base.covered.keys) }
        return Array(level.records.union(base.covered.keys))
    }

    func existence(of record: RecordID) -> Records.Existence {
        let state = state(of: record)
        return .init(state: state, type: state == .existing ? type(of: record) ?? .none : .none)
    }

    /// Returns the object type of an existing record; nil for other records.
    func type(of record: RecordID) -> TypeID? {
        switch own.state(of: record) {
        case .existing: own.type(of: record) ?? typeBelow(record)
        case .deleted: nil
        default: typeBelow(record)
        }
    }

    private func typeBelow(_ record: RecordID) -> TypeID? {
        if let known = layers(of: record)?.existence(of: record) { return known.state == .existing ? known.type : nil }
        switch response?.state(of: record) {
        case .existing: return response?.type(of: record)
        case .deleted: return nil
        default: return typeInBase(record)
        }
    }

    private func typeInBase(_ record: RecordID) -> TypeID? {
        let own = inBase(record).map { ($0.state, $0.type) } ?? (base.state(of: record), base.type(of: record))
        switch own.0 {
        case .existing: return own.1
        case .deleted: return nil
        case .unknown: return disk?.record(record, below: base)?.type
        }
    }

    /// Returns the value under a key; nil if the field is missing.
    func value(_ key: StorageKeyID, of record: RecordID) -> Value? {
        switch own.find(key, of: record, below: typeBelow) {
        case .value(let value): return value
        case .missing: return nil
        case .below: break
        }
        if let known = layers(of: record) {
            if let value = known.value(key, of: record) { return value }
            // The layers below do not see the file. A record that it has is laid under them, and the layer runs again.
            _ = disk?.value(key, of: record, below: base)
            return nil
        }
        switch response?.find(key, of: record, below: typeInBase) {
        case .value(let value): return value
        case .missing: return nil
        default: break
        }
        let value = inBase(record).map { $0.value(key) } ?? base.value(key, of: record)
        guard value == nil, let disk else { return value }
        if isTop, base.isCovered(record) {
            // A layer may hide what the file has. If it does not, the record changes, and the layer runs again.
            _ = disk.value(key, of: record, below: base)
            return nil
        }
        return disk.value(key, of: record, below: base)
    }

    /// Returns the keys of an existing record, the oldest first; empty for other records.
    func keys(of record: RecordID) -> [StorageKeyID] {
        guard state(of: record) == .existing else { return [] }
        var keys: [StorageKeyID] = []
        if !own.hides(record, below: typeBelow) {
            if let known = layers(of: record) {
                keys = known.keys(of: record)
            } else {
                if response?.hides(record, below: typeInBase) != true {
                    keys = (inBase(record)?.shape ?? base.shape(of: record)).keys
                    for key in disk?.visible(record, below: base)?.keys ?? [] where !keys.contains(key) {
                        keys.append(key)
                    }
                }
                if let response { response.addKeys(of: record, to: &keys) }
            }
        }
        own.addKeys(of: record, to: &keys)
        return keys
    }

    /// Returns the errors that a server sent, or an update set, for a field; empty if the field was written later.
    func errors(_ key: StorageKeyID, of record: RecordID) -> [GraphQLError] {
        // A field with a value has no errors.
        if let value = value(key, of: record), !value.hasNull { return [] }
        if let errors = own.fieldErrors[record, key] { return errors }
        if case .below = own.find(key, of: record, below: typeBelow) {} else { return [] }
        if let response {
            if let errors = response.fieldErrors[record, key] { return errors }
            if case .below = response.find(key, of: record, below: typeInBase) {} else { return [] }
        }
        guard let errors = base.fieldErrors[record, key] else { return [] }
        // If the response confirms the values of a record, it sent them without errors.
        return response?.confirmed.contains(record) == true ? [] : errors
    }

    /// False if no field has errors, as in nearly every store.
    var hasErrors: Bool {
        !base.fieldErrors.isEmpty || !own.fieldErrors.isEmpty || response?.fieldErrors.isEmpty == false
    }

    /// Returns one version that includes the changes. Takes time linear in the changes and in the number of pages and
    /// blocks.
    func version(_ names: NameTable) -> Records {
        var records = isTop ? base.withLayersAsOwn : base.withoutLayers
        if let disk {
            var staged = StagedRecords()
            staged.underlaid = disk.all
            var reads = UpdateReads()
            staged.stageUnderlaid(over: records, names, &reads)
            if !staged.isEmpty { _ = records.merge(staged, names) }
        }
        if let response { _ = records.merge(response, names) }
        for record in level?.records ?? [] { level.map { records.write(record, $0.whole(record)) } }
        _ = records.merge(own, names)
        return records
    }

    /// Returns one version that includes the changes, and what the file has of the records that a plan reads.
    func version(_ names: NameTable, reading plan: BoundPlan, at root: RecordID) -> Records {
        var version = version(names)
        while let disk, disk.fetch(LackingRecords.find(in: version, plan, at: root), below: base) {
            version = self.version(names)
        }
        return version
    }

    // MARK: - Writing

    /// Makes a record without fields, which replaces an existing record.
    func create(_ record: RecordID, _ type: TypeID) {
        let isPresent = state(of: record) == .existing
        let position = own.positionAdding(record)
        let entry = own.entries[position]
        own.reset(position, type: type, isReplaced: entry.isDeleted || entry.isReplaced || isPresent)
        own.fieldErrors.remove(record)
    }

    /// Marks a record as deleted.
    func delete(_ record: RecordID) {
        own.reset(own.positionAdding(record), isDeleted: true)
        own.fieldErrors.remove(record)
    }

    /// Sets a field of an existing record.
    func set(_ key: StorageKeyID, _ value: Value, of record: RecordID, _ names: NameTable) {
        if key == names.idKey { noteID(value, asIDOf: record, names) }
        own.set(own.positionAdding(record), key, value, names)
        if !own.fieldErrors.isEmpty { _ = own.fieldErrors.set(nil, record, key) }
    }

    /// Sets a field to null because of errors.
    func set(_ key: StorageKeyID, failedWith errors: [GraphQLError], of record: RecordID, _ names: NameTable) {
        own.set(own.positionAdding(record), key, .null, names)
        note(errors, key, of: record)
    }

    /// Sets the errors of a field that has just been set to null, or to a list with nulls.
    func note(_ errors: [GraphQLError], _ key: StorageKeyID, of record: RecordID) {
        _ = own.fieldErrors.set(errors, record, key)
    }

    /// Sets fields of an existing record.
    func set(_ keys: [StorageKeyID], _ values: [Value], of record: RecordID, _ names: NameTable) {
        if let place = keys.firstIndex(of: names.idKey) { noteID(values[place], asIDOf: record, names) }
        own.set(own.positionAdding(record), keys, values, names)
        if !own.fieldErrors.isEmpty { for key in keys { _ = own.fieldErrors.set(nil, record, key) } }
    }

    /// Adds items to the end of a list of an existing record. `list` has them with those before.
    func append(
        _ new: [Value], to list: GrowingList, _ key: StorageKeyID, of record: RecordID, _ names: NameTable
    ) {
        let position = own.positionAdding(record)
        let from = list.count - new.count
        if own.shape(position).position(of: key) != nil {
            own.set(position, key, list.whole, names)
        } else {
            own.beginGrowth(position, key, new, from: from, last: list.item(at: from - 1), of: list, names)
        }
    }

    /// Notes an `id` that differs from the record's data ID, so that the `id` can no longer be taken from the data ID.
    private func noteID(_ id: Value, asIDOf record: RecordID, _ names: NameTable) {
        if case .string(let text) = id, let type = type(of: record), let prefix = names.prefix(of: type),
            names.dataID(of: record).rawValue.hasSameBytes(as: prefix + text)
        {
            return
        }
        own.idsMayDiffer = true
    }

    func invalidate(_ record: RecordID) { own.invalidations.records.append(record) }
    func invalidateStore() { own.invalidations.isOfStore = true }
}

/// The records below an optimistic update: the base with the layers below the update.
protocol LowerRecords {
    /// Every record that these layers write or have written.
    var records: Set<RecordID> { get }

    /// Returns true if a layer writes the record.
    func concerns(_ record: RecordID) -> Bool
    func existence(of record: RecordID) -> Records.Existence
    func value(_ key: StorageKeyID, of record: RecordID) -> Value?
    func keys(of record: RecordID) -> [StorageKeyID]
    func whole(_ record: RecordID) -> WholeRecord
}
