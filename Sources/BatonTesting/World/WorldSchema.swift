import Baton
import BatonSchema

/// What a world knows of the types of a schema.
struct WorldSchema: Sendable {
    let schema: Schema
    private let connections: [TypeID: Connection]

    /// The fields of a connection type.
    struct Connection: Sendable {
        /// The field of the edges, and the field of an edge's node; nil if the connection has no edges.
        let edges: SchemaField?
        let node: SchemaField?
        /// The fields that are lists of the nodes.
        let nodes: Set<String>
        /// The fields that are the length of the whole list.
        let totals: Set<String>
        let nodeType: TypeReference
    }

    /// How a field pages.
    enum Paging {
        case none
        case connection
        /// A plain list with arguments for a limit and an offset.
        case list(limit: String, offset: String?)

        /// The arguments that choose a page and not a list.
        var arguments: Set<String> {
            switch self {
            case .none: []
            case .connection: ["first", "last", "after", "before"]
            case .list(let limit, let offset): Set([limit] + (offset.map { [$0] } ?? []))
            }
        }
    }

    init(_ schema: Schema) {
        self.schema = schema
        var connections: [TypeID: Connection] = [:]
        for type in schema.types where type.kind == .object {
            connections[type.id] = Self.connection(type, in: schema)
        }
        self.connections = connections
    }

    private static func connection(_ type: SchemaType, in schema: Schema) -> Connection? {
        guard let info = type.field(named: "pageInfo"),
            schema.namedType(of: info.type).field(named: "hasNextPage") != nil
        else { return nil }
        let edges = type.field(named: "edges").flatMap { $0.type.item == nil ? nil : $0 }
        let node = edges.flatMap { schema.namedType(of: $0.type).field(named: "node") }
        let list = type.field(named: "nodes").flatMap { $0.type.item }
        guard let nodeType = node?.type ?? list, schema.namedType(of: nodeType).isComposite else { return nil }
        let nodes = type.fields.filter { field in
            field.name != "edges" && field.type.item.map { !$0.isList && $0.named == nodeType.named } ?? false
        }
        let totals = type.fields.filter { field in
            ["totalCount", "total", "count", "totalItems"].contains(field.name) && !field.type.isList
                && schema.namedType(of: field.type).kind == .scalar
        }
        return Connection(
            edges: node == nil ? nil : edges, node: node, nodes: Set(nodes.map(\.name)),
            totals: Set(totals.map(\.name)), nodeType: nodeType)
    }

    /// The connection that a type is; for an interface, that of its first implementation.
    func connection(of type: SchemaType) -> Connection? {
        if type.isAbstract { return schema.possibleTypes(of: type).first.flatMap { connections[$0.id] } }
        return connections[type.id]
    }

    /// The field by which the objects of a type are told apart; nil for parts.
    func idField(of type: SchemaType) -> SchemaField? {
        guard type.kind == .object, !schema.isRoot(type), let field = type.field(named: "id"), !field.type.isList,
            schema.namedType(of: field.type).kind == .scalar, !field.arguments.contains(where: \.isRequired)
        else { return nil }
        return field
    }

    func isEntity(_ type: SchemaType) -> Bool { idField(of: type) != nil }

    func paging(of field: SchemaField) -> Paging {
        if field.type.item == nil {
            return connection(of: schema.namedType(of: field.type)) == nil ? .none : .connection
        }
        func argument(_ names: [String]) -> String? {
            names.first { name in
                field.argument(named: name).map { schema.namedType(of: $0.type).name == "Int" && !$0.type.isList }
                    ?? false
            }
        }
        guard let limit = argument(["limit", "first", "take", "pageSize", "perPage"]) else { return .none }
        return .list(limit: limit, offset: argument(["offset", "skip"]))
    }

    /// The arguments that matter: all but those that page, are null, or have the schema's default.
    func mattering(_ arguments: LocalArguments, for field: SchemaField) -> [JSONValue.Member] {
        guard !field.arguments.isEmpty else { return [] }
        let paging = paging(of: field).arguments
        let input = InputCoercion(schema: schema)
        return arguments.names.sorted().compactMap { name in
            guard !paging.contains(name), let value = arguments[name], value != .null,
                let argument = field.argument(named: name)
            else { return nil }
            if argument.defaultValue != nil, let known = try? input.defaultValue(of: argument), known == value {
                return nil
            }
            return JSONValue.Member(name, value)
        }
    }

    /// The text of the arguments that matter.
    static func text(of mattering: [JSONValue.Member]) -> String {
        if mattering.isEmpty { return "" }
        return "(" + mattering.map { "\($0.name):\(text(of: $0.value))" }.joined(separator: ",") + ")"
    }

    /// The text of a value: members sorted by name, without those that are null.
    private static func text(of value: JSONValue) -> String {
        switch value {
        case .null: return "null"
        case .bool(let value): return String(value)
        case .int(let value): return String(value)
        case .double(let value): return Int(exactly: value).map { String($0) } ?? String(value)
        case .string(let value): return "\"" + value + "\""
        case .array(let values): return "[" + values.map { text(of: $0) }.joined(separator: ",") + "]"
        case .object(let members):
            let shown = members.filter { $0.value != .null }.sorted { $0.name < $1.name }
            return "{" + shown.map { "\($0.name):\(text(of: $0.value))" }.joined(separator: ",") + "}"
        }
    }
}
