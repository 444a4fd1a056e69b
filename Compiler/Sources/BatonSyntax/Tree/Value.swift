import BatonDiagnostics

/// An input value in the notation of the document.
package enum Value: Hashable, Sendable {
    case variable(Variable)
    case int(IntValue)
    case float(FloatValue)
    case string(StringValue)
    case boolean(BooleanValue)
    case null(NullValue)
    /// A name that is not `true`, `false` or `null`.
    case `enum`(Name)
    case list(ListValue)
    case object(ObjectValue)

    package var span: Span {
        switch self {
        case .variable(let value): value.span
        case .int(let value): value.span
        case .float(let value): value.span
        case .string(let value): value.span
        case .boolean(let value): value.span
        case .null(let value): value.span
        case .enum(let value): value.span
        case .list(let value): value.span
        case .object(let value): value.span
        }
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// `$name`; the name excludes the dollar sign, the span includes it.
package struct Variable: Hashable, Sendable {
    package var name: String
    @Uncompared package var span: Span

    package init(_ name: String, span: Span = .none) {
        self.name = name
        self.span = span
    }
}

/// An integer as its digits; its size is not limited here.
package struct IntValue: Hashable, Sendable {
    package var text: String
    @Uncompared package var span: Span

    package init(_ text: String, span: Span = .none) {
        self.text = text
        self.span = span
    }
}

/// A number with a fraction or an exponent, in the notation of the document.
package struct FloatValue: Hashable, Sendable {
    package var text: String
    @Uncompared package var span: Span

    package init(_ text: String, span: Span = .none) {
        self.text = text
        self.span = span
    }
}

/// A string with its escapes resolved, or a block string with its indentation removed.
package struct StringValue: Hashable, Sendable {
    package var text: String
    @Uncompared package var isBlock: Bool
    @Uncompared package var span: Span
    /// The text between the quotes; nil if it equals `text`, and for a block string.
    @Uncompared package var escapedText: String?

    package init(_ text: String, isBlock: Bool = false, span: Span = .none, escapedText: String? = nil) {
        self.text = text
        self.isBlock = isBlock
        self.span = span
        self.escapedText = escapedText
    }
}

/// `true` or `false`.
package struct BooleanValue: Hashable, Sendable {
    package var isTrue: Bool
    @Uncompared package var span: Span

    package init(_ isTrue: Bool, span: Span = .none) {
        self.isTrue = isTrue
        self.span = span
    }
}

/// `null`; all of them are equal.
package struct NullValue: Hashable, Sendable {
    @Uncompared package var span: Span

    package init(span: Span = .none) {
        self.span = span
    }
}

/// `[ ... ]` with its brackets.
package struct ListValue: Hashable, Sendable {
    package var values: [Value]
    @Uncompared package var span: Span

    package init(_ values: [Value], span: Span = .none) {
        self.values = values
        self.span = span
    }
}

/// `{ ... }` with its braces; the fields are in document order, and a name may occur twice.
package struct ObjectValue: Hashable, Sendable {
    package var fields: [ObjectField]
    @Uncompared package var span: Span

    package init(_ fields: [ObjectField], span: Span = .none) {
        self.fields = fields
        self.span = span
    }
}

/// `name: value` in an object.
package struct ObjectField: Hashable, Sendable {
    package var name: Name
    package var value: Value
    @Uncompared package var span: Span

    package init(name: Name, value: Value, span: Span = .none) {
        self.name = name
        self.value = value
        self.span = span
    }
}

/// `name: value` of a field or directive.
package struct Argument: Hashable, Sendable {
    package var name: Name
    package var value: Value
    @Uncompared package var span: Span

    package init(name: Name, value: Value, span: Span = .none) {
        self.name = name
        self.value = value
        self.span = span
    }
}

/// `@name(arguments)`; the name excludes the `@`, its span includes it.
package struct Directive: Hashable, Sendable {
    package var name: Name
    package var arguments: [Argument]
    @Uncompared package var span: Span

    package init(name: Name, arguments: [Argument] = [], span: Span = .none) {
        self.name = name
        self.arguments = arguments
        self.span = span
    }

    /// The value of an argument; nil if it is not given.
    package func argument(_ name: String) -> Value? {
        arguments.first { $0.name.text == name }?.value
    }
}

/// A type as it is written: `Name`, `[Type]` or `Type!`. A non-null type never contains another one directly.
package indirect enum TypeNode: Hashable, Sendable {
    case named(Name)
    case list(TypeNode, span: Uncompared<Span>)
    case nonNull(TypeNode, span: Uncompared<Span>)

    package var span: Span {
        switch self {
        case .named(let name): name.span
        case .list(_, let span), .nonNull(_, let span): span.wrappedValue
        }
    }

    /// The name inside all lists and exclamation marks.
    package var innermost: Name {
        var type = self
        while true {
            switch type {
            case .named(let name): return name
            case .list(let item, _), .nonNull(let item, _): type = item
            }
        }
    }
}
