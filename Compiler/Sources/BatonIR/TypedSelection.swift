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
        var found: [TypedSpread] = []
        addSpreads(in: selections, to: &found)
        return found
    }

    private static func addSpreads(in selections: [TypedSelection], to found: inout [TypedSpread]) {
        for selection in selections {
            switch selection {
            case .field(let field): if !field.selections.isEmpty { addSpreads(in: field.selections, to: &found) }
            case .inlineFragment(let inline): addSpreads(in: inline.selections, to: &found)
            case .spread(let spread): found.append(spread)
            }
        }
    }

    /// The number of selections at any depth, and the number of nested sets.
    package struct Extent: Sendable {
        package var count = 0
        package var depth = 0

        package init() {}
    }

    /// The parser's nesting limit bounds the recursion.
    package static func extent(of selections: [TypedSelection]) -> Extent {
        var extent = Extent()
        for selection in selections {
            extent.count += 1
            let children: [TypedSelection]
            switch selection {
            case .field(let field): children = field.selections
            case .inlineFragment(let inline): children = inline.selections
            case .spread: children = []
            }
            if children.isEmpty { continue }
            let inner = Self.extent(of: children)
            extent.count += inner.count
            extent.depth = max(extent.depth, inner.depth + 1)
        }
        return extent
    }
}

/// A field of a selection set.
package struct TypedField: Sendable {
    package let responseKey: String
    package let definition: SchemaField
    /// The arguments in document order.
    package var arguments: [Argument]
    /// The directives as written. Resolving the conditions removes `@skip` and `@include`.
    package var directives: [Directive]
    /// The condition under which the field is selected. It is always true until conditions are resolved.
    package var condition: Conjunction
    /// The selections below the field; empty for a leaf.
    package var selections: [TypedSelection]
    /// Whether no server is asked for the field; set by `MarkClientSelections`.
    package var isClient = false
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
    /// Whether the server is asked for no selection of the fragment; set by `MarkClientSelections`.
    package var isClient = false
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
    package var fragment: String
    package var directives: [Directive]
    package var condition: Conjunction
    /// Whether the server is asked for no selection of the fragment; set by `MarkClientSelections`.
    package var isClient = false
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

extension TypedSpread {
    /// The names of the directives that pass arguments to a fragment. The arguments of the second one are not checked.
    package static let argumentDirectives: Set<String> = ["arguments", "uncheckedArguments_DEPRECATED"]

    /// The name of the reference by `@alias(as:)`; nil if the reference has the name of the fragment.
    package var alias: String? {
        guard case .string(let name)? = directives.named("alias")?.argument("as") else { return nil }
        return name.text
    }

    /// The name of a spread with `@alias`: the given name, or that of the fragment. Nil without the directive.
    package var givenAlias: String? {
        directives.named("alias") == nil ? nil : alias ?? fragment
    }

    /// The arguments that the spread passes, in document order.
    package var arguments: [Argument] {
        directives.first { Self.argumentDirectives.contains($0.name.text) }?.arguments ?? []
    }
}

extension TypedInlineFragment {
    /// The name of an inline fragment with `@alias`: the given name, or that of the type. Nil without the directive.
    package var alias: String? {
        guard let directive = directives.named("alias") else { return nil }
        if case .string(let name)? = directive.argument("as") { return name.text }
        return type?.name
    }
}

extension [Directive] {
    /// The directive with a name; nil if there is none.
    package func named(_ name: String) -> Directive? {
        first { $0.name.text == name }
    }

    /// Whether `@skip` or `@include` is among the directives.
    package var haveConditions: Bool {
        contains { $0.name.text == "include" || $0.name.text == "skip" }
    }
}
