/// The records of a store, for an update that reads and changes them.
///
/// The update reads the store's version at the beginning of the update, with its own changes on top. The changes land
/// together when the update returns; if it throws, none of them lands. After the update has ended, reads return nothing
/// and writes throw `UpdateError.ended`. The object must be used only on the thread of the update.
public final class RecordSourceProxy {
    let names: NameTable
    let payloadRoot: RecordID?
    /// The base with the changes so far; nil once the update has ended.
    private(set) var records: UpdatedRecords?
    /// The first assignment through a typed struct that failed. It is kept because setters cannot throw.
    private var refusal: UpdateError?
    /// The records and fields that the update has read.
    private(set) var reads = UpdateReads()
    /// True for an optimistic change, which runs again when a record appears that the change has asked for.
    private let isLayer: Bool

    private var hold: NumberHold?
    /// The names of fields that were already checked for similar names.
    var checkedNames: Set<String> = []
    /// The types of the fields that were written.
    var knownTypes: [TypedField: [FieldTypes.Known]] = [:]
    /// What the answer links to, once it was asked for.
    var answerLinks: AnswerLinks?
    /// The records of the answer that directives delete once all directives have been carried out.
    var marked: [DataID] = []
    /// The records that only name what was deleted. They are deleted when the updater has seen them.
    var namesakes: [DataID] = []
    /// The records before the first of these was deleted; nil as long as none was.
    private var undeleted: Records?

    /// Makes a proxy for one run of one update.
    ///
    /// - Parameters:
    ///   - base: The version that the update sees.
    ///   - response: Staged records that the update sees on top of the base; `finish` does not return them.
    ///   - level: The optimistic layers below, if the update is itself a layer.
    ///   - isTop: True if the update sees all optimistic layers.
    ///   - own: The changes that the update begins with.
    ///   - payloadRoot: The record of the response's root fields.
    ///   - isLayer: True if the update is an optimistic change.
    init(
        base: Records, response: StagedRecords? = nil, level: (any LowerRecords)? = nil, isTop: Bool = false,
        own: StagedRecords = StagedRecords(), disk: LowerDisk? = nil, names: NameTable, payloadRoot: RecordID?,
        isLayer: Bool = false
    ) {
        records = UpdatedRecords(base, response: response, level: level, isTop: isTop, own: own, disk: disk)
        self.isLayer = isLayer
        self.names = names
        self.payloadRoot = payloadRoot
        hold = NumberHold(names)
    }

    /// Ends reads and writes, and returns the changes. `end` must be called after they have landed.
    func finish() -> StagedRecords {
        records.take()?.own ?? StagedRecords()
    }

    func end() {
        records = nil
        undeleted = nil
        hold = nil
    }

    /// Notes an assignment that failed; `run` throws the first one.
    func refuse(_ error: UpdateError) { refusal = refusal ?? error }

    /// Runs the body of the update. Throws the body's error, or the first assignment that failed.
    func run(_ body: (RecordSourceProxy) throws -> Void) throws {
        try body(self)
        if let refusal { throw refusal }
    }

    // MARK: - Records

    /// The record of the queries' root fields.
    public var root: RecordProxy { RecordProxy(source: self, record: .root) }

    /// Returns an existing record; nil if the record is not in the store or was deleted.
    ///
    /// Use this method for identities from the store, such as ``RecordProxy/dataID`` and ``FragmentReference/dataID``.
    /// ``get(_:id:)`` finds an object by its `id`, whether or not its type implements `Node`.
    public func get(_ id: DataID) -> RecordProxy? {
        let found = find(id)
        if found == nil { noteUnknown(id) }
        return found
    }

    /// Returns an existing record without a report of similar names to the log.
    func find(_ id: DataID) -> RecordProxy? {
        sought(id).flatMap { existing($0) }
    }

    /// Returns the number of a record. If no record has this identity yet, the update depends on its absence.
    func sought(_ id: DataID) -> RecordID? {
        if let record = known(id) { return record }
        if !isLayer {
            reads.noteAbsence(of: id)
        } else if id.rawValue.hasPrefix("client:") {
            // The identity may later become the identity of a record that has a place and no text of its own.
            noteWholeStore()
        } else if let record = names.record(id, adding: true) {
            // The identity gets a number although the record does not exist, so that the update can depend on it.
            reads.noteField(UpdateReads.Read.existence, of: record)
            return record
        }
        return nil
    }

