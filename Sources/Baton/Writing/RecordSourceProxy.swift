/// The records of a store as an update sees and changes them.
///
/// What it reads is the store as it was when the update began, with the update's own changes on top. The changes land together when the update returns; if it
/// throws, none does. Used after the update has ended, it reads nothing and throws `UpdateError.ended` on writes. It belongs to the thread of the update.
public final class RecordSourceProxy {
    let names: NameTable
    private let payloadRoot: RecordID?
    /// The base with the changes so far; nil once the update has ended.
    private(set) var records: UpdatedRecords?
    private var staged = StagedRecords()

    init(base: Records, names: NameTable, payloadRoot: RecordID?) {
        records = UpdatedRecords(base)
        self.names = names
        self.payloadRoot = payloadRoot
    }

    /// Hands out the changes, and no more records.
    func finish() -> StagedRecords {
        end()
        return staged
    }

    func end() { records = nil }

    // MARK: - Records

    /// The record of the queries' root fields.
    public var root: RecordProxy { RecordProxy(source: self, record: .root) }

    /// An existing record; nil if it is not in the store or was deleted.
    public func get(_ id: DataID) -> RecordProxy? {
        names.record(id, adding: false).flatMap(existing)
    }

    func existing(_ record: RecordID) -> RecordProxy? {
        guard let records, records.state(of: record) == .existing else { return nil }
        return RecordProxy(source: self, record: record)
    }

    /// Makes a record without fields. Throws if there is one with that ID.
    @discardableResult
    public func create(_ id: DataID, type: TypeName) throws(UpdateError) -> RecordProxy {
        guard records != nil else { throw .ended }
        guard let record = names.record(id, adding: true), existing(record) == nil else { throw .exists(id) }
        create(record, names.type(type.rawValue))
        return RecordProxy(source: self, record: record)
    }

    /// Deletes a record, which must not be the root: links to it read as null from now on, and it counts as present, not as missing.
    public func delete(_ id: DataID) throws(UpdateError) {
        guard records != nil else { throw .ended }
        guard let record = names.record(id, adding: true) else { return }
        guard record != .root else { throw .root }
        let position = staged.positionAdding(record)
        staged.reset(position, isDeleted: true)
        records?[record] = .init(state: .deleted, type: .none)
    }

    /// Makes everything stale that was fetched before.
    public func invalidateStore() throws(UpdateError) {
        guard records != nil else { throw .ended }
        staged.invalidatesStore = true
    }

    // MARK: - The answer that the update belongs to

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
        records?.version.read(type, at: payloadRoot ?? operation.root, operation.reader, tracking: false).data
    }

    // MARK: - What record proxies call

    func create(_ record: RecordID, _ type: TypeID) {
        let position = staged.positionAdding(record)
        let isPresent = records?.state(of: record) == .existing
        let entry = staged.entries[position]
        staged.reset(position, type: type, isReplaced: entry.isDeleted || entry.isReplaced || isPresent)
        records?[record] = .init(state: .existing, type: type)
    }

    func write(_ value: Value, _ key: StorageKeyID, of record: RecordID) throws(UpdateError) {
        guard let state = records?.state(of: record) else { throw .ended }
        guard state != .deleted else { throw .deleted(names.dataID(of: record)) }
        if state == .unknown { create(record, names.rootType) }
        staged.set(staged.positionAdding(record), key, value, names)
        records?[record].set(key, value, names)
    }

    func invalidate(_ record: RecordID) throws(UpdateError) {
        guard records != nil else { throw .ended }
        staged.invalidated.append(record)
    }
}
