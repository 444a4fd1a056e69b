// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Testing

@testable import Baton

/// `query Node($id: ID!) { node(id: $id) { id ... on Film { title } } }`
struct NodeQuery: GraphQLQuery {
    static let artifact = GeneratedCode.OperationArtifact(
        name: "Node", kind: .query, text: "",
        normalization: "(id){node(id:$id):+*Node{id:ID! <Film>{title:String!}}}",
        reader: "(id){node(id:$id):+*Node{<Film>{title:String!}}}")
    var variables: Films.FilmQuery.Variables
    init(variables: Films.FilmQuery.Variables) { self.variables = variables }
    init(id: String) { self.init(variables: .init(id: id)) }

    struct Data: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var node: Node? { __row.optionalObject(0) }

        struct Node: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var film: Film? { __row.inlineFragment(0) }
        }
        struct Film: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var title: String { __row.string(0) }
        }
    }
}

@Suite(.timeLimit(.minutes(20))) struct MissingFieldHandlerTests {
    @Test func nodeIsFoundWithoutARequest() async throws {
        let stage = Stage()
        try await stage.seed(Films.ListQuery(), Films.list(2))
        stage.log.clear()
        for policy in [FetchPolicy.storeOrNetwork, .storeOnly] {
            let handle = QueryHandle<NodeQuery>(in: stage.environment, fetchPolicy: policy)
            #expect(handle.get(.init(id: "2")).data?.node?.film?.title == "Film 2")
            #expect(!handle.isMissingData)
        }
        let handle = QueryHandle<NodeQuery>(in: stage.environment, fetchPolicy: .storeOnly)
        #expect(handle.get(.init(id: "1")).data?.node?.film?.title == "Film 1")
        #expect(stage.network.waiting == 0)
        // A found value is in the store: there is one publish for each of the two.
        #expect(stage.log.publishes.map(\.source) == [.missingFieldHandlers, .missingFieldHandlers])
        #expect(stage.log.publishes.map(\.componentsNotified) == [0, 0])
        #expect(stage.log.checks.map(\.availability.isAvailable) == [true])
    }

    @Test func aRecordThatIsNotThereOrOfAnotherTypeIsMissing() throws {
        let store = Store()
        try store.write(Films.list(1), for: store.bind(Films.ListQuery()))
        #expect(store.missingPath(store.bind(NodeQuery(id: "7"))) == ["node"])
        // The identity belongs to an object that is no `Node`.
        try store.write(#"{"data":{"odd":{"id":"8"}}}"#, for: store.bind(Self.odd, variables: .object([])))
        #expect(store.missingPath(store.bind(NodeQuery(id: "Odd:8"))) == ["node"])
        try store.update { try $0.delete("1") }
        #expect(store.missingPath(store.bind(NodeQuery(id: "1"))) == nil, "deleted is present")
        #expect(store.read(NodeQuery(id: "1")).data?.node == nil)
        #expect(!store.read(NodeQuery(id: "1")).isMissingData)
    }

    private static let odd = GeneratedCode.OperationArtifact(
        name: "Odd", kind: .query, text: "", normalization: "{odd:Odd{id:ID!}}", reader: "{}")

    @Test func handlersCanBeTakenAway() throws {
        let store = Store(options: StoreOptions(missingFieldHandlers: []))
        try store.write(Films.list(1), for: store.bind(Films.ListQuery()))
        #expect(store.missingPath(store.bind(NodeQuery(id: "1"))) == ["node"])
    }

    @Test func theApplicationsHandlersFindLinksListsAndScalars() throws {
        let seen = Guarded<[String]>([])
        let film = MissingFieldHandler.linked { field in
            let text = "\(field.parent.typename) \(field.name) \(field.type) \(field.arguments)"
            seen.withLock { $0.append(text) }
            guard field.name == "film", case .string(let id)? = field.arguments["id"] else { return .unknown }
            return .value(DataID(id))
        }
        let films = MissingFieldHandler.plural { field in
            guard field.name == "films", case .int(let count)? = field.arguments["first"],
                let all = field.parent.linkedRecords(forField: "films")
            else { return .unknown }
            return .value(all.prefix(count).map { $0?.dataID })
        }
        let total = MissingFieldHandler.scalar { field in
            field.name == "rating" ? .null : field.name == "total" ? .value(7) : .unknown
        }
        let store = Store(options: StoreOptions(missingFieldHandlers: [film, films, total]))
        try store.write(Films.list(3), for: store.bind(Films.ListQuery()))

        let operation = store.bind(Films.FilmQuery(id: "2"))
        #expect(store.check(operation) == .available(fetchedAt: nil))
        let data = store.read(Films.FilmQuery(id: "2")).data?.film
        #expect(data?.title == "Film 2" && data?.rating == nil)
        #expect(seen.withLock { $0 } == [#"__Root film Film ["id": "2"]"#])

        let list = store.bind(Films.ListQuery(variables: .init(first: .value(2))))
        #expect(store.check(list) == .available(fetchedAt: nil))
        let ids = store.read(Films.ListQuery(variables: .init(first: .value(2)))).data?.films.map { $0?.id }
        #expect(ids == ["1", "2"])
        #expect(seen.withLock { $0 }.count == 1, "handlers of another kind are not asked")
    }

    @Test func whatDoesNotFitIsNotTaken() throws {
        let wrong = [
            MissingFieldHandler.linked { $0.name == "film" ? .value("p1") : .unknown },
            .linked { $0.name == "film" ? .value("nowhere") : .unknown },
            .plural { _ in .value(["1", "p1"]) },
            .scalar { _ in .value("not a number") },
        ]
        let store = Store(options: StoreOptions(missingFieldHandlers: wrong))
        try store.write(
            #"{"data":{"films":[{"id":"1","title":"a","favourite":true,"director":{"id":"p1","name":"b"}}]}}"#,
            for: store.bind(Self.films, variables: .object([])))
        let before = store.dump()
        #expect(store.missingPath(store.bind(Films.FilmQuery(id: "1"))) == ["film"])
        #expect(store.missingPath(store.bind(Films.ListQuery())) == ["total"])
        #expect(store.missingPath(store.bind(Films.ListQuery(variables: .init(first: .value(9))))) == ["films"])
        #expect(store.dump() == before)
    }

    private static let films = GeneratedCode.OperationArtifact(
        name: "Films", kind: .query, text: "",
        normalization: "{films:[+Film]!{id:ID! title:String! favourite:Boolean director:+Person{id:ID! name:String!}}}",
        reader: "{}")

    /// The handler runs while no lock is held. A response that lands meanwhile is newer than the handler's value.
    @Test func anAnswerThatLandsWhileAHandlerRunsWins() throws {
        let held = Guarded<Store?>(nil)
        let handler = MissingFieldHandler.linked { field in
            guard field.name == "film" else { return .unknown }
            let store = held.withLock { $0 }
            if let store { _ = try? store.write(Films.film("1", "newer"), for: store.bind(Films.FilmQuery(id: "1"))) }
            return .value("2")
        }
        let store = Store(options: StoreOptions(missingFieldHandlers: [handler]))
        held.withLock { $0 = store }
        try store.write(Films.list(2), for: store.bind(Films.ListQuery()))
        _ = store.check(store.bind(Films.TitleQuery(id: "1")))
        #expect(store.read(Films.TitleQuery(id: "1")).data?.film?.title == "newer")
        held.withLock { $0 = nil }
    }

    @Test(arguments: [
        "film", #"film(id:"4")"#, #"f(a:[1,{"b":"),("}],c:null,d:"x:y")"#, "f(a:1.5)",
    ]) func aStorageKeyComesApartAsItWasPutTogether(_ text: String) throws {
        let parts = try #require(StorageKey(text).parts)
        #expect(StorageKey(parts.name, parts.arguments.map { ($0.key, $0.value) }).rawValue == text)
    }
}
