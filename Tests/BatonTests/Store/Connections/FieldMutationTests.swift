import Testing

@testable import Baton

/// Marks of normalization plans by which answers change connections and records.
@Suite struct FieldMutationTests {
    private static let connection = DataID.connection(on: .root, key: TodoConnection.key)

    private static func operation(_ plan: String, _ variables: JSONValue, in store: Store) -> BoundOperation {
        let artifact = GeneratedCode.OperationArtifact(
            name: "Change", kind: .mutation, text: "", normalization: plan, reader: plan)
        return store.bind(artifact, variables: variables)
    }

    private static func filled() throws -> Store {
        let store = Store()
        let edges = (1...3).map { TodoConnection.Edge("\($0)", cursor: "c\($0)") }
        try store.land(.init(edges: edges, info: .init(start: "c1", end: "c3")), .init(first: 3))
        return store
    }

    /// Lands a response; returns the nodes of the connection afterwards.
    private static func land(
        _ data: String, _ plan: String, _ variables: JSONValue = [:], in store: Store
    ) throws -> [String?]? {
        let operation = operation(plan, variables, in: store)
        let staged = try store.normalize(Array("{\"data\":\(data)}".utf8), for: operation)
        try store.publish(staged, for: operation, updating: { _ in })
        #expect(store.checkInvariants().isEmpty)
        return store.todos().data?.todos?.nodes
    }

    private static func node(mark: String) -> String { "+Todo\(mark){id:ID! text:String}" }
    private static let four = #"{"id":"4","text":"four"}"#

    @Test func valuesOfConnectionsAreResolved() throws {
        let variables: JSONValue = ["c": [.string(Self.connection.rawValue)], "one": "client:x", "e": "TodoEdge"]
        let forms = ["$c", "[\"\(Self.connection)\",$one]", "\"\(Self.connection)\""]
        for form in forms {
            let store = try Self.filled()
            let plan = "(c,one,e){node:\(Self.node(mark: "@appendNode(\(form),$e)"))}"
            let nodes = try Self.land("{\"node\":\(Self.four)}", plan, variables, in: store)
            #expect(nodes == ["1", "2", "3", "4"], "\(form)")
        }
        let store = try Self.filled()
        let plan = "(c,e){node:\(Self.node(mark: "@appendNode($c,$e)"))}"
        #expect(try Self.land("{\"node\":\(Self.four)}", plan, ["c": nil], in: store) == ["1", "2", "3"])
    }

