/// The name of a field together with its arguments, under which a record keeps the value.
///
/// Example: `friends(first:10,order:"NAME")`. Arguments are sorted by name and spelled as JSON without spaces; the
/// members of an object are sorted too. An argument that is left out does not appear. An explicit null does
/// (`film(id:null)`), because null and left out can mean different things.
public struct StorageKey: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
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

    /// The name before the arguments.
    var fieldName: Substring { rawValue[..<(rawValue.firstIndex(of: "(") ?? rawValue.endIndex)] }
}
