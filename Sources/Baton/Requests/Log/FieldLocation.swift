/// The place of a field, for the log.
public struct FieldLocation: Sendable, Hashable {
    /// The response keys and list indices from the root of the operation or fragment.
    public let path: [JSONValue.PathComponent]
    /// The record that lacks the field, or that is itself unknown to the store.
    public let dataID: DataID?
    /// The type of the record; nil if the store does not know the record.
    public let typename: TypeName?
    /// The field's key with its arguments; nil if the whole record is missing.
    public let storageKey: StorageKey?

    /// Creates a place; unknown parts are left out.
    public init(
        path: [JSONValue.PathComponent], dataID: DataID? = nil, typename: TypeName? = nil, storageKey: StorageKey? = nil
    ) {
        self.path = path
        self.dataID = dataID
        self.typename = typename
        self.storageKey = storageKey
    }
}

extension FieldLocation: CustomStringConvertible {
    /// Example: `hero.friends[0].name (Human 1000, name)`
    public var description: String {
        let text = path.text
        let record = [typename?.rawValue, dataID?.rawValue].compactMap { $0 }.joined(separator: " ")
        let details = [record, storageKey?.rawValue ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
        return details.isEmpty ? text : "\(text) (\(details))"
    }
}
