import Baton
import BatonTesting
import Testing

/// Every line under "Names users will type" of the design, in the form in which an app would write it with generated
/// code.
@Suite(.timeLimit(.minutes(20))) struct NamesUsersTypeTests {
    let network = MockNetwork()
    let environment: RelayEnvironment

    init() { environment = RelayEnvironment(network: network) }

    /// Returns the answer to a `FilmListQuery` with these titles; the films are numbered from 1.
    static func list(_ titles: String..., errors: String? = nil) -> String {
        let edges = titles.enumerated().map { number, title in
            #"{"node":{"id":"\#(number + 1)","title":"\#(title)","released":"1977-05-25"}}"#
        }
        let errors = errors.map { #","errors":\#($0)"# } ?? ""
        return #"{"data":{"allFilms":{"edges":[\#(edges.joined(separator: ","))]}}\#(errors)}"#
    }

    private func answer(_ body: String) async throws {
        try await network.nextRequest().respond(body: body)
        await settle(environment)
    }

    private func fail() async throws {
        try await network.nextRequest().fail(Unplugged())
        await settle(environment)
    }

    /// Runs work that waits for an answer, and answers.
    private func answering<Value: Sendable>(
        _ body: String, _ work: @Sendable @escaping () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await work() }
        try await network.nextRequest().respond(body: body)
        return try await task.value
    }

    struct Unplugged: Error {}

    @Test func aListDrawsItsRows() async throws {
        var refreshCount = 0
        let films = QueryHandle<FilmListQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        #expect(films.result == .loading)

        var pictures: [String] = []
        func draw() {
            switch films.get(first: 20, fetchKey: refreshCount) {
            case .loading: pictures.append("loading")
            case .failure(let error): pictures.append("\(error)")
            case .success(let data): pictures.append("\(data?.allFilms.edges.count ?? 0)")
            }
        }
        draw()
        let screen = FilmList(films)
        let token = await screen.start()
        try await answer(Self.list("IV", "V"))
        #expect(network.requests.last.map { JSONValue.object($0.variables) } == ["first": 20])
        draw()
        refreshCount += 1
        draw()
        try await answer(Self.list("IV", "V", "VI"))
        draw()
        draw()
        #expect(pictures == ["loading", "2", "2", "3", "3"])
        #expect(network.requests.count == 2)
        #expect(await screen.pictures.last == "3 films")
        token.cancel()

        let data = try #require(try films.result.get())
        var rows: [FilmRow] = []
        for edge in data.allFilms.edges {
            let row = FragmentHandle(edge.node.fragments.filmRow_film, in: environment)
            switch row.get() {
            case .loading: Issue.record("loading")
            case .failure(let error): Issue.record(error)
            case .success(let film): #expect(film?.released == Day(1977, 5, 25))
            }
            #expect(environment.read(edge.node.fragments.filmRow_film)?.title == row.get().data?.title)
            let component = FilmRow(edge.node.fragments.filmRow_film, in: environment)
            await component.start()
            rows.append(component)
        }
        await settle(environment)
        try environment.update { store in try store.get("2")?.setValue("Empire", forField: "title") }
        await settle(environment)
        #expect(await rows[0].titles == ["IV"])
        #expect(await rows[1].titles == ["V", "Empire"])
        #expect(await screen.pictures.count(where: { $0 == "3 films" }) == 1, "the list does not read what a row shows")
    }

    @Test func anObjectThatShowsItsIDIsFoundInAnUpdate() async throws {
        let films = QueryHandle<FilmListQuery>(in: environment)
        _ = films.get()
        try await answer(Self.list("IV", "V"))
        let nodes = try #require(films.get().data).allFilms.edges.map(\.node)
        let (film, other) = (try #require(nodes.last), try #require(nodes.first))
        try environment.update { store in
            let record = try #require(store.get(film))
            #expect(record.value(forField: "title") == "V")
            #expect(record.dataID == environment.dataID(of: film))
            try store.delete(environment.dataID(of: other))
            #expect(store.get(other) == nil)
        }
    }

    @Test func resultsAndHandlesTellTheirState() async throws {
        let films = QueryHandle<FilmListQuery>(in: environment)
        let loading: QueryResult<FilmListQuery.Data> = films.get()
        #expect(loading.isLoading && loading.data == nil && loading.error == nil)
        #expect(try loading.get() == nil)
        #expect(films.isFetching && films.fetchError == nil && films.previousData == nil)
        try await fail()
        let failure = films.get()
        #expect(failure == .failure(.transport(Unplugged())) && failure.error == .transport(Unplugged()))
        #expect(failure.error?.underlying is Unplugged)
        #expect(throws: RelayError.transport(Unplugged())) { try failure.get() }
        #expect(films.fetchError == .transport(Unplugged()) && !films.isFetching)
        films.retry()
        try await answer(Self.list("IV"))
        let success = films.get()
        #expect(success.data?.allFilms.edges.map(\.node.id) == ["1"])
        #expect(!films.isMissingData && films.errors.isEmpty)

        #expect(films.get(first: 1).isLoading)
        #expect(films.previousData == nil)
        #expect(films.previousData(anyVariables: true) == success.data)
        let absent = films.get(FilmListQuery.Variables(first: .null), fetchKey: nil)
        #expect(absent.isLoading)
        try await answer(Self.list())
        // The requests of two calls are sent by two tasks, so that their order is not determined.
        #expect(network.requests.suffix(2).contains { JSONValue.object($0.variables) == ["first": nil] })

        try await answering(Self.list("IV", "V")) { try await films.refetch().finished() }
        #expect(films.result.data?.allFilms.edges.count == 2)
    }

    @Test func resultsAreAnAsyncSequence() async throws {
        let films = QueryHandle<FilmListQuery>(in: environment)
        _ = films.get(first: 20)
        var counts: [Int?] = []
        for await result in films.results {
            counts.append(result.data?.allFilms.edges.count)
            if result.isLoading { try await answer(Self.list("IV")) } else { break }
        }
        #expect(counts == [nil, 1])
    }

    @MainActor @Test func theMainActorObserves() async throws {
        let films = QueryHandle<FilmListQuery>(in: environment)
        let label = Label()
        let token = films.observe(on: .shared) { result in label.text = "\(result.data?.allFilms.edges.count ?? -1)" }
        _ = films.get(first: 20)
        try await answer(Self.list("IV"))
        #expect(label.text == "1")
        token.cancel()
        try environment.update { store in
            try store.root.field("allFilms", arguments: ["first": 20]).setNull(because: [GraphQLError(message: "gone")])
        }
        await settle(environment)
        #expect(label.text == "1")
        #expect(films.get(first: 20) == .success(nil), "the null moves up to the root")
    }

    @MainActor final class Label {
        var text = ""
    }

    @Test func oneShotFetchesFollowEveryPolicy() async throws {
        let environment = environment
        let body = Self.list("IV", errors: #"[{"message":"late","path":["allFilms"]}]"#)
        let response: GraphQLResponse = try await answering(body) {
            try await environment.fetch(FilmListQuery(first: 20))
        }
        #expect(response.data?.allFilms.edges.count == 1)
        #expect(response.errors.map(\.path) == [["allFilms"]])
        #expect(
            response.json["data"]?["allFilms"]?["edges"] == [
                ["node": ["id": "1", "title": "IV", "released": "1977-05-25"]]
            ])

        let networkOnly = try await answering(body) {
            try await environment.fetch(FilmListQuery(first: 20), policy: .networkOnly)
        }
        let networkOrStore = try await answering("") {
            try await environment.fetch(FilmListQuery(first: 20), policy: .networkOrStore)
        }
        let storeOrNetwork = try await environment.fetch(FilmListQuery(first: 20), policy: .storeOrNetwork)
        let storeOnly = try? await environment.fetch(FilmListQuery(first: 20), policy: .storeOnly)
        #expect(
            [networkOnly, networkOrStore, storeOrNetwork, storeOnly].map { $0?.data }
                == Array(repeating: response.data, count: 4))
        #expect(
            [networkOnly, networkOrStore, storeOrNetwork, storeOnly].map { $0?.source } == [
                .network, .store, .store, .store,
            ])
        #expect(storeOnly?.json["data"] == response.json["data"])
        #expect((try? await environment.fetch(FilmListQuery(first: 3), policy: .storeOnly)) == nil)

        var counts: [Int?] = []
        for try await response in environment.fetchStream(FilmListQuery(first: 20), policy: .storeAndNetwork) {
            counts.append(response.data?.allFilms.edges.count)
            if counts.count == 1 { try await network.nextRequest().respond(body: Self.list("IV", "V")) }
        }
        #expect(counts == [1, 2])
    }

    @Test func aResponseThatIsNotWrittenReadsItsOwnFragments() async throws {
        let environment = environment
        let before = environment.store.epoch
        let response = try await answering(Self.list("IV")) {
            try await environment.fetch(FilmListQuery(first: 20), configuration: .init(writeResultsToStore: false))
        }
        let row = try #require(response.data?.allFilms.edges.first?.node.fragments.filmRow_film)
        #expect(response.read(row)?.title == "IV")
        #expect(environment.read(row) == nil)
        #expect(environment.store.epoch == before)
        #expect((try? await environment.fetch(FilmListQuery(first: 20), policy: .storeOnly)) == nil)
    }

    @Test func anUpdaterWritesTheAnswerOfAMutation() async throws {
        let environment = environment
        let film = QueryHandle<FilmQuery>(in: environment, fetchPolicy: .storeOnly)
        try environment.update { store in
            try store.create("1", type: "Film").setValue("IV", forField: "title")
        }
        let result = try await answering(
            #"{"data":{"addReview":{"stars":5,"commentary":null,"createdAt":"2026-01-02"}}}"#
        ) {
            try await environment.commit(
                AddReviewMutation(episode: .jedi, review: ReviewInput(stars: 5, at: Day(2026, 1, 2)))
            ) { store, data in
                let stars = data.addReview?.stars ?? 0
                try store.get("1")?.setValue(.string("IV, \(stars) stars"), forField: "title")
                let film = try #require(store.get("1"))
                try film.setLinkedRecords([], forField: "characters")
                for field in ["released", "extra", "unmapped", "episode"] { try film.setValue(nil, forField: field) }
                try store.root.setLinkedRecord(film, forField: "film", arguments: ["id": "1"])
            }
        }
        #expect(result.data?.addReview?.createdAt == Day(2026, 1, 2))
        let shown = try #require(film.get(id: "1").data?.film)
        #expect(environment.read(shown.fragments.film)?.title == "IV, 5 stars")
        #expect(!film.isMissingData)
    }

    @Test func errorsOfAFragmentAreThoseUnderItsPath() async throws {
        let films = QueryHandle<FilmListQuery>(in: environment)
        _ = films.get()
        let errors =
            #"[{"message":"0","path":["allFilms","edges",0,"node","released"]},{"message":"1","path":["allFilms","edges",1,"node","title"]},{"message":"all"}]"#
        try await answer(Self.list("IV", "V", errors: errors))
        let edges = try #require(films.get().data?.allFilms.edges)
        #expect(films.errors.map(\.message) == ["0", "1", "all"])
        let rows = edges.map { FilmRow($0.node.fragments.filmRow_film, in: environment) }
        #expect(await rows[0].errors.map(\.message) == ["0"])
        #expect(await rows[1].errors.map(\.message) == ["1"])
    }
}