    func existing(_ record: RecordID) -> RecordProxy? {
        state(of: record) == .existing ? RecordProxy(source: self, record: record) : nil
    }

    /// Makes a record without fields. Throws if a record with this ID exists.
    @discardableResult
    public func create(_ id: DataID, type: TypeName) throws(UpdateError) -> RecordProxy {
        guard records != nil else { throw .ended }
        // The root always exists.
        guard let record = names.record(id, adding: true), record != .root, existing(record) == nil else {
            throw .exists(id)
        }
        create(record, names.type(type.rawValue))
        return RecordProxy(source: self, record: record)
    }

    /// Makes a record that only this client knows, under an ID that no other record has.
    ///
    /// Each call gives another ID: `client:local:1` and so on. An optimistic updater runs again when the store changes
    /// below it. If the record must be the same in each run, choose its ID outside the updater and call
    /// ``create(_:type:)``.
    @discardableResult
    public func createLocal(type: TypeName) throws(UpdateError) -> RecordProxy {
        guard records != nil else { throw .ended }
        let record = names.newLocalRecord()
        create(record, names.type(type.rawValue))
        return RecordProxy(source: self, record: record)
    }

    /// Deletes a record other than the root. Links to it then read as null. The deleted record counts as present, not
    /// as missing.
    ///
    /// Lists and connections keep their items, which read as null; ``delete(_:removingReferences:)`` removes those
    /// items too.
    public func delete(_ id: DataID) throws(UpdateError) {
        noteUnknown(id)
        try remove(id)
    }

    /// Deletes a record without a report of similar names to the log.
    func remove(_ id: DataID) throws(UpdateError) {
        guard records != nil else { throw .ended }
        guard let record = names.record(id, adding: true) else { return }
        guard record != .root else { throw .root }
        noteChangedEdge(record)
        records?.delete(record)
    }

    /// Marks the whole store as invalidated: everything that was fetched before becomes stale.
    public func invalidateStore() throws(UpdateError) {
        guard records != nil else { throw .ended }
        records?.invalidateStore()
    }

    // MARK: - The response of the update

    /// Reads the response's data with the changes so far. Without a response, reads the operation's data from the
    /// store.
    package func read<Data: GeneratedCode.SelectionSet>(_ type: Data.Type, _ operation: BoundOperation) -> Data? {
        guard let records else { return nil }
        let root = payloadRoot ?? operation.root
        let version = records.version(names, reading: operation.reader.plan, at: root)
        let result = ReadResult<Data>(outcome: version.read(at: root, operation.reader))
        reads.noteDependencies(result.dependencies, operation.reader.plan)
        return result.data
    }

    /// Keeps the records as they are for those who read the response's data.
    func keepForReading() {
        if undeleted == nil, payloadRoot != nil { undeleted = records?.version(names) }
    }

    /// Reads the data of a response whose records it has deleted itself. Returns nil if it has deleted none; the data
    /// can then be read in the store.
    func readUndeleted(_ operation: BoundOperation) -> RowResult? {
        if !namesakes.isEmpty { keepForReading() }
        return undeleted?.read(at: payloadRoot ?? operation.root, operation.reader)
    }

    /// Reads the response's data; throws the reason if there is none. Records that the response has deleted itself are
    /// still read.
    func responseData<Data: GeneratedCode.SelectionSet>(
        _ type: Data.Type, _ operation: BoundOperation
    ) throws -> Data {
        guard let records else { throw UpdateError.ended }
        let plan = operation.reader.plan
        let root = payloadRoot ?? operation.root
        let version = undeleted ?? records.version(names, reading: plan, at: root)
        let result = ReadResult<Data>(outcome: version.read(at: root, operation.reader))
        reads.noteDependencies(result.dependencies, plan)
        if let data = result.data { return data }
        if let failure = result.problems?.failure { throw UnreadableResponse(error: failure) }
        let path = HoleSearch.fall(in: version, at: root, plan)?.place.path ?? []
        throw UnreadableResponse(error: .missingNonNullField(path: path, component: plan.component))
    }
}

// MARK: - For the other proxies

extension RecordSourceProxy {
    /// Returns the number of an identity that this process knows. A file may have any identity.
    func known(_ id: DataID) -> RecordID? {
        if let disk = records?.disk { return disk.record(of: id) }
        return names.record(id, adding: false)
    }

