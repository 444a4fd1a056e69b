/// What identifies a record in a store, as text.
///
/// An object whose type implements `Node` is identified by its `id`, another object with an `id` by `Type:id`, and the
/// rest by their path from the nearest record with an id: `client:<parent>:<storage key>[:index]`. Updates find an
/// object by its type and `id`, see
/// ``RecordSourceProxy/get(_:id:)``, so nobody has to know which it is.
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

/// The name of a field together with its arguments, under which a record keeps the value.
///
/// `friends(first:10,order:"NAME")`: arguments are sorted by name and spelled as JSON without spaces, the members of
/// objects sorted, an argument that is left out does not appear. An explicit null does (`film(id:null)`), because it
/// can mean something else.
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
}

/// Chooses the identity of an object: its type and those of its scalar fields that the answer brought, by field name.
///
/// Nil leaves the decision to the rule described at `DataID`. It runs off any lock, at most once for every object in an
/// answer: not for one whose type and `id` are those of an object for which it asked for nothing but the `id` and put
/// something before it. It must give the same answer for the same object however it was reached. The fields can be
/// asked for as long as it runs.
public typealias DataIDFunction = @Sendable (_ type: TypeName, _ fields: ObjectFields) -> DataID?
