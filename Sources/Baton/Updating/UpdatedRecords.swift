/// The records of a store as an update sees them: a version, on top of it what an answer staged, and on top of that the
/// update's own changes.
///
/// It does not see optimistic layers, but for those below it if it is one itself: then `LowerRecords` say what they
/// leave, the answer's part included, or it sees what readers see.
///
/// Nothing is copied: writing into a version that somebody else holds too would copy its tables, which takes longer the
/// more records there are (benchmark `notify.growth`). A look at a field asks the three in turn. A class, because a
/// struct of that many parts would be copied with each look (benchmark
/// `connection.append-us`).
final class UpdatedRecords {
    let base: Records
    /// What the answer brought to which the update belongs.
    let answer: StagedRecords?
    private let level: (any LowerRecords)?
    /// All layers are seen.
    private let isTop: Bool
    /// What the update did so far.
    private(set) var own: StagedRecords

    init(
        _ base: Records, answer: StagedRecords? = nil, level: (any LowerRecords)? = nil, isTop: Bool = false,
        own: StagedRecords = StagedRecords()
    ) {
        self.base = base
        self.answer = answer
        self.level = level
        self.isTop = isTop
        self.own = own
    }

    // MARK: - Reading

    func state(of record: RecordID) -> Records.State { own.state(of: record) ?? stateBelow(record) }

    private func stateBelow(_ record: RecordID) -> Records.State {
        if let known = layers(of: record) { return known.existence(of: record).state }
        return answer?.state(of: record) ?? (inBase(record)?.state ?? base.state(of: record))
    }

    /// The layers below, if they have to do with a record.
    @inline(__always)
    private func layers(of record: RecordID) -> (any LowerRecords)? {
        guard let level, level.concerns(record) else { return nil }
        return level
    }

    /// A record as it is without layers; nil if no layer writes it, or if layers are seen.
    @inline(__always)
    private func inBase(_ record: RecordID) -> WholeRecord? {
        base.covered.isEmpty || isTop ? nil : base.covered[record]
    }

    /// Records that are not seen as they stand in `base`.
    var standingApart: [RecordID] {
        guard let level else { return isTop ? [] : Array(base.covered.keys) }
        return Array(level.records.union(base.covered.keys))
    }

    func existence(of record: RecordID) -> Records.Existence {
        let state = state(of: record)
        return .init(state: state, type: state == .existing ? type(of: record) ?? .none : .none)
    }

    /// The object type of an existing record; nil of any other.
    func type(of record: RecordID) -> TypeID? {
        switch own.state(of: record) {
        case .existing: own.type(of: record) ?? typeBelow(record)
        case .deleted: nil
        default: typeBelow(record)
        }
    }

    private func typeBelow(_ record: RecordID) -> TypeID? {
        if let known = layers(of: record)?.existence(of: record) { return known.state == .existing ? known.type : nil }
        switch answer?.state(of: record) {
        case .existing: return answer?.type(of: record)
        case .deleted: return nil
        default: return typeInBase(record)
        }
    }

    private func typeInBase(_ record: RecordID) -> TypeID? {
        if let known = inBase(record) { return known.state == .existing ? known.type : nil }
        return base.state(of: record) == .existing ? base.type(of: record) : nil
    }

    /// The value under a key; nil if it is missing.
    func value(_ key: StorageKeyID, of record: RecordID) -> Value? {
        switch own.find(key, of: record, below: typeBelow) {
        case .value(let value): return value
        case .missing: return nil
        case .below: break
        }
        if let known = layers(of: record) { return known.value(key, of: record) }
        switch answer?.find(key, of: record, below: typeInBase) {
        case .value(let value): return value
        case .missing: return nil
        default: break
        }
        if let known = inBase(record) { return known.value(key) }
        return base.value(key, of: record)
    }

    /// The keys of an existing record, the oldest first; none of any other.
    func keys(of record: RecordID) -> [StorageKeyID] {
        guard state(of: record) == .existing else { return [] }
        var keys: [StorageKeyID] = []
        if !own.hides(record, below: typeBelow) {
            if let known = layers(of: record) {
                keys = known.keys(of: record)
            } else {
                if answer?.hides(record, below: typeInBase) != true {
                    keys = (inBase(record)?.shape ?? base.shape(of: record)).keys
                }
                if let answer { answer.addKeys(of: record, to: &keys) }
            }
        }
        own.addKeys(of: record, to: &keys)
        return keys
    }

