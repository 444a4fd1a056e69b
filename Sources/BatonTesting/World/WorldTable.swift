package import Baton
import BatonSchema
import BatonSyntax

extension World {
    /// A table of the objects that an operation can meet, for another executor:
    ///
    ///     {"root": "Query", "objects": {
    ///       "Query": {"type": "Query", "fields": {"film(id:\"Film:1\")": {"o": "Film:1"}}},
    ///       "Film:1": {"type": "Film", "fields": {"title": {"v": "Hope"}, "cast": {"o": "Film:1.cast"}}},
    ///       "Film:1.cast": {"type": "CastConnection", "fields": {},
    ///         "items": [{"cursor": "Person:1", "node": {"o": "Person:1"}, "edge": "Film:1.cast{Person:1}"}]}}}
    ///
    /// A value is null, a leaf `v`, an object `o` or a list `l`. Lists and connections are whole: the reader of the
    /// table cuts pages. A field has its name, and those of its arguments that matter. A mutation changes the world, so
    /// each has objects of its own, by response key, under `mutations`.
    ///
    /// The table is made by a walk over the selections, in which the executor of `LocalService` has no part. Nil if the
    /// operation cannot be executed.
    package func table(
        of text: String, operationName: String? = nil, variables: JSONValue = .object([])
    ) -> JSONValue? {
        let prepared = service.document(text)
        guard prepared.problems.isEmpty, let index = try? prepared.operation(named: operationName),
            let root = data.root(for: prepared.operations[index].kind),
            let values = try? VariableValues(
                variables, for: prepared.operations[index], schema: data.schema)
        else { return nil }
        var table = WorldTable(data, prepared.fragments, values)
        if root.type === data.schema.mutationType {
            table.execute(prepared.operations[index].selectionSet, root)
        } else {
            table.walk(prepared.operations[index].selectionSet, root)
        }
        return table.json(root: root.key)
    }
}

/// The walk that makes a table.
private struct WorldTable {
    private struct Entry {
        let typeName: String
        var fields: [String: JSONValue] = [:]
        var items: JSONValue?
    }

    private let data: WorldData
    private let collector: FieldCollector
    private var entries: [String: Entry] = [:]
    /// The objects of each mutation, by response key.
    private var mutations: [JSONValue.Member] = []

    init(_ data: WorldData, _ fragments: [String: FragmentDefinition], _ variables: VariableValues) {
        self.data = data
        collector = FieldCollector(
            schema: data.schema, resolvers: .none, fragments: fragments, variables: variables.values,
            isIncremental: false)
    }

    func json(root: String) -> JSONValue {
        ["root": .string(root), "objects": objects, "mutations": .object(mutations)]
    }

    private var objects: JSONValue {
        let members = entries.sorted { $0.key < $1.key }.map { key, entry in
            var members: [JSONValue.Member] = [
                .init("type", .string(entry.typeName)),
                .init("fields", .object(entry.fields.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })),
            ]
            if let items = entry.items { members.append(.init("items", items)) }
            return JSONValue.Member(key, .object(members))
        }
        return .object(members)
    }

    /// Recurses as deep as the document, whose nesting the parser limits, and its fragments, which have no cycles.
    mutating func walk(_ set: SelectionSet, _ object: WorldObject) {
        if entries[object.key] == nil { entries[object.key] = Entry(typeName: object.type.name) }
        if case .connection(let list, _) = object.role, let connection = data.known.connection(of: object.type) {
            note(list, connection, object)
        }
        for node in nodes(of: set, object) {
            guard let value = noted(node, object) else { continue }
            if let inner = node.selectionSet { walk(inner, value) }
        }
    }

    /// Executes the fields of a mutation one after the other, each once.
    mutating func execute(_ set: SelectionSet, _ object: WorldObject) {
        var keys: [String] = []
        var occurrences: [String: [Field]] = [:]
        for node in nodes(of: set, object) {
            let key = node.responseKey.text
            if occurrences[key] == nil { keys.append(key) }
            occurrences[key, default: []].append(node)
        }
        for key in keys {
            // What an entity was before a later mutation, it is in the table of an earlier one.
            entries = [object.key: Entry(typeName: object.type.name)]
            guard let nodes = occurrences[key], let value = noted(nodes[0], object) else { continue }
            for inner in nodes.compactMap(\.selectionSet) { walk(inner, value) }
            mutations.append(.init(key, objects))
        }
    }

    /// The fields of a set for an object, those of fragments included.
    private func nodes(of set: SelectionSet, _ object: WorldObject) -> [Field] {
        set.selections.flatMap { selection -> [Field] in
            guard collector.isIncluded(selection.directives) else { return [] }
            switch selection {
            case .field(let field): return [field]
            case .fragmentSpread(let spread):
                guard let fragment = collector.fragments[spread.name.text],
                    collector.applies(fragment.typeCondition, to: object.type)
                else { return [] }
                return nodes(of: fragment.selectionSet, object)
            case .inlineFragment(let fragment):
                guard fragment.typeCondition.map({ collector.applies($0, to: object.type) }) ?? true else { return [] }
                return nodes(of: fragment.selectionSet, object)
            }
        }
    }

    /// Notes the value of a field in the table.
    private mutating func noted(_ node: Field, _ object: WorldObject) -> WorldValue? {
        guard let field = object.type.field(named: node.name.text),
            let given = try? collector.arguments(of: node, field)
        else { return nil }
        // Without the arguments that page, a list is whole.
        let names = given.names.subtracting(data.known.paging(of: field).arguments)
        let arguments = LocalArguments(
            Dictionary(uniqueKeysWithValues: names.compactMap { name in given[name].map { (name, $0) } }))
        guard let value = try? data.value(of: field, on: object, arguments) else { return nil }
        let text = WorldSchema.text(of: data.known.mattering(given, for: field))
        entries[object.key]?.fields[field.name + text] = Self.json(value)
        return value
    }

    private mutating func walk(_ set: SelectionSet, _ value: WorldValue) {
        switch value {
        case .null, .leaf: break
        case .object(let object): walk(set, object)
        case .list(let values): for value in values { walk(set, value) }
        }
    }

    private mutating func note(
        _ list: WorldList, _ connection: WorldSchema.Connection, _ object: WorldObject
    ) {
        guard entries[object.key]?.items == nil else { return }
        let items = list.items.filter { !$0.isDeleted }.map { item -> JSONValue in
            var members: [JSONValue.Member] = [
                .init("cursor", .string(item.cursor)), .init("node", Self.json(item.value)),
            ]
            if let edges = connection.edges {
                let edge = data.edge(data.schema.namedType(of: edges.type), item, in: list.key)
                members.append(.init("edge", .string(edge.key)))
            }
            return .object(members)
        }
        entries[object.key]?.items = .array(items)
    }

    private static func json(_ value: WorldValue) -> JSONValue {
        switch value {
        case .null: .null
        case .leaf(let json): ["v": json]
        case .object(let object): ["o": .string(object.key)]
        case .list(let values): ["l": .array(values.map { json($0) })]
        }
    }
}
