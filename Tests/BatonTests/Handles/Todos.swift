// swift-format-ignore-file: AlwaysUseLowerCamelCase

@testable import Baton

/// Hand-written operations around a connection, in the form of generated code.
///
///     query Board($id: ID!, $kind: String) { node(id: $id) { id ...TodoList } }
///     fragment TodoList on User @refetchable(queryName: "TodoPage")
///       @argumentDefinitions(count: {type: "Int", defaultValue: 2}, cursor: {type: "String"}, last: {type: "Int"},
///         before: {type: "String"}) {
///       name
///       todos(first: $count, after: $cursor, last: $last, before: $before, kind: $kind) @connection(key: "todos") {
///         edges { node { id text } }
///       }
///     }
enum Todos {
    private static let page =
        "edges:[TodoEdge]{node:+Todo{id:ID! text:String} cursor:String} "
        + "pageInfo:PageInfo{endCursor:String hasNextPage:Boolean hasPreviousPage:Boolean startCursor:String}"
    private static let handle = "TodoConnection@connection(\"todos\",kind)"

    struct BoardQuery: GraphQLQuery {
        static let artifact = GeneratedCode.OperationArtifact(
            name: "Board", kind: .query, text: "query Board",
            normalization:
                "(id,kind){node(id:$id):+*Node{<User>{name:String todos(first:2,kind:$kind):\(handle){\(page)}} "
                + "id:ID!}}",
            reader: reader)
        fileprivate static let reader = "(id,kind){node(id:$id):+*Node{id:ID! ~TodoList<User> ~StreamedList<User>}}"
        var variables: Variables
        init(variables: Variables) { self.variables = variables }
        init(id: String, kind: String? = nil) { self.init(variables: Variables(id: id, kind: kind)) }

        struct Variables: GeneratedCode.Variables, Hashable {
            var id: String
            var kind: String?
            var __fields: GeneratedCode.InputFields {
                .init("id kind") {
                    $0.addString(id)
                    $0.addString(kind)
                }
            }
        }

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var node: Node? { __row.optionalObject(0) }

