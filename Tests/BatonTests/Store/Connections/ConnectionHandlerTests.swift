import Testing

@testable import Baton

/// The rules of connections one by one.
@Suite struct ConnectionHandlerTests {
    typealias Edge = TodoConnection.Edge
    typealias Info = TodoConnection.Info
    typealias Page = TodoConnection.Page

    private static func page(_ nodes: [String?], hasPrevious: Bool = false, hasNext: Bool = false) -> Page {
        Page(
            edges: nodes.map { Edge($0, cursor: "c\($0 ?? "null")") },
            info: Info(
                start: (nodes.first ?? nil).map { "c\($0)" }, end: (nodes.last ?? nil).map { "c\($0)" },
                hasPrevious: hasPrevious, hasNext: hasNext))
    }

    private static func filled(_ nodes: [String?]) throws -> Store {
        let store = Store()
        try store.land(page(nodes, hasPrevious: true, hasNext: true), .init(first: nodes.count))
        return store
    }

    private static func nodes(_ store: Store) -> [String?]? { store.todos().data?.todos?.nodes }

    @Test func aPageAfterTheEndIsAddedOnceEachNode() throws {
        let store = try Self.filled(["1", "2"])
        try store.land(Self.page(["2", "3", "3"], hasPrevious: true), .init(first: 3, after: "c2"))
        #expect(Self.nodes(store) == ["1", "2", "3"])
        let info = store.todos().data?.todos?.info
        #expect(info == Info(start: "c1", end: "c3", hasPrevious: true, hasNext: false))
    }

    @Test func aPageThatDoesNotJoinIsDropped() throws {
        let store = try Self.filled(["1", "2"])
        try store.land(Self.page(["7"]), .init(first: 1, after: "c6"))
        try store.land(Self.page(["0"]), .init(last: 1, before: "c9"))
        #expect(Self.nodes(store) == ["1", "2"])
        #expect(store.todos().data?.todos?.info?.hasNext == true)
        // The page has the end cursor of the connection, so it is the rest of a page.
        try store.land(Self.page(["8", "2"]), .init(first: 2, after: "c0"))
        #expect(Self.nodes(store) == ["1", "8", "2"])
    }

    /// A page that overlaps the end of the list is placed by its known neighbours.
    @Test func aPageThatOverlapsTheEndIsPlacedByItsNeighbours() throws {
        let store = try Self.filled(["7"])
        try store.land(Self.page(["6", "7"]), .init(first: 2, after: "c5"))
        #expect(Self.nodes(store) == ["6", "7"])
        #expect(store.todos().data?.todos?.info?.start == "c6", "the page before the list is the one before the page")
        try store.land(Self.page(["5", "6", "6.5", "7"]), .init(first: 4, after: "c4"))
        #expect(Self.nodes(store) == ["5", "6", "6.5", "7"], "the server has inserted a row")
        #expect(store.todos().data?.todos?.info?.start == "c5")
        try store.land(Self.page(["5.5", "6", "6.7", "7"]), .init(first: 4, after: "c5"))
        #expect(Self.nodes(store) == ["5", "5.5", "6", "6.5", "6.7", "7"])
        #expect(store.todos().data?.todos?.info?.start == "c5")
    }

    /// A node that was added by hand is a neighbour too. One in front of the edge that the page follows is not: the
    /// server has moved it.
    @Test func aPageBehindTheEndFollowsTheEdgeOfItsCursor() throws {
        let store = try Self.filled(["1", "2"])
        try store.update { records in
            let node = try records.create("9", type: "Todo")
            try node.setValue("9", forField: "id")
            try records.connections(key: TodoConnection.key).first?.append(node: node)
        }
        try store.land(Self.page(["8", "9", "10"]), .init(first: 3, after: "c2"))
        #expect(Self.nodes(store) == ["1", "2", "8", "9", "10"])
        try store.land(Self.page(["11", "12", "1", "13"]), .init(first: 4, after: "c10"))
        #expect(Self.nodes(store) == ["1", "2", "8", "9", "10", "11", "12", "13"])
    }

