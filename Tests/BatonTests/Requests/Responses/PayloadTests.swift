import Testing

@testable import Baton

/// Payloads that are published without a request, and queries that are read or fetched without a handle.
@Suite(.timeLimit(.minutes(20))) struct PayloadTests {
    let stage = Stage()
    private var environment: RelayEnvironment { stage.environment }
    private let query = Films.FilmQuery(id: "1")
    private static let film: JSONValue = [
        "film": ["id": "1", "title": "Hope", "rating": 5, "favourite": nil, "director": nil]
    ]

    // MARK: - Publishing

    @Test(arguments: [
        GraphQLPayload<Films.FilmQuery>.data(film), .data(json: film.text),
        .data(json: [0xEF, 0xBB, 0xBF] + film.jsonBytes),
        .response(json: #"{"data":\#(film.text)}"#), .response(json: Array(#"{"data":\#(film.text)}"#.utf8)),
    ])
    func aPayloadIsReadLikeAnAnswer(_ payload: GraphQLPayload<Films.FilmQuery>) async throws {
        let handle = QueryHandle<Films.FilmQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        try environment.publish(payload, for: query)
        #expect(handle.get(id: "1").data?.film?.title == "Hope")
        #expect(!handle.isFetching && stage.network.waiting == 0)
        #expect(stage.log.publishes.map(\.source) == [.response(operationName: "Film", request: 0)])
        #expect(stage.log.publishes.first?.normalizing != nil)
        #expect(environment.explain("1").write?.source == .response(operationName: "Film", kind: .query, request: 0))
    }

    @Test func itTellsThoseWhoReadWhatChanged() async throws {
        try await stage.seed(query, Films.film("1", "one"))
        let handle = QueryHandle<Films.FilmQuery>(in: environment, fetchPolicy: .storeOnly)
        #expect(handle.get(id: "1").data?.film?.title == "one")
        try environment.publish(.data(Self.film), for: query)
        #expect(handle.get(id: "1").data?.film?.title == "Hope")
        #expect(stage.log.publishes.last?.componentsNotified == 1)
    }

    @Test func itIsNewerThanTheAnswersOfQueriesInFlight() async throws {
        let handle = QueryHandle<Films.FilmQuery>(in: environment)
        _ = handle.get(id: "1")
        try environment.publish(.data(Self.film), for: query)
        await stage.answer(Films.film("1", "older"))
        #expect(handle.get(id: "1").data?.film?.title == "Hope")
    }

    @Test func itIsNoFetchUnderAKey() async throws {
        let handle = QueryHandle<Films.FilmQuery>(in: environment)
        _ = handle.get(id: "1", fetchKey: 1)
        await stage.answer(Films.film("1", "one"))
        try environment.publish(.data(Self.film), for: query)
        let other = QueryHandle<Films.FilmQuery>(in: environment)
        _ = other.get(id: "1", fetchKey: 1)
        #expect(stage.network.waiting == 0)
    }

    @Test(arguments: [
        GraphQLPayload<Films.FilmQuery>.data(json: "{"), .data(json: #"{},"errors":[]"#), .data(json: ""),
        .data(["film": ["id": "1", "title": 5]]), .response(json: "{}"), .response(json: "[1]"),
        .response(json: #"{"data":null,"errors":[{"message":"down"}]}"#),
    ])
    func whatDoesNotFitChangesNothing(_ payload: GraphQLPayload<Films.FilmQuery>) throws {
        let epoch = environment.store.epoch
        let error = #expect(throws: RelayError.self) { try environment.publish(payload, for: query) }
        switch error?.reason {
        case .invalidResponse: break
        case .noData(let errors): #expect(errors == [GraphQLError(message: "down")])
        default: Issue.record("\(String(describing: error))")
        }
        #expect(environment.store.epoch == epoch)
    }

    // MARK: - Reading

    @Test func aQueryIsReadAtOnce() async throws {
        let nothing = environment.read(query)
        #expect(nothing.data?.film == nil)
        #expect(nothing.isMissingData)
        #expect(nothing.missingField?.path == ["film"])
        guard case .missing(let place) = environment.check(query) else {
            Issue.record("\(environment.check(query))")
            return
        }
        #expect(place.path == ["film"])
        try environment.publish(.data(Self.film), for: query)
        let there = environment.read(query)
        #expect(environment.check(query).isAvailable)
        #expect(!there.isMissingData)
        let row = try #require(there.data?.film?.row)
        #expect(environment.read(row)?.title == "Hope")
        environment.invalidate("1")
        #expect(environment.check(query) == .stale(.recordInvalidated("1")))
        #expect(stage.network.waiting == 0)
    }

    // MARK: - Fetching without reading

    @Test func whatIsPrefetchedIsThere() async throws {
        let environment = environment
        let task = Task { [query] in try await environment.prefetch(query, fetchKey: 7) }
        while stage.network.waiting == 0 { await Task.yield() }
        let error = #"{"data":\#(Self.film.text),"errors":[{"message":"rating","path":["film","rating"]}]}"#
        stage.network.answer(error)
        #expect(try await task.value.map(\.message) == ["rating"])
        let handle = QueryHandle<Films.FilmQuery>(in: environment)
        _ = handle.get(id: "1", fetchKey: 7)
        #expect(stage.network.waiting == 0)
        // Available data is not fetched again, unless the policy asks for it.
        #expect(try await environment.prefetch(query).map(\.message) == ["rating"])
        let again = Task { [query] in try await environment.prefetch(query, policy: .networkOnly) }
        while stage.network.waiting == 0 { await Task.yield() }
        stage.network.fail(Unreachable())
        await #expect(throws: RelayError.transport(Unreachable())) { try await again.value }
        let fallback = Task { [query] in try await environment.prefetch(query, policy: .networkOrStore) }
        while stage.network.waiting == 0 { await Task.yield() }
        stage.network.fail(Unreachable())
        #expect(try await fallback.value == [])
    }

    @Test func aPrefetchEndsWithItsTask() async throws {
        let environment = environment
        let task = Task { [query] in try await environment.prefetch(query) }
        while stage.network.waiting == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: RelayError.cancelled) { try await task.value }
    }

    // MARK: - Handles

    @Test func aReferenceKnowsItsEnvironment() async throws {
        try await stage.seed(query, Films.film("1", "one"))
        let row = try #require(environment.read(query).data?.film?.row)
        let handle = FragmentHandle(row)
        #expect(handle.get().data?.title == "one")
        try environment.update { try $0.get("1")?.setValue("two", forField: "title") }
        #expect(handle.get().data?.title == "two")
    }

    @Test func aReferenceOutlivesItsEnvironmentAndShowsNothing() throws {
        var row: FragmentReference<Films.FilmRow>?
        do {
            let environment = RelayEnvironment(network: ScriptedNetwork())
            let retention = environment.retain(query)
            try environment.publish(.data(Self.film), for: query)
            row = environment.read(query).data?.film?.row
            _ = retention
        }
        let reference = try #require(row)
        #expect(FragmentHandle(reference).get() == .failure(.foreignReference(fragment: "FilmRow")))
        #expect(reference.dataID == "")
    }

    @Test func noStateComesTwiceInARow() async throws {
        try await stage.seed(query, Films.film("1", "one"))
        let handle = QueryHandle<Films.FilmQuery>(in: environment, fetchPolicy: .storeOnly)
        _ = handle.get(id: "1")
        let results = handle.results
        let collector = Task {
            var titles: [String?] = []
            for await state in results {
                titles.append(state.data?.film?.title)
                if titles.last == "three" { break }
            }
            return titles
        }
        for _ in 0..<20 {
            for _ in 0..<5 { await Task.yield() }
            // Both states have come and gone before the other task reads.
            for title in ["two", "one"] {
                try environment.update { try $0.get("1")?.setValue(.string(title), forField: "title") }
                _ = handle.get(id: "1")
            }
        }
        try environment.update { try $0.get("1")?.setValue("three", forField: "title") }
        let titles = await collector.value
        #expect(titles.last == "three")
        #expect(zip(titles, titles.dropFirst()).allSatisfy { $0 != $1 }, "\(titles)")
    }

    @Test func aResultGivesItsDataOrItsError() throws {
        #expect(try QueryResult<Int>.loading.get() == nil && QueryResult<Int>.loading.isLoading)
        #expect(throws: RelayError.noResponse) { try QueryResult<Int>.failure(.noResponse).get() }
        #expect(try QueryResult<Int>.success(nil).get() == nil && !QueryResult<Int>.success(nil).isLoading)
        #expect(try QueryResult<Int>.success(1).get() == 1)
    }
}
