// swift-format-ignore-file: AlwaysUseLowerCamelCase

@testable import Baton

/// A hand-written query of a connection with every paging argument and one filter.
enum TodoConnection {
    static let key = "TodoList_todos"
    private static let plan =
        "(first,last,after,before,kind){todos(after:$after,before:$before,first:$first,kind:$kind,last:$last):TodoConnection@connection(\"TodoList_todos\",kind){edges:[TodoEdge]{cursor:String node:+Todo{id:ID! text:String}} total:Int pageInfo:PageInfo{endCursor:String hasNextPage:Boolean hasPreviousPage:Boolean startCursor:String}}}"

    static let artifact = GeneratedCode.OperationArtifact(
        name: "Todos", kind: .query, text: "", normalization: plan, reader: plan)

    /// A page as a response has it, or the connection as a reader sees it.
    struct Page: Equatable {
        var edges: [Edge?]?
        var total: Int?
        var info: Info?

        init(edges: [Edge?]?, total: Int? = nil, info: Info?) {
            self.edges = edges
            self.total = total
            self.info = info
        }

        var nodes: [String?] { (edges ?? []).map { $0?.node } }
    }

    struct Edge: Equatable {
        var cursor: String?
        var node: String?

        init(_ node: String?, cursor: String?) {
            self.node = node
            self.cursor = cursor
        }
    }

    struct Info: Equatable {
        var end: String?
        var hasNext: Bool?
        var hasPrevious: Bool?
        var start: String?

        init(start: String? = nil, end: String? = nil, hasPrevious: Bool? = false, hasNext: Bool? = false) {
            self.start = start
            self.end = end
            self.hasPrevious = hasPrevious
            self.hasNext = hasNext
        }
    }

    struct Data: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var todos: Page? { connection.map { $0.page } }
        private var connection: Connection? { __row.optionalObject(0) }

        private struct Connection: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var edges: ObjectList<Edge?>? { __row.optionalObjects(0) }
            var total: Int? { __row.optionalInt(1) }
            var info: Info? { __row.optionalObject(2) }

            var page: Page {
                Page(
                    edges: edges?.map { $0.map { TodoConnection.Edge($0.node?.id, cursor: $0.cursor) } }, total: total,
                    info: info.map {
                        TodoConnection.Info(
                            start: $0.start, end: $0.end, hasPrevious: $0.hasPrevious, hasNext: $0.hasNext)
                    })
            }
        }

        private struct Edge: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var cursor: String? { __row.optionalString(0) }
            var node: Node? { __row.optionalObject(1) }
        }

        private struct Node: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var id: String { __row.string(0) }
        }

        private struct Info: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var end: String? { __row.optionalString(0) }
            var hasNext: Bool? { __row.optionalBool(1) }
            var hasPrevious: Bool? { __row.optionalBool(2) }
            var start: String? { __row.optionalString(3) }
        }
    }

    /// The arguments of one fetch.
    struct Arguments {
        var first: Int?
        var last: Int?
        var after: String?
        var before: String?
        var kind: String?

        var json: JSONValue {
            var members: [JSONValue.Member] = []
            if let first { members.append(.init("first", .int(first))) }
            if let last { members.append(.init("last", .int(last))) }
            if let after { members.append(.init("after", .string(after))) }
            if let before { members.append(.init("before", .string(before))) }
            if let kind { members.append(.init("kind", .string(kind))) }
            return .object(members)
        }
    }
}

extension TodoConnection.Page {
    var json: JSONValue {
        let edges: [JSONValue]? = edges.map { edges in
            edges.map { edge in
                guard let edge else { return .null }
                let node = edge.node.map { ["id": .string($0), "text": .string("text of \($0)")] as JSONValue }
                return ["cursor": edge.cursor.jsonValue, "node": node ?? .null]
            }
        }
        let info: JSONValue? = info.map { info in
            [
                "endCursor": info.end.jsonValue, "hasNextPage": info.hasNext.jsonValue,
                "hasPreviousPage": info.hasPrevious.jsonValue, "startCursor": info.start.jsonValue,
            ]
        }
        return [
            "edges": edges.map { .array($0) } ?? .null, "total": total.jsonValue, "pageInfo": info ?? .null,
        ]
    }
}

extension Store {
    /// Lands a page of the connection.
    @discardableResult
    func land(_ page: TodoConnection.Page?, _ arguments: TodoConnection.Arguments) throws -> PublishSummary {
        let operation = bind(TodoConnection.artifact, variables: arguments.json)
        let body: JSONValue = ["data": ["todos": page?.json ?? .null]]
        return publish(try normalize(body.jsonBytes, for: operation), for: operation)
    }

    /// Reads the connection.
    func todos(kind: String? = nil) -> ReadResult<TodoConnection.Data> {
        let operation = bind(TodoConnection.artifact, variables: TodoConnection.Arguments(first: 1, kind: kind).json)
        return read(TodoConnection.Data.self, at: operation.root, operation.reader)
    }
}