            struct Node: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var list: FragmentReference<TodoList>? { __row.optionalFragment(1) }
                var streamed: FragmentReference<StreamedList>? { __row.optionalFragment(2) }
            }
        }
    }

    /// `query DeferredBoard($id: ID!) { node(id: $id) { id ... on User { todos(first: 2) { edges { node { id } } } }
    /// ...TodoList @defer } }`
    struct DeferredBoardQuery: GraphQLQuery {
        typealias Data = BoardQuery.Data
        typealias Variables = BoardQuery.Variables
        static let artifact = GeneratedCode.OperationArtifact(
            name: "DeferredBoard", kind: .query, text: "query DeferredBoard",
            normalization:
                "(id,kind){node(id:$id):+*Node{<User>{todos(first:2,kind:$kind):TodoConnection"
                + "{edges:[TodoEdge]{node:+Todo{id:ID!}}} <>@defer(\"list\"){name:String "
                + "todos(first:2,kind:$kind):\(handle){\(page)}}} id:ID!}}",
            reader: BoardQuery.reader)
        var variables: Variables
    }

    struct TodoList: PaginationFragment {
        typealias RefetchQuery = TodoPageQuery
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "TodoList", typeCondition: "User", reader: reader)
        fileprivate static let reader =
            "(count=2,cursor,last,before){name:String "
            + "todos(after:$cursor,before:$before,first:$count,kind:$kind,last:$last):\(handle)"
            + "{edges:[TodoEdge]{node:+Todo{id:ID! text:String}}}}"
        static var refetch: GeneratedCode.RefetchMetadata { .init(path: ["node"], identifier: "id", variable: "id") }
        static var connection: GeneratedCode.ConnectionMetadata {
            .init(path: ["todos"], forward: .init("count", "cursor"), backward: .init("last", "before"))
        }

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var name: String? { __row.optionalString(0) }
            var todos: Connection? { __row.optionalObject(1) }
            var ids: [String] { (todos?.nodes ?? []).map(\.id) }
        }

        struct Connection: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var nodes: NodeList<Node> { __row.nodes(0, 0) }
        }

        struct Node: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var id: String { __row.string(0) }
            var text: String? { __row.optionalString(1) }
        }
    }

    struct TodoPageQuery: GraphQLQuery {
        fileprivate static let variables = "(before,count=2,cursor,kind,last,id)"
        static let artifact = GeneratedCode.OperationArtifact(
            name: "TodoPage", kind: .query, text: "query TodoPage",
            normalization: "\(variables){node(id:$id):+*Node{<User>{name:String "
                + "todos(after:$cursor,before:$before,first:$count,kind:$kind,last:$last):\(handle){\(page)}} id:ID!}}",
            reader:
                "\(variables){node(id:$id):+*Node{~TodoList(before:$before,count:$count,cursor:$cursor,last:$last)<User>}}"
        )
        var variables: Variables

        struct Variables: GeneratedCode.Variables, Hashable {
            var __fields: GeneratedCode.InputFields
        }

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var node: Node? { __row.optionalObject(0) }

            struct Node: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var list: FragmentReference<TodoList>? { __row.optionalFragment(0) }
            }
        }
    }

    /// The fragment with `@stream_connection` in place of `@connection`.
    struct StreamedList: PaginationFragment {
        typealias Data = TodoList.Data
        typealias RefetchQuery = StreamedPageQuery
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "StreamedList", typeCondition: "User", reader: TodoList.reader)
        static var refetch: GeneratedCode.RefetchMetadata { TodoList.refetch }
        static var connection: GeneratedCode.ConnectionMetadata { TodoList.connection }
    }

    struct StreamedPageQuery: GraphQLQuery {
        typealias Data = TodoPageQuery.Data
        typealias Variables = TodoPageQuery.Variables
        static let artifact = GeneratedCode.OperationArtifact(
            name: "StreamedPage", kind: .query, text: "query StreamedPage",
            normalization: TodoPageQuery.variables + "{node(id:$id):+*Node{<User>{name:String "
                + "todos(after:$cursor,before:$before,first:$count,kind:$kind,last:$last):\(handle)"
                + "{edges:[TodoEdge]@stream(\"edges\",1){node:+Todo{id:ID! text:String} cursor:String} "
                + "<>@defer(\"info\"){pageInfo:PageInfo{endCursor:String hasNextPage:Boolean hasPreviousPage:Boolean "
                + "startCursor:String}}}} id:ID!}}",
            reader: TodoPageQuery.variables
                + "{node(id:$id):+*Node{~StreamedList(before:$before,count:$count,cursor:$cursor,last:$last)<User>}}"
        )
        var variables: Variables
    }

    /// `query Users { users(first: 9) @connection(key: "users") { edges { node { id ...TodoList } } } }`
    struct UsersQuery: GraphQLQuery {
        static let artifact = GeneratedCode.OperationArtifact(
            name: "Users", kind: .query, text: "query Users",
            normalization: "{users(first:9):UserConnection@connection(\"users\"){edges:[UserEdge]{"
                + "node:+User{id:ID! name:String todos(first:2):\(handle){\(page)}} cursor:String}}}",
            reader:
                "{users(first:9):UserConnection@connection(\"users\"){edges:[UserEdge]{node:+User{id:ID! ~TodoList}}}}")
        var variables: GeneratedCode.NoVariables

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var users: Users? { __row.optionalObject(0) }

            struct Users: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var nodes: NodeList<User> { __row.nodes(0, 0) }
            }

            struct User: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var list: FragmentReference<TodoList> { __row.fragment(1) }
            }
        }
    }

    /// `query Offset($offset: Int, $limit: Int) { items(offset: $offset, limit: $limit) { id text } }`
    struct OffsetQuery: GraphQLQuery {
        private static let plan = "(offset,limit){items(limit:$limit,offset:$offset):[+Todo!]{id:ID! text:String}}"
        static let artifact = GeneratedCode.OperationArtifact(
            name: "Offset", kind: .query, text: "query Offset", normalization: plan, reader: plan)
        var variables: Variables

        struct Variables: GeneratedCode.Variables, Hashable {
            var offset: Int
            var limit: Int
            var __fields: GeneratedCode.InputFields {
                .init("offset limit") {
                    $0.addInt(offset)
                    $0.addInt(limit)
                }
            }
        }

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var items: ObjectList<TodoList.Node>? { __row.optionalObjects(0) }
        }
    }

    /// `query Texts { todos { id ...Strict ...Caught } }`
    struct TextsQuery: GraphQLQuery {
        static let artifact = GeneratedCode.OperationArtifact(
            name: "Texts", kind: .query, text: "query Texts", normalization: "{todos:[+Todo]{id:ID! text:String}}",
            reader: "{todos:[+Todo]{id:ID! ~Strict ~Caught}}")
        var variables: GeneratedCode.NoVariables

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var todos: ObjectList<Todo?>? { __row.optionalObjects(0) }

            struct Todo: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var strict: FragmentReference<Strict> { __row.fragment(1) }
                var caught: FragmentReference<Caught> { __row.fragment(2) }
            }
        }
    }

    /// `fragment Strict on Todo @throwOnFieldError { text }`
    struct Strict: GraphQLFragment {
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "Strict", typeCondition: "Todo", reader: "@throwOnFieldError{text:String}")

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var text: String? { __row.optionalString(0) }
        }
    }

    /// `fragment Caught on Todo { text @catch }`
    struct Caught: GraphQLFragment {
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "Caught", typeCondition: "Todo", reader: "{text:String@catch(RESULT)}")

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var text: FieldResult<String?> { __row.result(0) { $0.optionalString(0) } }
        }
    }
}

