/// The records of a store as an update sees and changes them.
///
/// What it reads is the store as it was when the update began, with the update's own changes on top. The changes land together when the update returns; if it
/// throws, none does. Used after the update has ended, it reads nothing and throws `UpdateError.ended` on writes.
public final class RecordSourceProxy {
    /// The record of the queries' root fields; created if there is none.
    public var root: RecordProxy { fatalError() }
    /// An existing record; nil if it is not in the store or was deleted.
    public func get(_ id: DataID) -> RecordProxy? { nil }
    /// Makes a record without fields. Throws if there is one with that ID.
    @discardableResult
    public func create(_ id: DataID, type: TypeName) throws(UpdateError) -> RecordProxy { throw .ended }
    /// Deletes a record: links to it read as null from now on, and it counts as present, not as missing.
    public func delete(_ id: DataID) throws(UpdateError) {}
    /// Makes everything stale that was fetched before.
    public func invalidateStore() throws(UpdateError) {}
    /// An object among the root fields of the answer that this update belongs to; nil without an answer, for null and for what is missing.
    public func rootField(_ name: String, arguments: [String: JSONValue] = [:]) -> RecordProxy? { nil }
    /// A list among the root fields of the answer that this update belongs to.
    public func pluralRootField(_ name: String, arguments: [String: JSONValue] = [:]) -> [RecordProxy?]? { nil }
}

/// Why a local update was refused.
public enum UpdateError: Error, Sendable, Hashable {
    /// The update that the proxy belongs to has returned.
    case ended
    /// The record was deleted by this update or before it.
    case deleted(DataID)
    /// There is a record with that ID already.
    case exists(DataID)
    /// A linked record belongs to another update or store.
    case foreignRecord(DataID)
}

/// One record in a local update.
public struct RecordProxy {
    let source: RecordSourceProxy
    let record: RecordID

    /// The identity of the record.
    public var dataID: DataID { "" }
    /// The name of its object type; nil once it is deleted.
    public var typename: TypeName? { nil }

    /// A scalar, an enum value or a list of those; nil if it is missing.
    public func value(forField name: String, arguments: [String: JSONValue] = [:]) -> JSONValue? { nil }
    /// Sets a scalar, an enum value or a list of those.
    public func setValue(
        _ value: JSONValue, forField name: String, arguments: [String: JSONValue] = [:]
    ) throws(UpdateError) {}
    /// The record that a field links to; nil if it is null, missing or deleted.
    public func linkedRecord(_ name: String, arguments: [String: JSONValue] = [:]) -> RecordProxy? { nil }
    /// The records that a field links to, with nil for null; nil if the list is null or missing.
    public func linkedRecords(_ name: String, arguments: [String: JSONValue] = [:]) -> [RecordProxy?]? { nil }
    /// Links a field to a record, or sets it to null.
    public func setLinkedRecord(
        _ record: RecordProxy?, forField name: String, arguments: [String: JSONValue] = [:]
    ) throws(UpdateError) {}
    /// Links a field to records, or sets it to null.
    public func setLinkedRecords(
        _ records: [RecordProxy?]?, forField name: String, arguments: [String: JSONValue] = [:]
    ) throws(UpdateError) {}
    /// The record that a field links to, or a new one that belongs to this field alone.
    public func getOrCreateLinkedRecord(
        _ name: String, type: TypeName, arguments: [String: JSONValue] = [:]
    ) throws(UpdateError) -> RecordProxy { throw .ended }
    /// Copies every field of another record, over what is there.
    public func copyFields(from other: RecordProxy) throws(UpdateError) {}
    /// Makes every operation stale that reads this record and was fetched before.
    public func invalidate() throws(UpdateError) {}
}
