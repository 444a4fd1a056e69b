import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// A selection whose names are resolved.
package enum TypedSelection: Sendable {
    case field(TypedField)
    case inlineFragment(TypedInlineFragment)
    case spread(TypedSpread)

    /// The fragment spreads of a selection set, at any depth, in order. The parser's nesting limit bounds the
    /// recursion.
    package static func spreads(in selections: [TypedSelection]) -> [TypedSpread] {
        selections.flatMap { selection in
            switch selection {
            case .field(let field): spreads(in: field.selections)
            case .inlineFragment(let inline): spreads(in: inline.selections)
            case .spread(let spread): [spread]
            }
        }
    }
}

/// A field of a selection set.
package struct TypedField: Sendable {
    package let responseKey: String
    package let definition: SchemaField
    /// The arguments, sorted by name.
    package let arguments: [Argument]
    /// The directives as written, without `@skip` and `@include` once conditions are resolved.
    package var directives: [Directive]
    /// The condition under which the field is selected; it always holds until conditions are resolved.
    package var condition: Conjunction
    /// The selections below the field; empty for a leaf.
    package var selections: [TypedSelection]
    /// Whether the compiler added the field. A field of the document with the same response key replaces it.
    package let isGenerated: Bool
    package let span: Span

    package init(
        responseKey: String,
        definition: SchemaField,
        arguments: [Argument] = [],
        directives: [Directive] = [],
        condition: Conjunction = .always,
        selections: [TypedSelection] = [],
        isGenerated: Bool = false,
        span: Span = .none
    ) {
        self.responseKey = responseKey
        self.definition = definition
        self.arguments = arguments
        self.directives = directives
        self.condition = condition
        self.selections = selections
        self.isGenerated = isGenerated
        self.span = span
    }
}

/// `... on Type { }`, or `... { }`, which only groups selections.
package struct TypedInlineFragment: Sendable {
    package let type: SchemaType?
    package var directives: [Directive]
    package var condition: Conjunction
    package var selections: [TypedSelection]
    package let span: Span

    package init(
        type: SchemaType?,
        directives: [Directive] = [],
        condition: Conjunction = .always,
        selections: [TypedSelection],
        span: Span = .none
    ) {
        self.type = type
        self.directives = directives
        self.condition = condition
        self.selections = selections
        self.span = span
    }
}

/// `...Name`.
package struct TypedSpread: Sendable {
    package let fragment: String
    package var directives: [Directive]
    package var condition: Conjunction
    package let span: Span

    package init(
        fragment: String,
        directives: [Directive] = [],
        condition: Conjunction = .always,
        span: Span = .none
    ) {
        self.fragment = fragment
        self.directives = directives
        self.condition = condition
        self.span = span
    }
}
