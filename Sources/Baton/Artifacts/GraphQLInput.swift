/// What generated initializers take for a variable or input field that may be left out: a value or nil, without a
/// wrapper, or `.null`.
///
/// ```swift
/// FilmFilter(trilogy: .original)      // a value
/// FilmFilter(title: wanted)           // of type String?: nil means left out
/// FilmFilter(title: .null)            // an explicit null
/// FilmFilter(title: wanted == nil ? .null : wanted)
/// ```
///
/// Only an optional takes values, literals, implicit members and other optionals alike, so this is one with room for a
/// null of its own: the literal `nil` is nil on the outside, `.null` one level below, and an optional that is nil on
/// one of the two levels within. The properties are ``GraphQLNullable``.
public typealias GraphQLInput<Wrapped> = Wrapped????

extension Optional where Wrapped: GeneratedCode.OptionalOfTwo {
    /// An explicit null, unlike nil, which means left out.
    public static var null: Self { .some(nil) }
}

extension GeneratedCode {
    /// An optional of anything, which lets `null` be found where a ``GraphQLInput`` is expected and nowhere else.
    public protocol OptionalOfAny: ExpressibleByNilLiteral {}
    /// An optional of an optional.
    public protocol OptionalOfOne: ExpressibleByNilLiteral {}
    /// An optional of an optional of an optional.
    public protocol OptionalOfTwo: ExpressibleByNilLiteral {}
}

extension Optional: GeneratedCode.OptionalOfAny {}
extension Optional: GeneratedCode.OptionalOfOne where Wrapped: GeneratedCode.OptionalOfAny {}
extension Optional: GeneratedCode.OptionalOfTwo where Wrapped: GeneratedCode.OptionalOfOne {}

extension GraphQLNullable {
    /// The state that the argument of an initializer stands for.
    public init(input: GraphQLInput<Wrapped>) {
        switch input {
        case .none: self = .absent
        case .some(.none): self = .null
        case .some(.some(let value)): self.init(value.flatMap(\.self))
        }
    }

    /// The argument for an initializer that stands for this state.
    public var input: GraphQLInput<Wrapped> {
        switch self {
        case .absent: nil
        case .null: .null
        case .value(let value): value
        }
    }
}
