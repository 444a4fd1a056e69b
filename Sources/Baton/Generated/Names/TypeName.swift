/// The name of an object, interface or union type of the schema.
public struct TypeName: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text.
    public var rawValue: String

    /// Takes the text as it is.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Takes the text as it is.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// Takes the text of a literal as it is.
    public init(stringLiteral value: String) { rawValue = value }
    /// The text.
    public var description: String { rawValue }
}
