import Baton
import BatonTesting
import Foundation
import Testing

/// Local updates of records that generated operations read, through fields with and without arguments.
@Suite(.timeLimit(.minutes(20))) struct LocalUpdateTests {
    let network = MockNetwork()
    let environment: RelayEnvironment

    init() { environment = RelayEnvironment(network: network) }

    private func hero(_ episode: GraphQLNullable<Episode>) -> QueryHandle<HeroNameQuery> {
        let handle = QueryHandle<HeroNameQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        _ = handle.get(HeroNameQuery.Variables(episode: episode.input))
        return handle
    }

    /// Returns a handle on a hero that came from the network.
    private func fetchedHero(_ episode: GraphQLNullable<Episode>, _ id: String, _ name: String) async throws
        -> QueryHandle<HeroNameQuery>
    {
        let handle = hero(episode)
        let body = #"{"data":{"hero":{"__typename":"Human","id":"\#(id)","name":"\#(name)"}}}"#
        try await network.nextRequest().respond(body: body)
        await settle(environment)
        return handle
    }

    private func name(_ handle: QueryHandle<HeroNameQuery>) -> String? { handle.result.data?.hero?.name }

    /// The arguments under which an update finds each value of a nullable variable. A variable that is left out adds no
    /// argument.
    static let arguments: [(GraphQLNullable<Episode>, [String: JSONValue])] = [
        (.value(.jedi), ["episode": "JEDI"]), (.value(.unknown("LATER")), ["episode": "LATER"]),
        (.null, ["episode": nil]), (.absent, [:]),
    ]

    @Test(arguments: arguments) func aFieldIsFoundByTheValuesOfItsArguments(
        _ episode: GraphQLNullable<Episode>, _ arguments: [String: JSONValue]
    ) async throws {
        let handle = try await fetchedHero(episode, "h", "Luke")
        try environment.update { store in
            let hero = try #require(store.root.linkedRecord(forField: "hero", arguments: arguments))
            #expect(hero.dataID == "h" && hero.typename == "Human")
            #expect(hero.value(forField: "name") == "Luke")
            try hero.setValue("Leia", forField: "name")
            #expect(store.root.linkedRecord(forField: "hero", arguments: ["episode": "EMPIRE"]) == nil)
        }
        #expect(name(handle) == "Leia")
    }

    @Test func argumentsOfEveryKindAreCompared() throws {
        let filter = FilmFilter(title: .init(equals: "IV"), in: [.jedi, .newHope])
        let films = QueryHandle<FilmsQuery>(in: environment, fetchPolicy: .storeOnly)
        let search = QueryHandle<SearchQuery>(in: environment, fetchPolicy: .storeOnly)
        _ = films.get(filter: filter, since: Day(1977, 5, 25), prices: [2, nil])
        _ = search.get(text: "a \"quoted\" text")
        try environment.update { store in
            try store.root.setLinkedRecords(
                [], forField: "films",
                arguments: [
                    "since": "1977-05-25", "prices": ["2", nil],
                    "filter": ["in": ["JEDI", "NEW_HOPE"], "title": ["equals": "IV"]],
                ])
            // A variable's default counts as its value.
            let place = try store.create("place", type: "Place")
            try place.setValue("Hoth", forField: "name")
            try place.setValue([[1, 2.5]], forField: "coordinates")
            try store.root.setLinkedRecords(
                [place], forField: "search", arguments: ["text": "a \"quoted\" text", "first": 10])
            try store.root.setLinkedRecord(nil, forField: "thing")
        }
        #expect(films.result.data?.films?.isEmpty == true)
        let found = try #require(search.result.data?.search.first?.fragments.placeBits)
        #expect(environment.read(found)?.coordinates == [[1, 2.5]])
    }

    @Test func recordsAreCreatedLinkedAndDeleted() async throws {
        let jedi = try await fetchedHero(.value(.jedi), "h", "Luke")
        try environment.update { store in
            let leia = try store.create("leia", type: "Human")
            try leia.setValue("leia", forField: "id")
            try leia.setValue("Leia", forField: "name")
            try store.root.setLinkedRecord(leia, forField: "hero", arguments: ["episode": "JEDI"])
            try store.root.setLinkedRecord(
                store.get("h"), forField: "hero", arguments: ["episode": "EMPIRE"])
            #expect(throws: UpdateError.exists("leia")) { try store.create("leia", type: "Human") }
        }
        #expect(name(jedi) == "Leia")
        #expect(!jedi.isMissingData)
        let empire = hero(.value(.empire))
        #expect(name(empire) == "Luke", "what an update has put there is available")
        try environment.update { store in
            try store.delete("leia")
            #expect(store.get("leia") == nil)
            #expect(store.root.linkedRecord(forField: "hero", arguments: ["episode": "JEDI"]) == nil)
        }
        #expect(jedi.result.data != nil && jedi.result.data?.hero == nil)
        #expect(!jedi.isMissingData, "a deleted record is null, not missing")
        #expect(name(empire) == "Luke")
        await settle(environment)
        #expect(network.requests.count == 1)
    }

    @Test func aScalarThatDoesNotConvertIsMissing() async throws {
        try environment.update { store in
            let film = try store.create("1", type: "Film")
            try film.setValue("1", forField: "id")
            try film.setValue("IV", forField: "title")
            try film.setValue("someday", forField: "released")
            let edge = try store.root.getOrCreateLinkedRecord(
                forField: "allFilms", type: "FilmsConnection", arguments: ["first": 10])
            let item = try store.create("edge", type: "FilmsEdge")
            try item.setLinkedRecord(film, forField: "node")
            try edge.setLinkedRecords([item], forField: "edges")
        }
        let films = QueryHandle<FilmListQuery>(in: environment, fetchPolicy: .storeOnly)
        let row = try #require(films.get().data?.allFilms.edges.first?.node.fragments.filmRow_film)
        let handle = FragmentHandle(row, in: environment)
        #expect(handle.get().data?.title == "IV")
        #expect(handle.get().data?.released == nil)
    }

    enum Invalidation: CaseIterable {
        case store
        case storeInUpdate
        case record
        case recordInUpdate
    }

    @Test(arguments: Invalidation.allCases) func invalidatedDataAreFetchedAtTheNextOpening(
        _ invalidation: Invalidation
    ) async throws {
        let open = try await fetchedHero(.value(.jedi), "h", "Luke")
        let other = try await fetchedHero(.value(.empire), "h2", "Han")
        switch invalidation {
        case .store: environment.invalidate()
        case .storeInUpdate: try environment.update { store in try store.invalidateStore() }
        case .record: environment.invalidate("h")
        case .recordInUpdate: try environment.update { store in try store.get("h")?.invalidate() }
        }
        await settle(environment)
        #expect(open.get(episode: .jedi).data?.hero?.name == "Luke", "nothing moves")
        #expect(network.pending.isEmpty)
        let jedi = QueryHandle<HeroNameQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        try #require(jedi.get(episode: .jedi).isLoading)
        // The handle's request is the first one with an answer below.
        await settle(environment)
        let empire = QueryHandle<HeroNameQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        let isWhole = invalidation == .store || invalidation == .storeInUpdate
        #expect(empire.get(episode: .empire).isLoading == isWhole)
        #expect(name(other) == "Han")
        let stored = QueryHandle<HeroNameQuery>(in: environment, fetchPolicy: .storeOnly)
        #expect(stored.get(episode: .jedi).data?.hero?.name == "Luke")
        try await network.nextRequest().respond(
            body: #"{"data":{"hero":{"__typename":"Human","id":"h","name":"Luke"}}}"#)
        await settle(environment)
        #expect(name(jedi) == "Luke")
        let again = QueryHandle<HeroNameQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        #expect(again.get(episode: .jedi).data?.hero?.name == "Luke", "valid again")
        #expect(network.pending.count == (isWhole ? 1 : 0), "the other hero")
    }

    @Test func anUpdateThatThrowsIsNeverSeen() async throws {
        struct Refusal: Error {}
        let handle = try await fetchedHero(.value(.jedi), "h", "Luke")
        let before = environment.store.dump()
        #expect(throws: Refusal.self) {
            try environment.update { store in
                try store.get("h")?.setValue("Leia", forField: "name")
                try store.delete("h")
                try store.create("new", type: "Human")
                try store.invalidateStore()
                throw Refusal()
            }
        }
        #expect(name(handle) == "Luke")
        #expect(environment.store.dump() == before)
        #expect(hero(.value(.jedi)).result.data?.hero?.name == "Luke", "it is not stale either")
    }
}
