/// Where a field is, for the log.
public struct FieldLocation: Sendable, Hashable {
    /// The response keys and list positions from the root of the operation or fragment.
    public let path: [PathComponent]
    /// The record that should hold the field, or that a link leads to and that the store does not know.
    public let dataID: DataID?
    /// The type of the record; nil if the store does not know the record.
    public let typename: TypeName?
    /// The key of the field with its arguments; nil if the whole record is missing.
    public let storageKey: StorageKey?

    /// Names a place; what is unknown is left out.
    public init(
        path: [PathComponent], dataID: DataID? = nil, typename: TypeName? = nil, storageKey: StorageKey? = nil
    ) {
        self.path = path
        self.dataID = dataID
        self.typename = typename
        self.storageKey = storageKey
    }
}

extension FieldLocation: CustomStringConvertible {
    /// `hero.friends[0].name (Human 1000, name)`
    public var description: String {
        let text = path.text
        let record = [typename?.rawValue, dataID?.rawValue].compactMap { $0 }.joined(separator: " ")
        let details = [record, storageKey?.rawValue ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
        return details.isEmpty ? text : "\(text) (\(details))"
    }
}