    @Test(arguments: [true, false, nil]) func aChangeIsMadeOnlyIfItsConditionHolds(_ holds: Bool?) throws {
        let store = try Self.filled()
        let variables: JSONValue = holds.map { ["if": .bool($0)] } ?? [:]
        let nodes = try Self.land(#"{"gone":"2"}"#, "(if){gone:ID@deleteRecord[if]}", variables, in: store)
        #expect(nodes == (holds == true ? ["1", "3"] : ["1", "2", "3"]))
    }

    /// A record says itself which one it is, whatever its type; an edge is found by the types of the nodes.
    @Test func recordsOfOtherTypesAreFound() throws {
        let store = Store()
        let page = "(first){todos(first:$first):C@connection(\"L_todos\"){edges:[E]{cursor:String node:Tag{id:ID!}}}}"
        let data = #"{"todos":{"edges":[{"cursor":"1","node":{"id":"1"}},{"cursor":"2","node":{"id":"2"}}]}}"#
        _ = try Self.land(data, page, ["first": 2], in: store)
        let root = try #require(
            try store.update { source in source.connections(key: "L_todos").first?.dataID.rawValue }.0)
        _ = try Self.land(#"{"gone":"1"}"#, "(c){gone:ID@deleteEdge($c)}", ["c": [.string(root)]], in: store)
        try store.update { source in
            #expect(source.connection(DataID(root))?.nodes.map { $0?.dataID } == ["Tag:2"])
        }
        _ = try Self.land(#"{"tag":{"id":"2"}}"#, "{tag:Tag{id:ID!@deleteRecord}}", in: store)
        try store.update { source in
            #expect(source.get("Tag:2") == nil && source.get("Tag:1") != nil)
            #expect(source.connection(DataID(root))?.count == 0)
        }
    }

    /// An ID alone finds an object of the type that the field or its payload names, and no other with the same `id`.
    @Test(arguments: [
        ("{deletedFilmId:ID@deleteRecord}", #"{"deletedFilmId":"1"}"#, true),
        ("{deletedFilmIds:[ID]@deleteRecord}", #"{"deletedFilmIds":["9",1]}"#, true),
        ("{remove:DeleteFilmPayload{deletedId:ID@deleteRecord}}", #"{"remove":{"deletedId":"1"}}"#, true),
        ("{remove:RemoveFilmPayload{deletedId:ID@deleteRecord}}", #"{"remove":{"deletedId":"1"}}"#, false),
        ("{remove:RemoveFilmPayload{reviewId:ID@deleteRecord}}", #"{"remove":{"reviewId":"1"}}"#, false),
        ("{remove:Payload{deletedId:ID@deleteRecord}}", #"{"remove":{"deletedId":"1"}}"#, false),
    ])
    func anIDAloneFindsARecordOfTheNamedType(_ plan: String, _ answer: String, _ isFound: Bool) throws {
        let store = Store()
        _ = try Self.land(
            #"{"film":{"id":"1"},"person":{"id":"1"},"filmReview":{"id":"1"}}"#,
            "{film:Film{id:ID!} person:Person{id:ID!} filmReview:FilmReview{id:ID!}}", [:], in: store)
        _ = try Self.land(answer, plan, [:], in: store)
        try store.update { source in
            #expect((source.get("Film:1") == nil) == isFound)
            #expect(source.get("Person:1") != nil && source.get("FilmReview:1") != nil)
        }
    }

    @Test func theNameOfWhatWasDeletedIsRead() {
        for name in ["deletedFilmReviewIds", "deleted_film_review_id", "film_review_id"] {
            #expect(DeletedSubject(of: name)?.isType("FilmReview") == true)
            #expect(DeletedSubject(of: name)?.isType("Film") == false)
        }
        for name in ["id", "deletedId", "deleted_ids", "deletedNodeId"] { #expect(DeletedSubject(of: name) == nil) }
    }

    @Test func noAnswerDeletesTheRoot() throws {
        let store = try Self.filled()
        let nodes = try Self.land(#"{"all":[["client:root"],["3",null]]}"#, "{all:[[ID]]@deleteRecord}", in: store)
        #expect(nodes == ["1", "2"])
    }

    /// A list of lists of records, with nulls.
    @Test func nestedListsAreAdded() throws {
        let store = try Self.filled()
        let plan = "(c){nodes:[[+Todo]]@prependNode($c,\"TodoEdge\"){id:ID! text:String}}"
        let nodes = try Self.land(
            #"{"nodes":[[\#(Self.four),null],null,[{"id":"5","text":""}]]}"#, plan,
            ["c": [.string(Self.connection.rawValue)]], in: store)
        #expect(nodes == ["5", "4", "1", "2", "3"])
    }

    /// Items of a stream, and what is in a fragment that comes later, count when they come.
    @Test func laterPartsCountWhenTheyCome() throws {
        let store = try Self.filled()
        let plan =
            "(c){nodes:[+Todo]@appendNode($c,\"TodoEdge\")@stream(\"S\",1){id:ID! text:String} <>@defer(\"D\"){gone:ID@deleteRecord}}"
        let operation = Self.operation(plan, ["c": [.string(Self.connection.rawValue)]], in: store)
        var delivery = try #require(IncrementalDelivery(operation))
        func land(_ payload: String) throws -> [String?]? {
            let landed = try store.normalize(Array(payload.utf8), into: &delivery)
            try store.publish(landed.response, for: operation, updating: { _ in })
            return store.todos().data?.todos?.nodes
        }
        let first = try land(#"{"data":{"nodes":[\#(Self.four)]},"hasNext":true}"#)
        #expect(first == ["1", "2", "3", "4"])
        let second = try land(#"{"label":"S","path":["nodes",1],"data":{"id":"5","text":""},"hasNext":true}"#)
        #expect(second == ["1", "2", "3", "4", "5"])
        let third = try land(#"{"label":"D","path":[],"data":{"gone":"4"},"hasNext":false}"#)
        #expect(third == ["1", "2", "3", "5"])
    }
}
