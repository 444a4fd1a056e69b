import BatonDiagnostics

/// The kind of an operation, with its keyword.
package enum OperationKind: String, Hashable, Sendable, CaseIterable {
    case query
    case mutation
    case subscription
}

/// A query, mutation or subscription; `{ ... }` alone is a query without a name.
package struct OperationDefinition: Hashable, Sendable {
    package var description: StringValue?
    package var kind: OperationKind
    package var name: Name?
    package var variables: [VariableDefinition]
    package var directives: [Directive]
    package var selectionSet: SelectionSet
    @Uncompared package var span: Span
    /// Whether the parser left out a part that it could not parse; later stages do not check such a definition.
    @Uncompared package var isBroken = false
    /// The keyword, or the opening brace if there is no keyword.
    @Uncompared package var keywordSpan = Span.none

    /// The place of diagnostics about the whole operation: its name, or else its keyword.
    package var headSpan: Span { name?.span ?? keywordSpan }

    package init(
        description: StringValue? = nil,
        kind: OperationKind,
        name: Name?,
        variables: [VariableDefinition] = [],
        directives: [Directive] = [],
        selectionSet: SelectionSet,
        span: Span = .none
    ) {
        self.description = description
        self.kind = kind
        self.name = name
        self.variables = variables
        self.directives = directives
        self.selectionSet = selectionSet
        self.span = span
    }
}

/// `fragment Name on Type { ... }`.
package struct FragmentDefinition: Hashable, Sendable {
    package var description: StringValue?
    package var name: Name
    package var typeCondition: Name
    package var directives: [Directive]
    package var selectionSet: SelectionSet
    @Uncompared package var span: Span
    /// Whether the parser left out a part that it could not parse; later stages do not check such a definition.
    @Uncompared package var isBroken = false

    package init(
        description: StringValue? = nil,
        name: Name,
        typeCondition: Name,
        directives: [Directive] = [],
        selectionSet: SelectionSet,
        span: Span = .none
    ) {
        self.description = description
        self.name = name
        self.typeCondition = typeCondition
        self.directives = directives
        self.selectionSet = selectionSet
        self.span = span
    }
}

/// `$name: Type = default @directive`; the name excludes the dollar sign, its span includes it.
package struct VariableDefinition: Hashable, Sendable {
    package var description: StringValue?
    package var name: Name
    package var type: TypeNode
    package var defaultValue: Value?
    package var directives: [Directive]
    @Uncompared package var span: Span

    package init(
        description: StringValue? = nil,
        name: Name,
        type: TypeNode,
        defaultValue: Value? = nil,
        directives: [Directive] = [],
        span: Span = .none
    ) {
        self.description = description
        self.name = name
        self.type = type
        self.defaultValue = defaultValue
        self.directives = directives
        self.span = span
    }
}

/// `{ ... }` with its braces.
package struct SelectionSet: Hashable, Sendable {
    package var selections: [Selection]
    @Uncompared package var span: Span

    package init(_ selections: [Selection], span: Span = .none) {
        self.selections = selections
        self.span = span
    }
}

/// A member of a selection set.
package enum Selection: Hashable, Sendable {
    case field(Field)
    case fragmentSpread(FragmentSpread)
    case inlineFragment(InlineFragment)

    package var span: Span {
        switch self {
        case .field(let selection): selection.span
        case .fragmentSpread(let selection): selection.span
        case .inlineFragment(let selection): selection.span
        }
    }

    package var directives: [Directive] {
        switch self {
        case .field(let selection): selection.directives
        case .fragmentSpread(let selection): selection.directives
        case .inlineFragment(let selection): selection.directives
        }
    }
}

/// `alias: name(arguments) @directives { ... }`.
package struct Field: Hashable, Sendable {
    package var alias: Name?
    package var name: Name
    package var arguments: [Argument]
    package var directives: [Directive]
    package var selectionSet: SelectionSet?
    @Uncompared package var span: Span

    package init(
        alias: Name? = nil,
        name: Name,
        arguments: [Argument] = [],
        directives: [Directive] = [],
        selectionSet: SelectionSet? = nil,
        span: Span = .none
    ) {
        self.alias = alias
        self.name = name
        self.arguments = arguments
        self.directives = directives
        self.selectionSet = selectionSet
        self.span = span
    }

    /// The key of this field in a response: the alias, or else the name.
    package var responseKey: Name { alias ?? name }
}

/// `...Name @directives`.
package struct FragmentSpread: Hashable, Sendable {
    package var name: Name
    package var directives: [Directive]
    @Uncompared package var span: Span

    package init(name: Name, directives: [Directive] = [], span: Span = .none) {
        self.name = name
        self.directives = directives
        self.span = span
    }
}

/// `... on Type @directives { ... }`, where the type may be left out.
package struct InlineFragment: Hashable, Sendable {
    package var typeCondition: Name?
    package var directives: [Directive]
    package var selectionSet: SelectionSet
    @Uncompared package var span: Span

    package init(
        typeCondition: Name?,
        directives: [Directive] = [],
        selectionSet: SelectionSet,
        span: Span = .none
    ) {
        self.typeCondition = typeCondition
        self.directives = directives
        self.selectionSet = selectionSet
        self.span = span
    }
}
