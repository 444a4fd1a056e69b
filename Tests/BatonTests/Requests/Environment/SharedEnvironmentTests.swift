import StoreModel
import Testing

@testable import Baton

/// The guarantees of `SharedEnvironment`.
@Suite(.timeLimit(.minutes(20))) struct SharedEnvironmentTests {
    private let clock = SleepingClock()
    private let stage: Stage
    private let shared: SharedEnvironment

    init() {
        stage = Stage(clock: clock)
        let ages = SharedEnvironment.Ages(fresh: .seconds(5), usable: .seconds(60), pause: .seconds(1))
        shared = SharedEnvironment(stage.environment, ages: ages, capacity: 10)
    }

    private static let query = Films.TitleQuery(id: "1")

    private func title(in environment: RelayEnvironment, _ id: String = "1") -> String? {
        QueryHandle<Films.TitleQuery>(in: environment, fetchPolicy: .storeOnly)
            .get(Films.FilmQuery.Variables(id: id)).data?.film?.title
    }

    private func film(_ title: String, id: String = "1") -> String {
        #"{"data":{"film":{"__typename":"Film","id":"\#(id)","title":"\#(title)"}}}"#
    }

    /// Waits until a condition holds. A wait in vain is a failure after a moment, and not at the end of all time.
    private func soon(
        _ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        for _ in 0..<20_000 where !condition() { await Task.yield() }
        #expect(condition(), "waited in vain", sourceLocation: sourceLocation)
    }

    /// Asks for the film, and answers what is sent.
    private func environment(answering title: String) async throws -> RelayEnvironment {
        async let environment = shared.environment(with: Self.query)
        await soon { stage.network.waiting > 0 }
        stage.network.answer(film(title))
        return try await environment
    }

    /// Answers the request that was sent while old data was used.
    private func answerRefresh(_ title: String) async {
        await soon { stage.network.waiting > 0 }
        await stage.answer(film(title))
        // The data is in the store before the fetch has ended.
        await soon { shared.age(of: Self.query) == .zero }
    }

    private func advance(_ duration: Duration) { clock.advance(by: duration) }

    @Test("A query that was never fetched is waited for.")
    func aQueryThatWasNeverFetchedIsWaitedFor() async throws {
        #expect(!shared.isReady(Self.query) && shared.age(of: Self.query) == nil)
        #expect(try await title(in: environment(answering: "A New Hope")) == "A New Hope")
        #expect(shared.isReady(Self.query) && shared.age(of: Self.query) == .zero)
    }

    @Test("Requests that wait for the same query share one fetch.")
    func requestsThatWaitShareOneFetch() async throws {
        let titles = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 {
                group.addTask { [self] in try? await title(in: shared.environment(with: Self.query)) }
            }
            group.addTask { [self] in
                // A request that decides while the response lands may ask once more.
                while !Task.isCancelled {
                    stage.network.answer(film("A New Hope"))
                    await Task.yield()
                }
                return nil
            }
            var titles: [String?] = []
            while titles.count < 20, let title = await group.next() { titles.append(title) }
            group.cancelAll()
            return titles
        }
        #expect(titles == Array(repeating: "A New Hope", count: 20))
        #expect(stage.network.sent.count < 5)
    }

    @Test("Fresh data is used without a fetch.")
    func freshDataIsUsedWithoutAFetch() async throws {
        _ = try await environment(answering: "A New Hope")
        advance(.seconds(4))
        for _ in 0..<3 { #expect(try await title(in: shared.environment(with: Self.query)) == "A New Hope") }
        #expect(stage.network.sent.count == 1)
    }

    @Test("Data that is usable and no longer fresh is used at once, and fetched again, once for all requests.")
    func usableDataIsUsedAndFetchedAgainOnce() async throws {
        _ = try await environment(answering: "Star Wars")
        advance(.seconds(6))
        for _ in 0..<3 { #expect(try await title(in: shared.environment(with: Self.query)) == "Star Wars") }
        await soon { stage.network.waiting > 0 }
        for _ in 0..<200 { await Task.yield() }
        // Equal requests would be shared; here there are none.
        #expect(!stage.log.fetches.contains("shared"))
        await answerRefresh("A New Hope")
        #expect(stage.network.sent.count == 2)
        #expect(try await title(in: shared.environment(with: Self.query)) == "A New Hope")
        #expect(shared.age(of: Self.query) == .zero)
    }

    @Test(
        "Data that was invalidated is not used: the next request waits for the query.",
        arguments: ["query", "all queries", "record", "type", "store"])
    func invalidatedDataIsWaitedFor(_ what: String) async throws {
        _ = try await environment(answering: "Star Wars")
        let revision = shared.revision(of: [Self.query])
        #expect(revision != nil && shared.isReady(Self.query))
        switch what {
        case "query": stage.environment.invalidate(Self.query)
        case "all queries": stage.environment.invalidate(Films.TitleQuery.self)
        case "record": stage.environment.invalidate("1")
        case "type": stage.environment.invalidate(type: "Film")
        default: stage.environment.invalidate()
        }
        #expect(shared.revision(of: [Self.query]) == nil && !shared.isReady(Self.query))
        #expect(try await title(in: environment(answering: "A New Hope")) == "A New Hope")
        // Once is enough.
        #expect(try await title(in: shared.environment(with: Self.query)) == "A New Hope")
        #expect(stage.network.sent.count == 2 && shared.revision(of: [Self.query]) != nil)
    }

    @Test("A response to a request from before the invalidation does not count.")
    func aResponseFromBeforeTheInvalidationIsStale() async throws {
        async let first = shared.environment(with: Self.query)
        await soon { stage.network.waiting > 0 }
        stage.environment.invalidate(Self.query)
        stage.network.answer(film("Star Wars"))
        _ = try await first
        #expect(try await title(in: environment(answering: "A New Hope")) == "A New Hope")
    }

    @Test("Data that is too old to be used is waited for.")
    func oldDataIsWaitedFor() async throws {
        _ = try await environment(answering: "Star Wars")
        advance(.seconds(61))
        #expect(try await title(in: environment(answering: "A New Hope")) == "A New Hope")
    }

    @Test("After a failure the same query fails at once until the pause is over.")
    func afterAFailureTheQueryFailsAtOnce() async throws {
        let waiting = Task { [shared] in try await shared.environment(with: Self.query) }
        await soon { stage.network.waiting > 0 }
        stage.network.fail()
        await #expect(throws: RelayError.transport(Unreachable())) { try await waiting.value }
        try #require(shared.isReady(Self.query), "the next request would wait")
        await #expect(throws: RelayError.transport(Unreachable())) { try await shared.environment(with: Self.query) }
        #expect(stage.network.sent.count == 1)
        advance(.seconds(2))
        #expect(try await title(in: environment(answering: "A New Hope")) == "A New Hope")
    }

    @Test func aFailedFetchLeavesUsableDataInUse() async throws {
        _ = try await environment(answering: "A New Hope")
        advance(.seconds(6))
        _ = try await shared.environment(with: Self.query)
        await soon { stage.network.waiting > 0 }
        let revision = shared.revision(of: [Self.query])
        await stage.fail()
        #expect(try await title(in: shared.environment(with: Self.query)) == "A New Hope")
        #expect(stage.network.sent.count == 2)
        // The pause begins when the task of the fetch has heard of the failure.
        await soon { shared.revision(of: [Self.query]) != revision }
        advance(.seconds(2))
        _ = try await shared.environment(with: Self.query)
        await answerRefresh("Star Wars")
        #expect(stage.network.sent.count == 3)
    }

    @Test("Data with errors at fields is used, and is fetched again after the pause.")
    func dataWithErrorsIsUsedAndFetchedAgain() async throws {
        async let first = shared.environment(with: Self.query)
        await soon { stage.network.waiting > 0 }
        stage.network.answer(#"{"data":{"film":null},"errors":[{"message":"SQL: no","path":["film"]}]}"#)
        #expect(try await title(in: first) == nil)
        #expect(shared.errors(of: Self.query).map(\.message) == ["SQL: no"])
        _ = try await shared.environment(with: Self.query)
        #expect(stage.network.sent.count == 1)
        advance(.seconds(2))
        _ = try await shared.environment(with: Self.query)
        await answerRefresh("A New Hope")
        #expect(try await title(in: shared.environment(with: Self.query)) == "A New Hope")
        #expect(shared.errors(of: Self.query).isEmpty)
    }

    @Test(
        "What a mutation or an update changes in the shared environment is in the environments that are made afterwards."
    )
    func aChangeOfTheSharedDataIsInLaterEnvironments() async throws {
        let before = try await environment(answering: "Star Wars")
        try stage.environment.update { try $0.get("Film", id: "1")?.setValue(.string("A New Hope"), forField: "title") }
        #expect(try await title(in: shared.environment(with: Self.query)) == "A New Hope")
        #expect(title(in: before) == "Star Wars")
    }

    @Test func aRequestSeesNothingThatAnotherWrites() async throws {
        let one = try await environment(answering: "A New Hope")
        try one.update { try $0.get("Film", id: "1")?.setValue(.string("mine"), forField: "title") }
        #expect(title(in: one) == "mine")
        #expect(try await title(in: shared.environment(with: Self.query)) == "A New Hope")
    }

    @Test("Of the queries that were asked for longest ago, those over the capacity are released.")
    func queriesOverTheCapacityAreReleased() async throws {
        for number in 0..<16 {
            advance(.milliseconds(10))
            async let environment = shared.environment(with: Films.TitleQuery(id: "\(number)"))
            await soon { stage.network.waiting > 0 }
            stage.network.answer(film("Film \(number)", id: "\(number)"))
            _ = try await environment
        }
        let known = (0..<16).filter { shared.age(of: Films.TitleQuery(id: "\($0)")) != nil }
        #expect(known.count <= 10 && known.last == 15 && known == Array(known[0]...15))
    }

    // MARK: - Revisions

    private var revision: SharedEnvironment.Revision? { shared.revision(of: [Self.query]) }

    @Test("While the revision of some queries is the same, so is their data.")
    func aRevisionEndsWithEachChangeOfTheSharedData() async throws {
        #expect(revision == nil)
        _ = try await environment(answering: "Star Wars")
        let first = try #require(revision)
        advance(.seconds(4))
        #expect(revision == first)
        try stage.environment.update { try $0.get("Film", id: "1")?.setValue(.string("A New Hope"), forField: "title") }
        let second = try #require(revision)
        #expect(second != first && revision == second)
        // What a request writes for its visitor is no change of the shared data.
        let own = try await shared.environment(with: Self.query)
        try own.update { try $0.get("Film", id: "1")?.setValue(.string("mine"), forField: "title") }
        #expect(revision == second && stage.network.sent.count == 1)
    }

    @Test func aRevisionEndsWithAFetchThatChangesOnlyErrors() async throws {
        async let first = shared.environment(with: Self.query)
        await soon { stage.network.waiting > 0 }
        stage.network.answer(#"{"data":{"film":null},"errors":[{"message":"SQL: no","path":["film"]}]}"#)
        _ = try await first
        let broken = try #require(revision)
        advance(.seconds(2))
        #expect(revision == broken)
        await soon { stage.network.waiting > 0 }
        await stage.answer(#"{"data":{"film":null}}"#)
        await soon { shared.age(of: Self.query) == .zero }
        #expect(revision != broken && shared.errors(of: Self.query).isEmpty)
    }

    @Test func askingForARevisionKeepsTheAges() async throws {
        _ = try await environment(answering: "Star Wars")
        let first = try #require(revision)
        advance(.seconds(6))
        for _ in 0..<3 { #expect(revision == first) }
        await answerRefresh("Star Wars")
        #expect(stage.network.sent.count == 2)
        #expect(revision != nil && revision != first)
        advance(.seconds(61))
        #expect(revision == nil)
    }

    @Test func aRevisionEndsWithAFetchThatFails() async throws {
        _ = try await environment(answering: "Star Wars")
        let first = try #require(revision)
        advance(.seconds(6))
        #expect(revision == first)
        await soon { stage.network.waiting > 0 }
        await stage.fail()
        await soon { revision != first }
        #expect(revision != nil)
    }

    @Test func aRevisionIsNilAfterAFailure() async throws {
        let waiting = Task { [shared] in try await shared.environment(with: Self.query) }
        await soon { stage.network.waiting > 0 }
        stage.network.fail()
        await #expect(throws: RelayError.self) { try await waiting.value }
        #expect(revision == nil && stage.network.sent.count == 1)
    }

    @Test func severalQueriesAreFetchedAtTheSameTime() async throws {
        async let environment = shared.environment(with: Self.query, Films.TitleQuery(id: "2"))
        await soon { stage.network.waiting >= 2 }
        for _ in 0..<2 {
            stage.network.answer { request in
                guard case .string(let id)? = request.variables.first?.value else { return "{}" }
                return film("Film \(id)", id: id)
            }
        }
        let made = try await environment
        #expect(title(in: made) == "Film 1" && title(in: made, "2") == "Film 2")
    }

    @Test func aRequestWithoutANetworkAsksNobody() async throws {
        let environment = try await environment(answering: "A New Hope")
        await #expect(throws: RelayError.self) { try await environment.fetch(Films.TitleQuery(id: "2")) }
        #expect(stage.network.sent.count == 1)
    }

    @Test func aFrameIsDrawnOnlyAfterAChange() async throws {
        _ = try await environment(answering: "Star Wars")
        let handle = QueryHandle<Films.TitleQuery>(in: stage.environment, fetchPolicy: .storeOnly)
        let drawn = Guarded(0)
        let frames = stage.environment.frames { () -> String in
            drawn.withLock { $0 += 1 }
            return handle.get(Films.FilmQuery.Variables(id: "1")).data?.film?.title ?? ""
        }
        let (seen, told) = AsyncStream.makeStream(of: String.self)
        let reader = Task {
            for await frame in frames { told.yield(frame) }
            told.finish()
        }
        var iterator = seen.makeAsyncIterator()
        #expect(await iterator.next() == "Star Wars")
        for _ in 0..<500 { await Task.yield() }
        #expect(drawn.withLock(\.self) == 1)
        try stage.environment.update { try $0.get("Film", id: "1")?.setValue(.string("A New Hope"), forField: "title") }
        #expect(await iterator.next() == "A New Hope")
        for _ in 0..<500 { await Task.yield() }
        #expect(drawn.withLock(\.self) == 2)
        reader.cancel()
        #expect(await iterator.next() == nil)
    }

    @Test func framesFollowTheDataThatTheyRead() async throws {
        _ = try await environment(answering: "Star Wars")
        let handle = QueryHandle<Films.TitleQuery>(in: stage.environment, fetchPolicy: .storeOnly)
        let frames = stage.environment.frames {
            handle.get(Films.FilmQuery.Variables(id: "1")).data?.film?.title ?? ""
        }
        var seen: [String] = []
        for await frame in frames {
            seen.append(frame)
            if seen.count == 3 { break }
            try stage.environment.update { [count = seen.count] in
                try $0.get("Film", id: "1")?.setValue(.string("Part \(count)"), forField: "title")
            }
        }
        #expect(seen == ["Star Wars", "Part 1", "Part 2"])
    }
}
