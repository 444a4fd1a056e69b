/// The records of a store as an update sees and changes them.
///
/// What it reads is the store as it was when the update began, with the update's own changes on top. The changes land
/// together when the update returns; if it throws, none does. Used after the update has ended, it reads nothing and
/// throws `UpdateError.ended` on writes. It belongs to the thread of the update.
public final class RecordSourceProxy {
    let names: NameTable
    private let payloadRoot: RecordID?
    /// The base with the changes so far; nil once the update has ended.
    private(set) var records: UpdatedRecords?
    /// The first assignment through a typed struct that could not be made; setters cannot throw.
    private var refusal: UpdateError?
    /// What the update looked at.
    private(set) var reads = UpdateReads()
    /// It is an optimistic change, which runs again when something appears that it asked for.
    private let isLayer: Bool

    private var hold: NumberHold?
    /// Names of fields that were looked at already.
    var checkedNames: Set<String> = []

    /// Makes a proxy for one run of one update.
    ///
    /// - Parameters:
    ///   - base: what the update sees.
    ///   - answer: what was staged on top of the base and is seen too; `finish` does not hand it out.
    ///   - level: the optimistic layers below, if the update is one itself.
    ///   - isTop: the update sees all optimistic layers.
    ///   - own: what it begins with.
    ///   - payloadRoot: the record of the answer's root fields.
    ///   - isLayer: the update is an optimistic change.
    init(
        base: Records, answer: StagedRecords? = nil, level: (any LowerRecords)? = nil, isTop: Bool = false,
        own: StagedRecords = StagedRecords(), names: NameTable, payloadRoot: RecordID?, isLayer: Bool = false
    ) {
        records = UpdatedRecords(base, answer: answer, level: level, isTop: isTop, own: own)
        self.isLayer = isLayer
        self.names = names
        self.payloadRoot = payloadRoot
        hold = NumberHold(names)
    }

    /// Hands out the changes, and no more records. `end` must follow when they have landed.
    func finish() -> StagedRecords {
        let staged = records?.own ?? StagedRecords()
        records = nil
        return staged
    }

    func end() {
        records = nil
        hold = nil
    }

    /// Notes an assignment that could not be made, for `run`.
    func refuse(_ error: UpdateError) { refusal = refusal ?? error }

    /// Runs the body of the update; throws what it throws, or the first assignment that could not be made.
    func run<Result>(_ body: (RecordSourceProxy) throws -> Result) throws -> Result {
        let result = try body(self)
        if let refusal { throw refusal }
        return result
    }

    // MARK: - Records

    /// The record of the queries' root fields.
    public var root: RecordProxy { RecordProxy(source: self, record: .root) }

    /// An existing record; nil if it is not in the store or was deleted.
    ///
    /// For identities that were taken from the store, as ``RecordProxy/dataID`` and ``FragmentReference/dataID`` are.
    /// An object with an `id` is found by
    /// ``get(_:id:)``, whether its type implements `Node` or not.
    public func get(_ id: DataID) -> RecordProxy? {
        let found = find(id)
        if found == nil { noteUnknown(id) }
        return found
    }

    /// The same without telling the log of what may have been meant.
    func find(_ id: DataID) -> RecordProxy? {
        sought(id).flatMap { existing($0) }
    }

    /// The number of a record that is looked for. If nothing has that identity yet, the update depends on that.
    func sought(_ id: DataID) -> RecordID? {
        if let record = names.record(id, adding: false) { return record }
        if !isLayer {
            reads.note(absent: id)
        } else if id.rawValue.hasPrefix("client:") {
            // It may become the place of another record, which has no text.
            noteWholeStore()
        } else if let record = names.record(id, adding: true) {
            // A number for what is not there yet: an update that asked for it depends on it.
            reads.note(UpdateReads.Read.existence, of: record)
            return record
        }
        return nil
    }

    func existing(_ record: RecordID) -> RecordProxy? {
        state(of: record) == .existing ? RecordProxy(source: self, record: record) : nil
    }

    /// Makes a record without fields. Throws if there is one with that ID.
    @discardableResult
    public func create(_ id: DataID, type: TypeName) throws(UpdateError) -> RecordProxy {
        guard records != nil else { throw .ended }
        // The root is always there.
        guard let record = names.record(id, adding: true), record != .root, existing(record) == nil else {
            throw .exists(id)
        }
        create(record, names.type(type.rawValue))
        return RecordProxy(source: self, record: record)
    }

    /// Makes a record that only this client knows, under an ID that no other record has.
    ///
    /// Each call gives another ID, `client:local:1` and so on. An optimistic updater runs again when the store changes
    /// under it: what is to stay the same record needs an ID that is chosen outside, with ``create(_:type:)``.
    @discardableResult
    public func createLocal(type: TypeName) throws(UpdateError) -> RecordProxy {
        guard records != nil else { throw .ended }
        let record = names.newLocalRecord()
        create(record, names.type(type.rawValue))
        return RecordProxy(source: self, record: record)
    }