    /// The errors that a server sent for a field, or an update set; none for a field that was written since.
    func errors(_ key: StorageKeyID, of record: RecordID) -> [GraphQLError] {
        // A field that has a value has no errors, whoever wrote it.
        if let value = value(key, of: record), !value.isNull { return [] }
        if let errors = own.fieldErrors[record, key] { return errors }
        if case .below = own.find(key, of: record, below: typeBelow) {} else { return [] }
        if let answer {
            if let errors = answer.fieldErrors[record, key] { return errors }
            if case .below = answer.find(key, of: record, below: typeInBase) {} else { return [] }
        }
        guard let errors = base.fieldErrors[record, key] else { return [] }
        // What an answer says again it says without them.
        return answer?.confirmed.contains(record) == true ? [] : errors
    }

    /// False if no field has errors, which is nearly always so.
    var hasErrors: Bool {
        !base.fieldErrors.isEmpty || !own.fieldErrors.isEmpty || answer?.fieldErrors.isEmpty == false
    }

    /// One version with the changes in it. Takes time linear in the changes, and in the number of pages and blocks.
    func version(_ names: NameTable) -> Records {
        var records = base.withoutLayers
        if let answer { _ = records.merge(answer, names) }
        for record in level?.records ?? [] { level.map { records.write(record, $0.whole(record)) } }
        _ = records.merge(own, names)
        return records
    }

    // MARK: - Writing

    /// Makes a record without fields, over what was there.
    func create(_ record: RecordID, _ type: TypeID) {
        let isPresent = state(of: record) == .existing
        let position = own.positionAdding(record)
        let entry = own.entries[position]
        own.reset(position, type: type, isReplaced: entry.isDeleted || entry.isReplaced || isPresent)
        own.fieldErrors.remove(record)
    }

    /// Makes a record known not to exist.
    func delete(_ record: RecordID) {
        own.reset(own.positionAdding(record), isDeleted: true)
        own.fieldErrors.remove(record)
    }

    /// Sets a field of an existing record.
    func set(_ key: StorageKeyID, _ value: Value, of record: RecordID, _ names: NameTable) {
        if key == names.idKey { note(value, asIDOf: record, names) }
        own.set(own.positionAdding(record), key, value, names)
        if !own.fieldErrors.isEmpty { _ = own.fieldErrors.set(nil, record, key) }
    }

    /// Sets a field to null because of errors.
    func set(_ key: StorageKeyID, failedWith errors: [GraphQLError], of record: RecordID, _ names: NameTable) {
        own.set(own.positionAdding(record), key, .null, names)
        _ = own.fieldErrors.set(errors, record, key)
    }

    /// Sets fields of an existing record.
    func set(_ keys: [StorageKeyID], _ values: [Value], of record: RecordID, _ names: NameTable) {
        if let place = keys.firstIndex(of: names.idKey) { note(values[place], asIDOf: record, names) }
        own.set(own.positionAdding(record), keys, values, names)
        if !own.fieldErrors.isEmpty { for key in keys { _ = own.fieldErrors.set(nil, record, key) } }
    }

    /// Remembers that an `id` cannot be told from the data ID any more.
    private func note(_ id: Value, asIDOf record: RecordID, _ names: NameTable) {
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

extension StagedRecords {
    fileprivate enum Finding {
        case value(Value)
        /// What is below does not count.
        case missing
        case below
    }

    /// The position of what will land of a record; nil also for what is left out of the merge.
    private func landing(_ record: RecordID) -> Int? {
        guard let position = position(of: record), !entries[position].isSkipped else { return nil }
        return position
    }

    /// What is staged about the existence of a record; nil if that stays as it is.
    fileprivate func state(of record: RecordID) -> Records.State? {
        guard let position = landing(record) else { return nil }
        if entries[position].isDeleted { return .deleted }
        return entries[position].type == nil ? nil : .existing
    }

    fileprivate func type(of record: RecordID) -> TypeID? { landing(record).flatMap { entries[$0].type } }

    /// Says whether what is staged takes the place of all that is below: a new record, another type, a deletion.
    fileprivate func hides(_ record: RecordID, below type: (RecordID) -> TypeID?) -> Bool {
        guard let position = landing(record) else { return false }
        let entry = entries[position]
        if entry.isDeleted || entry.isReplaced { return true }
        return entry.type.map { $0 != type(record) } ?? false
    }

    fileprivate func find(
        _ key: StorageKeyID, of record: RecordID, below type: (RecordID) -> TypeID?
    ) -> Finding {
        guard let position = landing(record) else { return .below }
        let entry = entries[position]
        if entry.isDeleted { return .missing }
        if entry.block >= 0, let place = shape(position).position(of: key) {
            return .value(blocks[Int(entry.block)][Int(entry.row), place])
        }
        return hides(record, below: type) ? .missing : .below
    }

    fileprivate func addKeys(of record: RecordID, to keys: inout [StorageKeyID]) {
        guard let position = landing(record) else { return }
        for key in shape(position).keys where !keys.contains(key) { keys.append(key) }
    }
}
