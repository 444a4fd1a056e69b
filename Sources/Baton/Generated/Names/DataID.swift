/// The identity of a record in a store, as text.
///
/// The identity of an object depends on its type. An object whose type implements `Node` is identified by its `id`, any
/// other object with an `id` by `Type:id`. The remaining objects are identified by their path from the nearest record
/// with an id: `client:<parent>:<storage key>[:index]`. Updates find an object by its type and `id` with
/// ``RecordSourceProxy/get(_:id:)``, so no caller has to know which of these rules applies. The text of a path
/// finds no record if it has more than 4,096 colons, or if its colons times its bytes are more than 67 million.
public struct DataID: RawRepresentable, Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
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

    /// The record under which the root fields of all queries are kept.
    public static let root = DataID("client:root")
}
