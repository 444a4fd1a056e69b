/// A value that provides the values of its own fields, for fields without a resolver.
///
/// `LocalConnection` conforms to this protocol. Other examples are types whose values exist for one response, such as
/// the payload of a mutation.
public protocol LocalFields: Sendable {
    /// The name of the value's object type, which is needed if the field's type is abstract; nil if the name is
    /// unknown.
    var localTypeName: String? { get }

    /// The value of a field; `LocalField.unknown` if there is no field of this name.
    func localField(_ name: String) -> LocalField
}

extension LocalFields {
    /// Nil: the object type is unknown.
    public var localTypeName: String? { nil }
}

/// The result of `LocalFields.localField(_:)`.
public enum LocalField: Sendable {
    /// The value, or nil for null.
    case value((any Sendable)?)
    /// The value has no field of this name.
    case unknown
}

/// A value with the name of its object type, for values whose Swift type does not determine the object type.
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
