import BatonDiagnostics

/// A parsed text: executable definitions, type-system definitions, or both, in their order.
package struct Document: Hashable, Sendable {
    package var definitions: [Definition]
    @Uncompared package var span: Span
    /// Whether the parser left out a definition. An undefined name may then be defined in the missing part.
    @Uncompared package var isIncomplete = false

    package init(definitions: [Definition], span: Span = .none) {
        self.definitions = definitions
        self.span = span
    }

    package var operations: [OperationDefinition] {
        definitions.compactMap { if case .operation(let operation) = $0 { operation } else { nil } }
    }

    package var fragments: [FragmentDefinition] {
        definitions.compactMap { if case .fragment(let fragment) = $0 { fragment } else { nil } }
    }
}

/// A definition at the top level of a document.
package enum Definition: Hashable, Sendable {
    case operation(OperationDefinition)
    case fragment(FragmentDefinition)
    /// `schema { }` or `extend schema`.
    case schema(SchemaDefinition)
    /// The definition or extension of a type.
    case type(TypeDefinition)
    case directive(DirectiveDefinition)

    package var span: Span {
        switch self {
        case .operation(let definition): definition.span
        case .fragment(let definition): definition.span
        case .schema(let definition): definition.span
        case .type(let definition): definition.span
        case .directive(let definition): definition.span
        }
    }
}

package struct Name: Hashable, Sendable {
    package var text: String
    @Uncompared package var span: Span

    package init(_ text: String, span: Span = .none) {
        self.text = text
        self.span = span
    }
}
