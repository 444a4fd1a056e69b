// The identity of a record has several owners, this one for the rule itself; ReadingTheDesign.md names the others.

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

extension DataID {
    /// Chooses the identity of an object from its type and its scalar fields.
    ///
    /// The function gets the fields that the response brought, by field name, and can read them only while it runs. A
    /// result of nil leaves the decision to the rule described at ``DataID``.
    ///
    /// The function runs while no lock is held, and at most once for each object in a response. It must return the same
    /// identity for the same object, however the object was reached. If the function read only the `id` of an object
    /// and returned a prefix followed by that `id`, the store reuses the prefix. The function then need not run again
    /// for the same type and `id`.
    public typealias Function = @Sendable (_ type: TypeName, _ fields: DataID.Fields) -> DataID?
}
