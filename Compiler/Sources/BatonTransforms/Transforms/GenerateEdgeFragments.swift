import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// Makes the edges of a connection that is fetched ahead a fragment, so that the edges that are in store and not yet on
/// show concern nobody.
///
/// Before:
///
///     fragment List_user on User @argumentDefinitions(count: {type: "Int"}) {
///       films(first: $count) @connection(key: "List_films", prefetchable_pagination: true) { edges { node { title } }
/// }
///     }
///
/// After:
///
///     fragment List_user on User @argumentDefinitions(count: {type: "Int"}) {
///       films(first: $count) @connection(...) { edges { ...List_user__edges @arguments(count: $count) } }
///     }
///     fragment List_user__edges on FilmEdge @relay(plural: true) @argumentDefinitions(count: {type: "Int"}) {
///       node { title }
///     }
///
/// The first transform, because the new fragment is one like all others.
///
/// Reference: https://relay.dev/docs/api-reference/use-prefetchable-forward-pagination-fragment
struct GenerateEdgeFragments {
    private let schema: Schema
    private var names: Set<String>
    private var generated: [Fragment] = []
    private var diagnostics: [Diagnostic] = []

    /// The definition whose selections are visited.
    private struct Owner {
        let name: String
        var arguments: [FragmentArgument] = []
        let directives: [Directive]
        let path: String
    }

    /// The program with the new fragments, and their names.
    static func apply(
        to program: Program
    ) -> (program: Program, names: Set<String>, diagnostics: [Diagnostic]) {
        var transform = GenerateEdgeFragments(
            schema: program.schema, names: Set(program.fragments.map(\.name)))
        let operations = program.operations.map { operation in
            var operation = operation
            let owner = Owner(name: operation.name, directives: operation.directives, path: operation.path)
            transform.visit(&operation.selections, owner)
            return operation
        }
        let fragments = program.fragments.map { fragment in
            var fragment = fragment
            let owner = Owner(
                name: fragment.name, arguments: fragment.arguments, directives: fragment.directives,
                path: fragment.path)
            transform.visit(&fragment.selections, owner)
            return fragment
        }
        if transform.generated.isEmpty { return (program, [], transform.diagnostics) }
        return (
            Program(
                schema: program.schema, operations: operations, fragments: fragments + transform.generated),
            Set(transform.generated.map(\.name)), transform.diagnostics
        )
    }

    private init(schema: Schema, names: Set<String>) {
        self.schema = schema
        self.names = names
    }

    /// The parser's nesting limit bounds the recursion.
    private mutating func visit(_ selections: inout [TypedSelection], _ owner: Owner) {
        for (index, selection) in selections.enumerated() {
            switch selection {
            case .field(var field):
                visit(&field.selections, owner)
                if let directive = field.connection, directive.isPrefetchable { split(&field, directive, owner) }
                selections[index] = .field(field)
            case .inlineFragment(var inline):
                visit(&inline.selections, owner)
                selections[index] = .inlineFragment(inline)
            case .spread: break
            }
        }
    }

    private mutating func split(_ connection: inout TypedField, _ directive: Directive, _ owner: Owner) {
        let type = schema.namedType(of: connection.definition.type)
        let name = schema.names.edges
        let index = connection.selections.firstIndex { selection in
            guard case .field(let field) = selection else { return false }
            return field.definition.name == name && !field.directives.haveConditions
        }
        guard let index, case .field(var edges) = connection.selections[index] else {
            return report(
                "a connection that is fetched ahead selects '\(name)' without a condition", at: connection.span, nil)
        }
        let fragment = owner.name + "__edges"
        guard names.insert(fragment).inserted else {
            return report(
                "the edges of this connection are the fragment '\(fragment)', and there is another one",
                at: directive.name.span, "a definition has one connection that is fetched ahead")
        }
        let own = owner.arguments.filter { $0.provider == nil }
        generated.append(
            Fragment(
                name: fragment, type: schema.namedType(of: edges.definition.type), arguments: owner.arguments,
                directives: [Self.plural] + owner.directives.filter { $0.name.text == "throwOnFieldError" },
                selections: edges.selections,
                description: "The edges of '\(connection.responseKey)' on '\(type.name)'.", path: owner.path,
                span: edges.span))
        let passed = own.map { Argument(name: Name($0.name), value: .variable(Variable($0.name))) }
        edges.selections = [
            .spread(
                TypedSpread(
                    fragment: fragment,
                    directives: passed.isEmpty ? [] : [Directive(name: Name("arguments"), arguments: passed)],
                    span: edges.span))
        ]
        connection.selections[index] = .field(edges)
    }

    private static let plural = Directive(
        name: Name("relay"), arguments: [Argument(name: Name("plural"), value: .boolean(BooleanValue(true)))])

    private mutating func report(_ message: String, at span: Span, _ suggestion: String?) {
        diagnostics.append(Diagnostic(.invalidConnection, message, at: span, suggestion: suggestion))
    }
}

extension Directive {
    /// Whether `prefetchable_pagination: true` is among the arguments.
    fileprivate var isPrefetchable: Bool {
        if case .boolean(let value)? = argument("prefetchable_pagination") { value.isTrue } else { false }
    }
}
