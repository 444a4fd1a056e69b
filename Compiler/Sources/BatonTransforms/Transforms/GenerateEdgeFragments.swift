import BatonIR
import BatonSchema
import BatonSyntax

/// Turns the edges of a connection with prefetchable pagination into a fragment. Edges that are in the store and not
/// shown yet then notify no reader.
///
/// Before:
///
///     fragment List_user on User @argumentDefinitions(count: {type: "Int"}) {
///       films(first: $count) @connection(key: "List_films", prefetchable_pagination: true) {
///         edges { node { title } }
///       }
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
/// `CheckEdgeFragments` ensures that the edges are selected, and that the name is free. This transform runs right after
/// `AliasSpreads`, so that the new fragment is treated like any other.
///
/// Reference: https://relay.dev/docs/api-reference/use-prefetchable-forward-pagination-fragment
struct GenerateEdgeFragments {
    private let schema: Schema
    private var generated: [Fragment] = []

    /// The definition whose selections are visited.
    private struct Owner {
        let name: String
        var arguments: [FragmentArgument] = []
        let directives: [Directive]
        let path: String
    }

    /// The program with the new fragments, and their names.
    static func apply(to program: Program) -> (program: Program, names: Set<String>) {
        guard program.hasPrefetchableConnections else { return (program, []) }
        var transform = GenerateEdgeFragments(schema: program.schema)
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
        return (
            Program(
                schema: program.schema, operations: operations, fragments: fragments + transform.generated),
            Set(transform.generated.map(\.name))
        )
    }

    private init(schema: Schema) {
        self.schema = schema
    }

    /// The name of the fragment for the edges in a definition. A definition has at most one connection with
    /// prefetchable pagination.
    static func name(in definition: String) -> String { definition + "__edges" }

    /// The parser's nesting limit bounds the recursion.
    private mutating func visit(_ selections: inout [TypedSelection], _ owner: Owner) {
        for (index, selection) in selections.enumerated() {
            switch selection {
            case .field(var field):
                visit(&field.selections, owner)
                if field.connection?.isPrefetchable == true { split(&field, owner) }
                selections[index] = .field(field)
            case .inlineFragment(var inline):
                visit(&inline.selections, owner)
                selections[index] = .inlineFragment(inline)
            case .spread: break
            }
        }
    }

    private mutating func split(_ connection: inout TypedField, _ owner: Owner) {
        let type = schema.namedType(of: connection.definition.type)
        guard let index = connection.indexOfEdges(named: schema.names.edges),
            case .field(var edges) = connection.selections[index]
        else { return }
        let fragment = Self.name(in: owner.name)
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
}

extension Directive {
    /// Whether `prefetchable_pagination: true` is among the arguments.
    var isPrefetchable: Bool {
        if case .boolean(let value)? = argument("prefetchable_pagination") { value.isTrue } else { false }
    }
}

extension TypedField {
    /// The position of the selection of a connection's edges, under any condition.
    func indexOfEdges(named name: String) -> Int? {
        selections.firstIndex { selection in
            guard case .field(let field) = selection else { return false }
            return field.definition.name == name && !field.directives.haveConditions
        }
    }
}

extension Program {
    /// Whether a connection has prefetchable pagination.
    var hasPrefetchableConnections: Bool {
        func isPrefetchable(_ field: TypedField) -> Bool { field.connection?.isPrefetchable == true }
        return operations.contains { TypedSelection.hasField(in: $0.selections, where: isPrefetchable) }
            || fragments.contains { TypedSelection.hasField(in: $0.selections, where: isPrefetchable) }
    }
}