    /// What a page reads of the list does not grow with the list.
    @Test(arguments: [[1000, 1001, 1002], [998, 999, 1000], [998, 9999, 1000]])
    func aPageReadsNoMoreOfALongList(_ page: [Int]) throws {
        func reads(_ first: Int) throws -> Int {
            let store = try Self.filled((first...1000).map(String.init))
            let after = page[0] == 1000 ? "c1000" : "c\(page[0] - 1)"
            let operation = store.bind(
                TodoConnection.artifact, variables: TodoConnection.Arguments(first: 3, after: after).json)
            let body: JSONValue = ["data": ["todos": Self.page(page.map(String.init)).json]]
            let response = try store.normalize(body.jsonBytes, for: operation)
            let source = RecordSourceProxy(
                base: store.records, response: response.take(), names: store.names, payloadRoot: nil)
            for call in response.handled {
                if let handle = call.handle { ConnectionHandler(source: source).update(handle, of: call.record) }
            }
            return source.reads.reads.count
        }
        #expect(try reads(900) == reads(100))
    }

    @Test func aPageBeforeTheStartIsAddedInFrontAndItsEdgesWin() throws {
        let store = try Self.filled(["1", "2"])
        var page = Self.page(["0", "2"], hasPrevious: false)
        page.edges?[1]?.cursor = "new"
        try store.land(page, .init(last: 2, before: "c1"))
        #expect(Self.nodes(store) == ["0", "2", "1"])
        #expect(store.todos().data?.todos?.edges?[1]?.cursor == "new")
        #expect(store.todos().data?.todos?.info == Info(start: "c0", end: "c2", hasPrevious: false, hasNext: true))
    }

    @Test func aPageWithoutCursorsIsTheWholeConnection() throws {
        let store = try Self.filled(["1", "2"])
        try store.land(Self.page(["3", "4"]), .init(first: 2, after: "c2"))
        try store.land(Self.page(["2", "5"], hasNext: true), .init(first: 2))
        #expect(Self.nodes(store) == ["2", "5"])
        #expect(store.todos().data?.todos?.info == Info(start: "c2", end: "c5", hasPrevious: false, hasNext: true))
    }

    @Test func filtersTellConnectionsApartAndPagingArgumentsDoNot() throws {
        let store = Store()
        try store.land(Self.page(["1"]), .init(first: 1))
        try store.land(Self.page(["2"]), .init(first: 7, kind: "a"))
        #expect(store.todos().data?.todos?.nodes == ["1"])
        #expect(store.todos(kind: "a").data?.todos?.nodes == ["2"])
        #expect(store.todos(kind: "b").isMissingData)
        try store.update { records in
            let all = records.connections(on: records.root, key: TodoConnection.key)
            #expect(all.map(\.filters) == [[:], ["kind": "a"]])
            #expect(records.connections(key: TodoConnection.key).map(\.dataID) == all.map(\.dataID))
            #expect(records.connections(key: "Other").isEmpty)
            #expect(records.connections(on: records.root, key: "TodoList").isEmpty)
            let id = DataID.connection(on: .root, key: TodoConnection.key, filters: ["kind": "a"])
            #expect(id == "client:root:__TodoList_todos_connection(kind:\"a\")")
            #expect(records.connection(id)?.nodes.map { $0?.dataID } == ["2"])
            #expect(records.connection(id)?.filters == ["kind": "a"])
            #expect(records.connectionID(on: records.root, key: TodoConnection.key) == all.first?.dataID)
        }
    }

