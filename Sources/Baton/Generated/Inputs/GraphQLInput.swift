/// The type of a variable or input field that may be left out: a plain value, nil, or `.null`.
///
/// ```swift
/// FilmFilter(trilogy: .original)      // a value
/// FilmFilter(title: wanted)           // of type String?: nil means left out
/// FilmFilter(title: .null)            // an explicit null
///
/// filter.title = wanted               // the properties take the same
/// filter.title = wanted == nil ? .null : wanted
/// filter.title.value                  // the value, of type String?
/// ```
///
/// The type is an optional because only an optional takes values, literals, implicit members and other optionals alike.
/// Its levels tell the states apart: the literal `nil` is nil at the outermost level, and `.null` is nil one level
/// below. An optional value that is nil is nil at one of the two inner levels, and means left out, too. A property
/// returns `nil`, `.null` or a value. `nullable` converts the input to a ``GraphQLNullable``, for a `switch`.
public typealias GraphQLInput<Wrapped> = Wrapped????

extension Optional where Wrapped: GeneratedCode.OptionalOfTwo {
    /// An explicit null. In contrast, nil means left out.
    public static var null: Self { .some(nil) }

    /// Left out, as nil.
    public static var absent: Self { .none }

    /// A value, as the value itself.
    public static func value(_ value: Wrapped.__Innermost) -> Self { .some(Wrapped.__wrapping(value)) }

    /// The value; nil if the input is left out or null.
    public var value: Wrapped.__Innermost? { flatMap { $0.__unwrapped } }

    /// The three states for a `switch`.
    public var nullable: GraphQLNullable<Wrapped.__Innermost> {
        switch self {
        case .none: .absent
        case .some(let rest): rest.__isNil ? .null : rest.__unwrapped.map { .value($0) } ?? .absent
        }
    }
}

extension GeneratedCode {
    /// Any optional. The three protocols let `.null` be found where a ``GraphQLInput`` is expected and nowhere else.
    public protocol OptionalOfAny: ExpressibleByNilLiteral {
        /// The type of the value.
        associatedtype __Item
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// The value.
        var __item: __Item? { get }
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// Wraps a value.
        static func __wrap(_ item: __Item) -> Self
    }
    /// An optional of an optional.
    public protocol OptionalOfOne: ExpressibleByNilLiteral {
        /// The type of the value inside both.
        associatedtype __InnerItem
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// The value inside both.
        var __innerItem: __InnerItem? { get }
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// Wraps a value twice.
        static func __wrapTwice(_ item: __InnerItem) -> Self
    }
    /// An optional of an optional of an optional.
    public protocol OptionalOfTwo: ExpressibleByNilLiteral {
        /// The type of the value inside all three.
        associatedtype __Innermost
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// The value inside all three.
        var __unwrapped: __Innermost? { get }
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// Whether the outermost is nil.
        var __isNil: Bool { get }
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// Wraps a value three times.
        static func __wrapping(_ value: __Innermost) -> Self
    }
}

extension Optional: GeneratedCode.OptionalOfAny {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The optional itself.
    public var __item: Wrapped? { self }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Wraps a value.
    public static func __wrap(_ item: Wrapped) -> Self { item }
}

extension Optional: GeneratedCode.OptionalOfOne where Wrapped: GeneratedCode.OptionalOfAny {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The value inside both.
    public var __innerItem: Wrapped.__Item? { flatMap { $0.__item } }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Wraps a value twice.
    public static func __wrapTwice(_ item: Wrapped.__Item) -> Self { .some(Wrapped.__wrap(item)) }
}

extension Optional: GeneratedCode.OptionalOfTwo where Wrapped: GeneratedCode.OptionalOfOne {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The value inside all three.
    public var __unwrapped: Wrapped.__InnerItem? { flatMap { $0.__innerItem } }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Returns true if the outermost optional is nil.
    public var __isNil: Bool { self == nil }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Wraps a value three times.
    public static func __wrapping(_ value: Wrapped.__InnerItem) -> Self { .some(Wrapped.__wrapTwice(value)) }
}

extension GraphQLNullable {
    /// Converts the argument of a generated initializer, or the value of a generated property.
    public init(input: GraphQLInput<Wrapped>) {
        switch input {
        case .none: self = .absent
        case .some(.none): self = .null
        case .some(.some(let value)): self.init(value.flatMap(\.self))
        }
    }

    /// The argument of a generated initializer that stands for this state.
    public var input: GraphQLInput<Wrapped> {
        switch self {
        case .absent: nil
        case .null: .null
        case .value(let value): value
        }
    }
}
