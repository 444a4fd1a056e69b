import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// A selection in the text of a request, in the order of printing.
package enum TextSelection: Sendable {
    case field(Field)
    case inlineFragment(InlineFragment)
    case spread(Spread)
    /// Selections under one `@include` or `@skip`.
    case condition(Condition)

    package struct Field: Sendable {
        package let responseKey: String
        package let definition: SchemaField
        package var arguments: [Argument] = []
        /// The directives that are sent.
        package var directives: [Directive] = []
        /// The selections below the field; empty for a leaf.
        package var selections: [TextSelection] = []
        /// The place in the documents; none if the compiler added the field.
        package var span = Span.none
    }

    package struct InlineFragment: Sendable {
        package let type: SchemaType?
        package var directives: [Directive]
        package var selections: [TextSelection]
        package var span = Span.none
    }

    package struct Spread: Sendable {
        package let fragment: String
        package var directives: [Directive]
        package var span = Span.none
    }

    package struct Condition: Sendable {
        package let variable: String
        /// Whether this is `@skip`.
        package let isSkip: Bool
        package var selections: [TextSelection]
    }
}

extension TextSelection {
    /// `key: __typename`.
    static func typename(_ key: String = "__typename", on type: SchemaType, _ schema: Schema) -> [TextSelection] {
        guard let definition = schema.field(named: "__typename", on: type) else { return [] }
        return [.field(Field(responseKey: key, definition: definition))]
    }

    /// The place in the documents; none for a condition, and for selections that the compiler added.
    package var span: Span {
        switch self {
        case .field(let field): field.span
        case .inlineFragment(let inline): inline.span
        case .spread(let spread): spread.span
        case .condition: .none
        }
    }

    /// The selections below this one; nil for a leaf and for a spread.
    var children: [TextSelection]? {
        get {
            switch self {
            case .field(let field): field.selections
            case .inlineFragment(let inline): inline.selections
            case .condition(let condition): condition.selections
            case .spread: nil
            }
        }
        set {
            switch self {
            case .field(var field):
                field.selections = newValue ?? []
                self = .field(field)
            case .inlineFragment(var inline):
                inline.selections = newValue ?? []
                self = .inlineFragment(inline)
            case .condition(var condition):
                condition.selections = newValue ?? []
                self = .condition(condition)
            case .spread: break
            }
        }
    }
}

extension [TextSelection] {
    /// The fragments that are spread at any depth, in document order.
    package var spreads: [String] {
        flatMap { selection in
            if case .spread(let spread) = selection { return [spread.fragment] }
            return selection.children?.spreads ?? []
        }
    }

    /// Calls a function with every variable that is used.
    func forEachVariable(_ body: (String) -> Void) {
        func visit(_ directives: [Directive]) {
            for directive in directives {
                for argument in directive.arguments { argument.value.forEachVariable { body($0.name) } }
            }
        }
        for selection in self {
            switch selection {
            case .field(let field):
                for argument in field.arguments { argument.value.forEachVariable { body($0.name) } }
                visit(field.directives)
            case .inlineFragment(let inline): visit(inline.directives)
            case .spread(let spread): visit(spread.directives)
            case .condition(let condition): body(condition.variable)
            }
            selection.children?.forEachVariable(body)
        }
    }
}
