import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// All operations and fragments of one compilation, with every name resolved against the schema.
package struct Program: Sendable {
    package let schema: Schema
    package var operations: [Operation]
    /// The fragments in document order.
    package var fragments: [Fragment]
    private let fragmentIndex: [String: Int]

    package init(schema: Schema, operations: [Operation], fragments: [Fragment]) {
        self.schema = schema
        self.operations = operations
        self.fragments = fragments
        fragmentIndex = Dictionary(
            fragments.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    package func fragment(named name: String) -> Fragment? {
        fragmentIndex[name].map { fragments[$0] }
    }

    /// The names of all operations, including the queries that `@refetchable` makes from fragments.
    package var operationNames: [String] {
        operations.map(\.name) + fragments.compactMap(\.refetchQueryName)
    }

    /// The program with only the named operations, and the fragments that they reach. A name may also be that of a
    /// query that `@refetchable` makes from a fragment.
    package func limited(to names: Set<String>) -> Program {
        let operations = operations.filter { names.contains($0.name) }
        let refetched = fragments.filter { $0.refetchQueryName.map(names.contains) == true }
        var reached: Set<String> = []
        var pending = operations.flatMap { TypedSelection.spreads(in: $0.selections) }.map(\.fragment)
        pending += refetched.map(\.name)
        while let name = pending.popLast() {
            guard reached.insert(name).inserted, let fragment = fragment(named: name) else { continue }
            pending += TypedSelection.spreads(in: fragment.selections).map(\.fragment)
        }
        return Program(
            schema: schema, operations: operations, fragments: fragments.filter { reached.contains($0.name) })
    }
}

/// A query, mutation or subscription.
package struct Operation: Sendable {
    package let name: String
    package let kind: OperationKind
    package let type: SchemaType
    package var variables: [OperationVariable]
    /// The variables with values from providers; set by `ProvideVariables`.
    package var provided: [ProvidedVariable] = []
    package var directives: [Directive]
    package var selections: [TypedSelection]
    package let description: String?
    /// The path of the file with the operation, relative to the configuration.
    package let path: String
    /// The place of the name in the document.
    package let span: Span

    package init(
        name: String,
        kind: OperationKind,
        type: SchemaType,
        variables: [OperationVariable],
        directives: [Directive],
        selections: [TypedSelection],
        description: String?,
        path: String,
        span: Span
    ) {
        self.name = name
        self.kind = kind
        self.type = type
        self.variables = variables
        self.directives = directives
        self.selections = selections
        self.description = description
        self.path = path
        self.span = span
    }
}

package struct OperationVariable: Sendable {
    package let name: String
    package let type: TypeReference
    package let defaultValue: Value?
    package let directives: [Directive]
    package let description: String?
    package let span: Span

    package init(
        name: String,
        type: TypeReference,
        defaultValue: Value?,
        directives: [Directive],
        description: String?,
        span: Span
    ) {
        self.name = name
        self.type = type
        self.defaultValue = defaultValue
        self.directives = directives
        self.description = description
        self.span = span
    }

    /// Whether a request must give a value: the type is non-null and there is no default.
    package var isRequired: Bool { type.isNonNull && defaultValue == nil }
}

/// A variable of an operation that a fragment declares as an argument with a provider.
package struct ProvidedVariable: Sendable {
    /// The name in the text of the request.
    package let name: String
    package let type: TypeReference
    /// The name of the provider in the document.
    package let provider: String
    /// The place of the argument's name.
    package let span: Span

    package init(name: String, type: TypeReference, provider: String, span: Span) {
        self.name = name
        self.type = type
        self.provider = provider
        self.span = span
    }
}

/// An argument that a fragment declares with `@argumentDefinitions`.
package struct FragmentArgument: Sendable {
    package let name: String
    package let type: TypeReference
    package let defaultValue: Value?
    /// The name of the provider, which gives the value at run time, so that no spread passes one.
    package let provider: String?
    package let span: Span

    package init(name: String, type: TypeReference, defaultValue: Value?, provider: String?, span: Span) {
        self.name = name
        self.type = type
        self.defaultValue = defaultValue
        self.provider = provider
        self.span = span
    }
}

/// A named selection set on a type.
package struct Fragment: Sendable {
    package var name: String
    package let type: SchemaType
    /// The name in the documents and the place of the first spread, for a copy that was made for the arguments of
    /// spreads.
    package var writtenName: String?
    package var copiedAt = Span.none
    /// The arguments in document order.
    package var arguments: [FragmentArgument]
    /// The operation's variables with values from providers that this fragment itself declares; set by
    /// `ProvideVariables`.
    package var provided: [ProvidedVariable] = []
    package let directives: [Directive]
    package var selections: [TypedSelection]
    package let description: String?
    /// The path of the file with the fragment, relative to the configuration.
    package let path: String
    /// The place of the name in the document.
    package let span: Span

    package init(
        name: String,
        type: SchemaType,
        arguments: [FragmentArgument] = [],
        directives: [Directive],
        selections: [TypedSelection],
        description: String?,
        path: String,
        span: Span
    ) {
        self.name = name
        self.type = type
        self.arguments = arguments
        self.directives = directives
        self.selections = selections
        self.description = description
        self.path = path
        self.span = span
    }
}

extension Fragment {
    /// The name of the query that `@refetchable` makes from this fragment; nil without the directive.
    ///
    /// Without a given name, which Relay demands, it is made of the fragment's: no other fragment can have the same.
    package var refetchQueryName: String? { Self.refetchQueryName(of: name, directives) }

    /// The same for a fragment with a name and directives.
    package static func refetchQueryName(of name: String, _ directives: [Directive]) -> String? {
        guard let directive = directives.named("refetchable") else { return nil }
        switch directive.argument("queryName") {
        case .string(let name): return name.text
        case nil, .null: return name + "RefetchQuery"
        default: return nil
        }
    }

    /// Whether `@relay(plural: true)` says that the fragment is for lists.
    package var isPlural: Bool {
        if case .boolean(let plural)? = directives.named("relay")?.argument("plural") { plural.isTrue } else { false }
    }
}