extension FragmentHandle where Fragment == Todos.TodoList {
    @discardableResult
    func refetch(
        before: GraphQLInput<String> = nil, count: GraphQLInput<Int> = nil, cursor: GraphQLInput<String> = nil,
        kind: GraphQLInput<String> = nil, last: GraphQLInput<Int> = nil, id: GraphQLInput<String> = nil,
        policy: FetchPolicy = .networkOnly
    ) -> FetchTask {
        var fields = GeneratedCode.InputFields("before count cursor kind last id", count: 6)
        fields.addString(before)
        fields.addInt(count)
        fields.addString(cursor)
        fields.addString(kind)
        fields.addInt(last)
        fields.addString(id)
        return __refetch(fields, policy)
    }
}

/// A service of lists: the todos of each user and kind.
struct TodoService: Sendable {
    var lists: [String: [String]] = [:]
    /// Users that are gone.
    var gone: Set<String> = []

    /// Makes lists of todos `a1` to `a<count>` for the user `a`, and so on.
    init(_ counts: [String: Int]) {
        for (user, count) in counts { lists[user] = (0..<count).map { "\(user)\($0 + 1)" } }
    }

    /// Returns the response to a request.
    func answer(_ request: NetworkRequest) -> String {
        func value(_ name: String) -> JSONValue? { request.variables.first { $0.name == name }?.value }
        func text(_ name: String) -> String? { if case .string(let text)? = value(name) { text } else { nil } }
        func number(_ name: String) -> Int? { if case .int(let number)? = value(name) { number } else { nil } }
        let id = text("id") ?? ""
        guard !gone.contains(id) else { return #"{"data":{"node":null}}"# }
        let all = lists[id + (text("kind").map { "-" + $0 } ?? "")] ?? []
        let last = number("last")
        let first = value("count") == nil ? 2 : number("count")
        let after = text("cursor").map { (all.firstIndex(of: $0) ?? -1) + 1 } ?? 0
        let before = text("before").flatMap { all.firstIndex(of: $0) } ?? all.count
        var range = min(after, before)..<before
        if let first { range = range.prefix(first) }
        if let last { range = range.suffix(last) }
        let shown = all[range]
        let edges = shown.map { #"{"node":{"id":"\#($0)","text":"\#($0)"},"cursor":"\#($0)"}"# }
        func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
        return #"{"data":{"node":{"__typename":"User","name":"User \#(id)","todos":{"edges":["#
            + edges.joined(separator: ",")
            + #"],"pageInfo":{"endCursor":\#(quoted(shown.last)),"hasNextPage":\#(range.upperBound < all.count),"#
            + #""hasPreviousPage":\#(range.lowerBound > 0),"startCursor":\#(quoted(shown.first))}},"id":"\#(id)"}}}"#
    }
}

extension Stage {
    /// Waits until nothing is under way, answers the oldest request as a service does, and waits again.
    func answer(_ service: TodoService) async {
        await settle()
        network.answer(service.answer)
        await settle()
    }

    /// Returns a board whose first page has come, and a handle of its list.
    func board(
        _ service: TodoService, _ id: String = "a", kind: String? = nil, freshness: Freshness = Freshness()
    ) async throws -> (QueryHandle<Todos.BoardQuery>, FragmentHandle<Todos.TodoList>) {
        let board = QueryHandle<Todos.BoardQuery>(in: environment, freshness: freshness)
        _ = board.get(.init(id: id, kind: kind))
        await answer(service)
        return (board, FragmentHandle(board.result.data?.node?.list, in: environment))
    }
}
