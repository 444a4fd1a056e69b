/// A generated enum, which is `RawRepresentable` and `Hashable`. A value that was added to the schema later is kept as
/// its raw text.
public protocol GraphQLEnum: GeneratedCode.Input {
    /// The cases that the schema had.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    static var __values: GeneratedCode.EnumValues<Self> { get }

    /// The case of a text that the schema did not have.
    static func unknown(_ text: String) -> Self

    /// The text of the value in the schema.
    var rawValue: String { get }
}

extension GraphQLEnum {
    /// Never fails: an unknown text becomes the `unknown` case.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public init(rawValue: String) { self = Self.__values.value(rawValue) }

    /// Compares the raw texts.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
}

// An enum that is also `RawRepresentable` has these methods from the standard library too. Without the conditions
// neither would be preferred, and Swift would write a `switch` over all cases for each enum.
extension GraphQLEnum where Self: RawRepresentable<String> & Hashable {
    /// Hashes the raw text.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// A hash value for this process.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public var hashValue: Int { rawValue.hashValue }
}

extension GraphQLEnum {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The raw text.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    public var __input: GeneratedCode.InputValue { .init(.string(rawValue)) }
}
