/// A value that answers for its own fields where no resolver is registered.
///
/// `LocalConnection` is one. Implement it for values that are built for one answer, such as the payload of a mutation.
public protocol LocalFields: Sendable {
    /// The name of the object type, for fields whose type is abstract; nil if it is not known.
    var localTypeName: String? { get }

    /// The value of a field; `LocalField.unknown` if there is none of this name.
    func localField(_ name: String) -> LocalField
}

extension LocalFields {
    /// Not known.
    public var localTypeName: String? { nil }
}

/// What `LocalFields` says of one field.
public enum LocalField: Sendable {
    /// The value, or nil for null.
    case value((any Sendable)?)
    /// There is no such field.
    case unknown
}

/// A value together with the object type that it is, where the Swift type does not tell.
public struct LocalObject<Source: Sendable>: Sendable {
    /// The name of the object type.
    public let typeName: String
    /// The value that the resolvers of that type receive.
    public let source: Source

    /// Says that a value is an object of this type.
    public init(_ typeName: String, _ source: Source) {
        self.typeName = typeName
        self.source = source
    }
}
