extension GeneratedCode {
    /// What a generated `Data` struct, and every struct nested in it, conforms to.
    public protocol Selections: Sendable, Equatable {
        /// Reads every property from the reader's record, by position in the reader plan; nil if a non-null property has no value.
        init?(_ reader: inout RecordReader)
    }

    /// Stands on one record, or on one item of a list, and hands out values.
    ///
    /// The methods with a position read a field of the record's selection set; those without read the item on which the closure of a list stands.
    public struct RecordReader {
        @usableFromInline
        struct Frame {}
        init() {}
    }
}

extension GeneratedCode.RecordReader {
    /// The name of the record's object type.
    public mutating func typename() -> String { "" }
    /// A `String`, an `ID` or a scalar without a mapping; nil if it is null or missing.
    public mutating func string(_ position: Int) -> String? { nil }
    /// An `Int`; nil if it is null or missing.
    public mutating func int(_ position: Int) -> Int? { nil }
    /// A `Float`; nil if it is null or missing.
    public mutating func double(_ position: Int) -> Double? { nil }
    /// A `Boolean`; nil if it is null or missing.
    public mutating func bool(_ position: Int) -> Bool? { nil }
    /// An enum value; nil if it is null or missing.
    public mutating func enumeration<Value: GraphQLEnum>(_ position: Int, _: Value.Type) -> Value? { nil }
    /// A mapped scalar; nil if it is null or missing.
    public mutating func scalar<Conversion: ScalarConversion>(_ position: Int, _: Conversion.Type) -> Conversion.Value? {
        nil
    }
    /// An object; nil if it is null or missing, or if a non-null property of it has no value.
    public mutating func object<Value: GeneratedCode.Selections>(_ position: Int, _: Value.Type) -> Value? { nil }
    /// A list of nullable items; nil if the list is null or missing.
    public mutating func list<Item>(_ position: Int, _ item: (inout Self) -> Item?) -> [Item?]? { nil }
    /// A list of items that are not null; nil if the list or one of its items has no value.
    public mutating func requiredList<Item>(_ position: Int, _ item: (inout Self) -> Item?) -> [Item]? { nil }
    /// The fields under a type condition; nil if the record is of another type.
    public mutating func inlineFragment<Value: GeneratedCode.Selections>(_ position: Int, _: Value.Type) -> Value? { nil }
    /// A reference for a spread that may not match; nil if the record is of another type or a condition excludes the spread.
    public mutating func fragment<F: GraphQLFragment>(_ position: Int, _: F.Type) -> FragmentReference<F>? { nil }
    /// A reference for a spread that always matches.
    public mutating func fragment<F: GraphQLFragment>(_ position: Int, _: F.Type) -> FragmentReference<F> { fatalError() }
}

extension GeneratedCode.RecordReader {
    public mutating func string() -> String? { nil }
    public mutating func int() -> Int? { nil }
    public mutating func double() -> Double? { nil }
    public mutating func bool() -> Bool? { nil }
    public mutating func enumeration<Value: GraphQLEnum>(_: Value.Type) -> Value? { nil }
    public mutating func scalar<Conversion: ScalarConversion>(_: Conversion.Type) -> Conversion.Value? { nil }
    public mutating func object<Value: GeneratedCode.Selections>(_: Value.Type) -> Value? { nil }
    public mutating func list<Item>(_ item: (inout Self) -> Item?) -> [Item?]? { nil }
    public mutating func requiredList<Item>(_ item: (inout Self) -> Item?) -> [Item]? { nil }
}