    @Test func nullsAreKeptUntilAPageIsAdded() throws {
        let store = Store()
        var page = Self.page(["1", nil])
        page.edges?.insert(nil, at: 1)
        page.info?.end = "cnull"
        try store.land(page, .init(first: 3))
        #expect(store.todos().data?.todos?.edges == [Edge("1", cursor: "c1"), nil, Edge(nil, cursor: "cnull")])
        try store.land(Self.page([nil, "2"]), .init(first: 2, after: "cnull"))
        #expect(
            store.todos().data?.todos?.edges == [
                Edge("1", cursor: "c1"), Edge(nil, cursor: "cnull"), Edge(nil, cursor: "cnull"),
                Edge("2", cursor: "c2"),
            ])
    }

    @Test func anOperationNeedsTheConnectionAndNotOnlyItsOwnPage() throws {
        let store = try Self.filled(["1", "2"])
        func check() -> Coverage {
            store.check(store.bind(TodoConnection.artifact, variables: TodoConnection.Arguments(first: 2).json))
        }
        #expect(check() == .available(fetchedAt: nil))
        try store.update { records in
            let connection = try #require(records.connection(on: records.root, key: TodoConnection.key))
            try connection.append(node: records.create("3", type: "Todo"))
        }
        guard case .missing(let place) = check() else {
            Issue.record("the new node has no text")
            return
        }
        #expect(place.path == ["todos", "edges", 2, "node", "id"])
    }

    @Test func aNullConnectionIsNullAndComesBackWithItsEdges() throws {
        let store = try Self.filled(["1", "2"])
        try store.land(nil, .init(first: 2))
        #expect(store.todos().data != nil && store.todos().data?.todos == nil)
        #expect(!store.todos().isMissingData)
        try store.land(Self.page(["3"]), .init(first: 1, after: "c2"))
        #expect(Self.nodes(store) == ["1", "2", "3"])
    }

    @Test func anAnswerThatSaysNothingNewChangesNothing() throws {
        let store = try Self.filled(["1", "2"])
        let before = store.dump()
        #expect(
            try store.land(Self.page(["1", "2"], hasPrevious: true, hasNext: true), .init(first: 2)).recordsChanged == 0
        )
        #expect(store.dump() == before)
        // The later pages are dropped, although the response is the same as before.
        try store.land(Self.page(["3"]), .init(first: 1, after: "c2"))
        #expect(Self.nodes(store) == ["1", "2", "3"])
        #expect(
            try store.land(Self.page(["1", "2"], hasPrevious: true, hasNext: true), .init(first: 2)).recordsChanged > 0)
        #expect(Self.nodes(store) == ["1", "2"])
    }

    @Test func pagesThatWereReadBeforeOthersLandedAreNotLost() throws {
        let store = try Self.filled(["1"])
        func read(_ nodes: [String], _ arguments: TodoConnection.Arguments) throws -> () -> Void {
            let operation = store.bind(TodoConnection.artifact, variables: arguments.json)
            let body: JSONValue = ["data": ["todos": Self.page(nodes).json]]
            let staged = try store.normalize(body.jsonBytes, for: operation)
            return { store.publish(staged, for: operation) }
        }
        let after = try read(["2"], .init(first: 1, after: "c1"))
        let before = try read(["0"], .init(last: 1, before: "c1"))
        before()
        after()
        #expect(Self.nodes(store) == ["0", "1", "2"])
    }

    @Test func anUpdaterSeesTheConnectionWithThePageInIt() throws {
        let store = try Self.filled(["1"])
        let operation = store.bind(
            TodoConnection.artifact, variables: TodoConnection.Arguments(first: 1, after: "c1").json)
        let body: JSONValue = ["data": ["todos": Self.page(["2"]).json]]
        let staged = try store.normalize(body.jsonBytes, for: operation)
        let epoch = store.epoch
        try store.publish(staged, for: operation) { records in
            let connection = try #require(records.connection(on: records.root, key: TodoConnection.key))
            #expect(connection.nodes.map { $0?.dataID } == ["1", "2"])
            #expect(connection.endCursor == "c2")
            try connection.deleteNode("1")
        }
        #expect(store.epoch == epoch + 1)
        #expect(Self.nodes(store) == ["2"])
    }

    @Test func edgesThatWereSetByHandAreLookedThrough() throws {
        let store = try Self.filled(["1", "2"])
        try store.update { records in
            let connection = try #require(records.connection(on: records.root, key: TodoConnection.key))
            // One edge links to another node than its identity says, and one edge was made elsewhere.
            let three = try records.create("3", type: "Todo")
            try three.setValue("3", forField: "id")
            try three.setValue("three", forField: "text")
            try #require(connection.edges.first ?? nil).setLinkedRecord(three, forField: "node")
            let edge = try records.createLocal(type: "TodoEdge")
            try edge.setLinkedRecord(records.get("1"), forField: "node")
            try edge.setValue(nil, forField: "cursor")
            #expect(try !connection.insertEdge(edge, after: "c1") == false)
            #expect(connection.contains("1") && connection.contains("3"))
        }
        #expect(Self.nodes(store) == ["3", "1", "2"])
        try store.land(Self.page(["3", "1", "4", "2"]), .init(first: 4, after: "c2"))
        #expect(Self.nodes(store) == ["3", "1", "2", "4"])
    }

    @Test func aNodeIsInsertedOnceUnlessRepetitionIsAllowed() throws {
        let store = try Self.filled(["1", "2"])
        try store.update { records in
            let connection = try #require(records.connection(on: records.root, key: TodoConnection.key))
            let one = try #require(records.get("1"))
            #expect(try !connection.append(node: one))
            #expect(try !connection.prepend(node: one))
            let edge = try connection.createEdge(node: one)
            #expect(edge == connection.edges[0])
            #expect(try connection.insertEdge(edge, allowingRepetition: true))
            #expect(connection.count == 3)
            #expect(try connection.deleteNode("1") == 2)
            #expect(connection.nodes.map { $0?.dataID } == ["2"])
        }
    }

    @Test func fieldsOfConnectionsMayHaveOtherNames() throws {
        let plan =
            "(after){items(after:$after):List@connection(\"k\"){parts:[Part]{at:String item:+Item{id:ID!}} pages:Pages{last:String more:Boolean}}}"
        let artifact = GeneratedCode.OperationArtifact(
            name: "Q", kind: .query, text: "", normalization: plan, reader: plan)
        let names = StoreOptions.ConnectionNames(
            edges: "parts", node: "item", cursor: "at", pageInfo: "pages", endCursor: "last", hasNextPage: "more")
        let store = Store(options: StoreOptions(connectionNames: names))
        for (after, id) in [(nil, "1"), ("a1", "2")] {
            let operation = store.bind(artifact, variables: ["after": after.jsonValue])
            try store.write(
                #"{"data":{"items":{"parts":[{"at":"a\#(id)","item":{"id":"\#(id)"}}],"pages":{"last":"a\#(id)","more":true}}}}"#,
                for: operation)
        }
        try store.update { records in
            let connection = try #require(records.connection(on: records.root, key: "k"))
            #expect(connection.nodes.map { $0?.dataID } == ["1", "2"])
            #expect(connection.endCursor == "a2")
        }
    }

    @Test func whatADeletionTakesOutOfConnectionsLetsTheNextPageBeAskedFor() throws {
        let store = try Self.filled(["1", "2", "3"])
        try store.update { try $0.delete("3") }
        #expect(Self.nodes(store) == ["1", "2", nil])
        try store.update { records in
            #expect(try records.removeReferences(to: "3") == 2, "of the server's connection and of the client's")
            try records.delete("1", removingReferences: true)
        }
        #expect(Self.nodes(store) == ["2"])
        #expect(store.todos().data?.todos?.info == Info(start: "c2", end: "c2", hasPrevious: true, hasNext: true))
        try store.land(Self.page(["4"]), .init(first: 1, after: "c2"))
        #expect(Self.nodes(store) == ["2", "4"])
        try store.update { records in
            for id in ["2", "4"] { try records.delete(DataID(id), removingReferences: true) }
        }
        #expect(store.todos().data?.todos?.info?.end == nil)
    }

    @Test(arguments: [("null", "todos.edges"), ("[null]", "todos.edges.0")])
    func anErrorOfTheEdgesIsOneOfTheConnection(_ edges: String, _ path: String) throws {
        let store = Store()
        let operation = store.bind(TodoConnection.artifact, variables: TodoConnection.Arguments(first: 1).json)
        let keys = path.split(separator: ".").map { Int($0).map(String.init) ?? "\"\($0)\"" }.joined(separator: ",")
        try store.write(
            #"{"data":{"todos":{"edges":\#(edges)}},"errors":[{"message":"no edges","path":[\#(keys)]}]}"#,
            for: operation)
        func errors() throws -> [String] {
            try store.update { records -> [String] in
                let connection = try #require(records.root.linkedRecord(forField: "__TodoList_todos_connection"))
                return connection.field("edges").errors.map(\.message)
            }.0
        }
        #expect(try errors() == ["no edges"])
        try store.land(Self.page(["1"]), .init(first: 1))
        #expect(try errors() == [])
    }

    @Test func anErrorOfTheFieldIsOneOfTheConnection() throws {
        let store = Store()
        let operation = store.bind(TodoConnection.artifact, variables: TodoConnection.Arguments(first: 1).json)
        try store.write(
            #"{"data":{"todos":null},"errors":[{"message":"no todos","path":["todos"]}]}"#, for: operation)
        try store.update { records in
            let field = records.root.field("__TodoList_todos_connection")
            #expect(field.errors.map(\.message) == ["no todos"])
            #expect(records.root.field("todos", arguments: ["first": 1]).errors.map(\.message) == ["no todos"])
            try field.setLinkedRecord(nil)
            #expect(field.errors.isEmpty)
        }
    }
}
