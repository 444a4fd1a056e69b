/// The type of an argument for a variable or input field that may be left out: a plain value, nil, or `.null`.
///
/// ```swift
/// FilmFilter(trilogy: .original)      // a value
/// FilmFilter(title: wanted)           // of type String?: nil means left out
/// FilmFilter(title: .null)            // an explicit null
/// FilmFilter(title: wanted == nil ? .null : wanted)
/// ```
///
/// The type is an optional because only an optional takes values, literals, implicit members and other optionals alike.
/// Its levels tell the states apart: the literal `nil` is nil at the outermost level, and `.null` is nil one level
/// below. An optional argument that is nil is nil at one of the two inner levels. The generated properties have the
/// type ``GraphQLNullable``, whose method ``GraphQLNullable/set(_:)`` takes the same.
public typealias GraphQLInput<Wrapped> = Wrapped????

extension Optional where Wrapped: GeneratedCode.OptionalOfTwo {
    /// An explicit null. In contrast, nil means left out.
    public static var null: Self { .some(nil) }
}

extension GeneratedCode {
    /// Any optional. The three protocols let `.null` be found where a ``GraphQLInput`` is expected and nowhere else.
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
    /// Converts the argument of a generated initializer.
    public init(input: GraphQLInput<Wrapped>) {
        switch input {
        case .none: self = .absent
        case .some(.none): self = .null
        case .some(.some(let value)): self.init(value.flatMap(\.self))
        }
    }

    /// Changes the state as the argument of a generated initializer does: `filter.title.set(wanted)`, where nil means
    /// left out.
    public mutating func set(_ input: GraphQLInput<Wrapped>) { self = GraphQLNullable(input: input) }

    /// The argument of a generated initializer that stands for this state.
    public var input: GraphQLInput<Wrapped> {
        switch self {
        case .absent: nil
        case .null: .null
        case .value(let value): value
        }
    }
}
