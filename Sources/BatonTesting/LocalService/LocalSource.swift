/// A value that gives the values of its own fields, for fields without a resolver.
///
/// `LocalConnection` conforms. Conform a type whose values exist for one answer, such as the payload of a mutation.
public protocol LocalFields: Sendable {
    /// The name of the value's object type, needed where the field's type is abstract; nil if it is not known.
    var localTypeName: String? { get }

    /// The value of a field; `LocalField.unknown` if there is no field of this name.
    func localField(_ name: String) -> LocalField
}

extension LocalFields {
    /// Nil: the object type is not known.
    public var localTypeName: String? { nil }
}

/// The result of `LocalFields.localField(_:)`.
public enum LocalField: Sendable {
    /// The value, or nil for null.
    case value((any Sendable)?)
    /// The value has no field of this name.
    case unknown
}

/// A value with the name of its object type, for values whose Swift type does not decide it.
public struct LocalObject<Source: Sendable>: Sendable {
    /// The name of the object type.
    public let typeName: String
    /// The value that the resolvers of the object type receive.
    public let source: Source

    /// Makes an object of this type.
    public init(_ typeName: String, _ source: Source) {
        self.typeName = typeName
        self.source = source
    }
}
