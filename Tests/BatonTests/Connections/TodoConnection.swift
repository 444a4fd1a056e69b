@testable import Baton

/// A hand-written query of a connection with every paging argument and one filter.
enum TodoConnection {
    static let key = "TodoList_todos"
    private static let plan =
        "(first,last,after,before,kind){todos(after:$after,before:$before,first:$first,kind:$kind,last:$last):TodoConnection@connection(\"TodoList_todos\",kind){edges:[TodoEdge]{cursor:String node:+Todo{id:ID! text:String}} total:Int pageInfo:PageInfo{endCursor:String hasNextPage:Boolean hasPreviousPage:Boolean startCursor:String}}}"

    static let artifact = GeneratedCode.OperationArtifact(
        name: "Todos", kind: .query, text: "", normalization: plan, reader: plan)

    /// A page as an answer has it, or the connection as a reader sees it.
    struct Page: GeneratedCode.Selections {
        var edges: [Edge?]?
        var total: Int?
        var info: Info?

        init(edges: [Edge?]?, total: Int? = nil, info: Info?) {
            self.edges = edges
            self.total = total
            self.info = info
        }

        init?(_ reader: inout GeneratedCode.RecordReader) {
            edges = reader.list(0) { $0.object(Edge.self) }
            total = reader.int(1)
            info = reader.object(2, Info.self)
        }

        var nodes: [String?] { (edges ?? []).map { $0?.node } }
    }

    struct Edge: GeneratedCode.Selections {
        var cursor: String?
        var node: String?

        init(_ node: String?, cursor: String?) {
            self.node = node
            self.cursor = cursor
        }

        init?(_ reader: inout GeneratedCode.RecordReader) {
            cursor = reader.string(0)
            node = reader.object(1, Node.self)?.id
        }
    }

    struct Node: GeneratedCode.Selections {
        let id: String
        let text: String?

        init?(_ reader: inout GeneratedCode.RecordReader) {
            guard let id = reader.string(0) else { return nil }
            self.id = id
            text = reader.string(1)
        }
    }

    struct Info: GeneratedCode.Selections {
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

        init?(_ reader: inout GeneratedCode.RecordReader) {
            end = reader.string(0)
            hasNext = reader.bool(1)
            hasPrevious = reader.bool(2)
            start = reader.string(3)
        }
    }

    struct Data: GeneratedCode.Selections {
        let todos: Page?

        init?(_ reader: inout GeneratedCode.RecordReader) { todos = reader.object(0, Page.self) }
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
    func todos(kind: String? = nil) -> Snapshot<TodoConnection.Data> {
        let operation = bind(TodoConnection.artifact, variables: TodoConnection.Arguments(first: 1, kind: kind).json)
        return read(TodoConnection.Data.self, at: operation.root, operation.reader)
    }
}
