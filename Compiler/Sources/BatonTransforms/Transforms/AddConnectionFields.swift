import BatonIR
import BatonSchema
import BatonSyntax

/// Adds the fields with which a connection can be continued: cursors, the type of the nodes, and the state of the page.
///
/// Before:
///
///     { films(first: 10) @connection(key: "List_films") { edges { node { title } } } }
///
/// After:
///
///     { films(first: 10) @connection(key: "List_films") {
///       edges { node { title } cursor node { __typename } }
///       pageInfo { endCursor hasNextPage }
///     } }
///
/// `first` needs `endCursor` and `hasNextPage`, and `last` needs `hasPreviousPage` and `startCursor`. Added fields come
/// last in `edges` and `pageInfo`. If `edges` or `pageInfo` is missing or has an alias, it is added to the connection.
/// Readers get no further fields, because Swift shows only the selections of the document.
///
/// If `GenerateEdgeFragments` has made a fragment of the edges, the fields of edges are added to that fragment.
///
/// With `@stream_connection`, `pageInfo` is put into an inline fragment that arrives later:
///
///     ... @defer(label: "List$defer$List_films$pageInfo") { pageInfo { endCursor hasNextPage } }
///
/// Runs after `LabelIncrements` and before `GenerateIDs`.
struct AddConnectionFields {
    private let schema: Schema
    /// The names of the fragments that hold the edges of a connection.
    private let edgeFragments: Set<String>

    init(schema: Schema, edgeFragments: Set<String>) {
        self.schema = schema
        self.edgeFragments = edgeFragments
    }

    /// The program with the fields that connections need.
    func apply(to program: Program) -> Program {
        var program = program.mapSelections(transform)
        if edgeFragments.isEmpty { return program }
        for index in program.fragments.indices where edgeFragments.contains(program.fragments[index].name) {
            program.fragments[index].selections += edgeFields(of: program.fragments[index].type)
        }
        return Program(schema: schema, operations: program.operations, fragments: program.fragments)
    }

    /// The parser's nesting limit bounds the recursion.
    private func transform(_ selections: [TypedSelection]) -> [TypedSelection] {
        selections.map { selection in
            switch selection {
            case .field(var field):
                field.selections = transform(field.selections)
                if field.connection != nil { addFields(to: &field) }
                return .field(field)
            case .inlineFragment(var inline):
                inline.selections = transform(inline.selections)
                return .inlineFragment(inline)
            case .spread: return selection
            }
        }
    }

    private func addFields(to connection: inout TypedField) {
        let type = schema.namedType(of: connection.definition.type)
        let names = schema.names
        let arguments = connection.arguments.map(\.name.text)
        var page: [String] = []
        if arguments.contains("first") { page += [names.endCursor, names.hasNextPage] }
        if arguments.contains("last") { page += [names.hasPreviousPage, names.startCursor] }
        Self.add(to: &connection.selections, names.edges, on: type, schema) { edges in
            if case .spread(let spread)? = edges.selections.first, edgeFragments.contains(spread.fragment) { return }
            edges.selections += edgeFields(of: schema.namedType(of: edges.definition.type))
        }
        Self.add(to: &connection.selections, names.pageInfo, on: type, schema) { pageInfo in
            let type = schema.namedType(of: pageInfo.definition.type)
            for name in page { pageInfo.selections += leaf(name, on: type) }
        }
        connection.selections = connection.selections.map(Self.deferred)
    }

    /// The cursor of an edge and the type of its node.
    private func edgeFields(of edge: SchemaType) -> [TypedSelection] {
        let cursor = leaf(schema.names.cursor, on: edge)
        guard let node = schema.field(named: schema.names.node, on: edge) else { return cursor }
        let typename = leaf("__typename", on: schema.namedType(of: node.type))
        return cursor + [Self.generated(schema.names.node, node, typename)]
    }

    /// Puts a field that arrives later into an inline fragment with the field's `@defer`.
    private static func deferred(_ selection: TypedSelection) -> TypedSelection {
        guard case .field(var field) = selection, let directive = field.directives.named("defer") else {
            return selection
        }
        field.directives.removeAll { $0.name.text == "defer" }
        return .inlineFragment(
            TypedInlineFragment(type: nil, directives: [directive], selections: [.field(field)], span: field.span))
    }

    /// Changes the field that is selected directly and without an alias. Adds such a field if there is none.
    static func add(
        to selections: inout [TypedSelection], _ name: String, on type: SchemaType, _ schema: Schema,
        _ change: (inout TypedField) -> Void
    ) {
        for (index, selection) in selections.enumerated() where selection.isDirect(name) {
            guard case .field(var field) = selection else { continue }
            change(&field)
            selections[index] = .field(field)
            return
        }
        guard let definition = schema.field(named: name, on: type),
            case .field(var field) = generated(name, definition, [])
        else { return }
        change(&field)
        selections.append(.field(field))
    }

    private func leaf(_ name: String, on type: SchemaType) -> [TypedSelection] {
        schema.field(named: name, on: type).map { [Self.generated(name, $0, [])] } ?? []
    }

    private static func generated(
        _ name: String, _ definition: SchemaField, _ selections: [TypedSelection]
    ) -> TypedSelection {
        .field(TypedField(responseKey: name, definition: definition, selections: selections, isGenerated: true))
    }
}

extension TypedField {
    /// The directive that makes the field a connection; nil if there is none.
    package var connection: Directive? {
        directives.named("connection") ?? directives.named("stream_connection")
    }
}