    func state(of record: RecordID) -> Records.State? {
        reads.noteField(UpdateReads.Read.existence, of: record)
        return records?.state(of: record)
    }

    func type(of record: RecordID) -> TypeID? {
        reads.noteField(UpdateReads.Read.existence, of: record)
        return records?.type(of: record)
    }

    func value(_ key: StorageKeyID, of record: RecordID) -> Value? {
        reads.noteField(key, of: record)
        return records?.value(key, of: record)
    }

    func keys(of record: RecordID) -> [StorageKeyID] {
        reads.noteField(UpdateReads.Read.keys, of: record)
        return records?.keys(of: record) ?? []
    }

    /// Notes that the update depends on a field.
    func noteRead(_ key: StorageKeyID, of record: RecordID) { reads.noteField(key, of: record) }

    /// Returns true if objects of a type belong to an abstract type; nil if responses have not shown it.
    func fact(_ type: TypeID, is abstractType: TypeID) -> Bool? {
        reads.usesTypeFacts = true
        let fact = TypeFact(type: type, abstractType: abstractType)
        return records?.response?.facts[fact] ?? records?.base.facts[fact]
    }

    /// Calls `body`; returns the reads of `body`.
    func collectReads(of body: () throws -> Void) rethrows -> UpdateReads {
        var before = UpdateReads()
        swap(&before, &reads)
        defer {
            swap(&before, &reads)
            reads.add(before)
        }
        try body()
        return reads
    }

    /// Notes that the update depends on every record.
    func noteWholeStore() { reads.isEverything = true }

    /// Returns the errors at a field; nearly always none.
    func errors(_ key: StorageKeyID, of record: RecordID) -> [GraphQLError] {
        reads.noteField(key, of: record)
        guard let records, records.hasErrors else { return [] }
        return records.errors(key, of: record)
    }

    func create(_ record: RecordID, _ type: TypeID) { records?.create(record, type) }

    /// Copies fields of another record with their errors, without the side effects on connections.
    func copyFields(_ fields: [StorageKeyID], of other: RecordID, to record: RecordID) {
        put(fields, fields.map { value($0, of: other) ?? .null }, of: record)
        copyErrors(fields, of: other, to: record)
    }

    /// Copies the errors of fields of another record. The fields must have nulls at the same places as in the other
    /// record.
    func copyErrors(_ fields: [StorageKeyID], of other: RecordID, to record: RecordID) {
        guard let records, records.hasErrors else { return }
        for field in fields {
            let errors = errors(field, of: other)
            if !errors.isEmpty { records.note(errors, field, of: record) }
        }
    }

    /// Sets a field to null because of errors; an empty list sets a plain null.
    func put(_ errors: [GraphQLError], _ key: StorageKeyID, of record: RecordID) {
        records?.set(key, failedWith: errors, of: record, names)
    }

    /// Writes a field without the side effects on connections.
    func put(_ value: Value, _ key: StorageKeyID, of record: RecordID) {
        records?.set(key, value, of: record, names)
    }

    /// Returns true if the update has written a field.
    func hasWritten(_ key: StorageKeyID, of record: RecordID) -> Bool {
        guard let own = records?.own, let position = own.position(of: record) else { return false }
        return own.shape(position).position(of: key) != nil
    }

    /// Adds items to the end of a list without the side effects on connections. `list` has them with those before.
    func append(_ new: [Value], to list: GrowingList, _ key: StorageKeyID, of record: RecordID) {
        records?.append(new, to: list, key, of: record, names)
    }

    /// Writes fields without the side effects on connections.
    func put(_ keys: [StorageKeyID], _ values: [Value], of record: RecordID) {
        records?.set(keys, values, of: record, names)
    }

    func write(
        _ value: Value, _ key: StorageKeyID, of record: RecordID, errors: [GraphQLError] = []
    ) throws(UpdateError) {
        switch state(of: record) {
        case nil: throw .ended
        case .deleted: throw .deleted(names.dataID(of: record))
        case .unknown: create(record, names.rootType)
        case .existing: break
        }
        if key == names.connections.edges { noteChangedEdges(of: record) }
        if key == names.connections.node { noteChangedEdge(record) }
        if errors.isEmpty { put(value, key, of: record) } else { put(errors, key, of: record) }
    }

    func invalidate(_ record: RecordID) throws(UpdateError) {
        guard records != nil else { throw .ended }
        records?.invalidate(record)
    }
}