    /// Deletes a record, which must not be the root: links to it read as null from now on, and it counts as present,
    /// not as missing.
    ///
    /// Lists and connections keep their places, which read as null; ``delete(_:removingReferences:)`` takes those out
    /// too.
    public func delete(_ id: DataID) throws(UpdateError) {
        guard records != nil else { throw .ended }
        noteUnknown(id)
        guard let record = names.record(id, adding: true) else { return }
        guard record != .root else { throw .root }
        noteChangedEdge(record)
        records?.delete(record)
    }

    /// Makes everything stale that was fetched before.
    public func invalidateStore() throws(UpdateError) {
        guard records != nil else { throw .ended }
        records?.invalidateStore()
    }

    // MARK: - The answer that the update belongs to

    /// The record of the answer's root fields; nil without an answer.
    public var payload: RecordProxy? { payloadRoot.flatMap(existing) }

    /// An object among the root fields of the answer; nil without an answer, for null and for what is missing.
    public func rootField(_ name: String, arguments: [String: JSONValue] = [:]) -> RecordProxy? {
        payloadRoot.flatMap { RecordProxy(source: self, record: $0).linkedRecord(name, arguments: arguments) }
    }

    /// A list among the root fields of the answer; nil without an answer, for null and for what is missing.
    public func pluralRootField(_ name: String, arguments: [String: JSONValue] = [:]) -> [RecordProxy?]? {
        payloadRoot.flatMap { RecordProxy(source: self, record: $0).linkedRecords(name, arguments: arguments) }
    }

    /// Reads the answer's data with the changes so far; without an answer, what the store holds of the operation.
    package func read<Data: GeneratedCode.Selections>(_ type: Data.Type, _ operation: BoundOperation) -> Data? {
        guard let records else { return nil }
        let snapshot = records.version(names).read(
            type, at: payloadRoot ?? operation.root, operation.reader, tracking: true)
        reads.note(snapshot.dependencies, operation.reader.plan)
        return snapshot.data
    }

    /// Reads the answer's data, and says why if there is none.
    func answerData<Data: GeneratedCode.Selections>(
        _ type: Data.Type, _ operation: BoundOperation
    ) throws -> Data {
        guard let records else { throw UpdateError.ended }
        let version = records.version(names)
        let plan = operation.reader.plan
        let root = payloadRoot ?? operation.root
        let snapshot = version.read(type, at: root, operation.reader, tracking: true)
        reads.note(snapshot.dependencies, plan)
        if let data = snapshot.data { return data }
        if let failure = snapshot.problems?.failure { throw UnreadableAnswer(error: failure) }
        let path = HoleSearch.fall(in: version, at: root, plan)?.place.path ?? []
        throw UnreadableAnswer(error: .missingNonNullField(path: path, component: plan.component))
    }
}

/// Why an answer has no data for an updater, which was not called.
struct UnreadableAnswer: Error {
    let error: RelayError
}

// MARK: - What the other proxies call

extension RecordSourceProxy {
    func state(of record: RecordID) -> Records.State? {
        reads.note(UpdateReads.Read.existence, of: record)
        return records?.state(of: record)
    }

    func type(of record: RecordID) -> TypeID? {
        reads.note(UpdateReads.Read.existence, of: record)
        return records?.type(of: record)
    }

    func value(_ key: StorageKeyID, of record: RecordID) -> Value? {
        reads.note(key, of: record)
        return records?.value(key, of: record)
    }

    func keys(of record: RecordID) -> [StorageKeyID] {
        reads.note(UpdateReads.Read.keys, of: record)
        return records?.keys(of: record) ?? []
    }

    /// Whether objects of a type are of an abstract type, as far as answers have shown.
    func fact(_ type: TypeID, is abstractType: TypeID) -> Bool? {
        reads.usesTypeFacts = true
        let fact = Records.TypeFact(type: type, abstractType: abstractType)
        return records?.answer?.facts[fact] ?? records?.base.facts[fact]
    }

    /// Notes that the update depends on every record.
    func noteWholeStore() { reads.isEverything = true }

    /// The errors at a field; none is nearly always the answer.
    func errors(_ key: StorageKeyID, of record: RecordID) -> [GraphQLError] {
        reads.note(key, of: record)
        guard let records, records.hasErrors else { return [] }
        return records.errors(key, of: record)
    }

    func create(_ record: RecordID, _ type: TypeID) { records?.create(record, type) }

    /// Copies fields of another record with their errors, whatever they mean for a connection.
    func copyFields(_ fields: [StorageKeyID], of other: RecordID, to record: RecordID) {
        put(fields, fields.map { value($0, of: other) ?? .null }, of: record)
        guard let records, records.hasErrors else { return }
        for field in fields {
            let errors = errors(field, of: other)
            if !errors.isEmpty { records.set(field, failedWith: errors, of: record, names) }
        }
    }

    /// Sets a field to null because of errors, or to a plain null.
    func put(_ errors: [GraphQLError], _ key: StorageKeyID, of record: RecordID) {
        records?.set(key, failedWith: errors, of: record, names)
    }

    /// Writes a field, whatever it means for a connection.
    func put(_ value: Value, _ key: StorageKeyID, of record: RecordID) {
        records?.set(key, value, of: record, names)
    }

    /// Writes fields, whatever they mean for a connection.
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
