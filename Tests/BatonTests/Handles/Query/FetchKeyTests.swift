import Testing

@testable import Baton

/// The effect of fetch keys, and the requests that a changed key starts.
@Suite(.timeLimit(.minutes(20))) struct FetchKeyTests {
    typealias FilmHandle = QueryHandle<Films.FilmQuery>
    let stage = Stage(releaseBufferSize: 0)

    /// A response to a `FilmQuery` without its rating.
    private let incomplete =
        #"{"data":{"film":{"id":"1","title":"one","favourite":false,"director":{"id":"p1","name":"Irvin"}}}}"#

    private func handle(_ policy: FetchPolicy = .networkOnly) -> FilmHandle {
        FilmHandle(in: stage.environment, fetchPolicy: policy)
    }

    private func title(_ result: QueryResult<Films.FilmQuery.Data>) -> String? { result.data?.film?.title }

    // MARK: - Keys that do not equal themselves

    /// A key with a number inside, as a component may make it of its state.
    private struct Place: Hashable, Sendable {
        var name: String
        var number: Double?
    }

    @Test func aKeyThatDoesNotEqualItselfIsNoRefetchInEachFrame() async {
        let keys: [any Hashable & Sendable] = [
            Double.nan, -Float.nan, [1, Double.nan], Optional(Double.nan), Place(name: "a", number: .nan),
            ["a": [Double.nan]],
        ]
        for (index, key) in keys.enumerated() {
            let handle = handle()
            for _ in 0..<5 {
                _ = handle.get(id: "\(index)", fetchKey: key)
                await stage.settle()
            }
            #expect(stage.network.waiting == 1, "\(key)")
            await stage.answer(Films.film("\(index)", "one"))
            let other = self.handle()
            for _ in 0..<5 {
                #expect(title(handle.get(id: "\(index)", fetchKey: key)) == "one")
                #expect(title(other.get(id: "\(index)", fetchKey: key)) == "one")
                await stage.settle()
            }
            #expect(stage.network.sent.count == index + 1, "\(key)")
            #expect(FetchKey(key) == FetchKey(key) && FetchKey(key).hashValue == FetchKey(key).hashValue)
        }
        let sent = stage.network.sent.count
        let handle = handle()
        _ = handle.get(id: "1", fetchKey: Place(name: "b", number: .nan))
        await stage.answer(Films.film("1", "one"))
        _ = handle.get(id: "1", fetchKey: Place(name: "c", number: .nan))
        await stage.answer(Films.film("1", "one"))
        _ = handle.get(id: "1", fetchKey: 1.0)
        await stage.answer(Films.film("1", "one"))
        #expect(stage.network.sent.count == sent + 3, "different keys are refetches")
    }

    // MARK: - Answers that lack a field

    @Test(arguments: FetchPolicy.allCases.filter { $0 != .storeOnly })
    func aKeyCountsThoughTheAnswerLackedAField(_ policy: FetchPolicy) async {
        let first = handle(policy)
        _ = first.get(id: "1", fetchKey: "shown")
        await stage.answer(incomplete)
        let others = (1...11).map { _ in handle(policy) }
        for other in others {
            #expect(title(other.get(id: "1", fetchKey: "shown")) == "one")
            await stage.settle()
        }
        #expect(stage.network.sent.count == 1)
        #expect(others.allSatisfy { $0.isMissingData })
        // A return to the old key starts no request; another key does.
        _ = first.get(id: "1", fetchKey: "shown")
        _ = first.get(id: "1", fetchKey: "again")
        await stage.settle()
        #expect(stage.network.sent.count == 2)
    }

    @Test func aKeyCountsForNothingOnceWhatItBroughtWasInvalidatedOrLetGo() async {
        var first: FilmHandle? = handle(.storeOrNetwork)
        _ = first?.get(id: "1", fetchKey: "shown")
        await stage.answer(incomplete)
        stage.environment.invalidate()
        var second: FilmHandle? = handle(.storeOrNetwork)
        #expect(second?.get(id: "1", fetchKey: "shown").isLoading == true)
        await stage.answer(incomplete)
        #expect(stage.network.sent.count == 2)
        first = nil
        second = nil
        await stage.settle()
        stage.environment.collectGarbage()
        let third = handle(.storeOrNetwork)
        #expect(third.get(id: "1", fetchKey: "shown").isLoading)
        await stage.answer(incomplete)
        #expect(title(third.get(id: "1", fetchKey: "shown")) == "one")
    }

    @Test func whatWasLostSinceIsAskedForAgain() async throws {
        let first = handle(.storeOrNetwork)
        _ = first.get(id: "1", fetchKey: "shown")
        await stage.answer(Films.film("1", "one"))
        // Another query links to another film, of which the store has few fields.
        try stage.environment.update { store in
            let other = try store.create("2", type: "Film")
            try other.setValue("2", forField: "id")
            try store.root.setLinkedRecord(other, forField: "film", arguments: ["id": "1"])
        }
        let second = handle(.storeOrNetwork)
        #expect(second.get(id: "1", fetchKey: "shown").isLoading)
        await stage.settle()
        #expect(stage.network.sent.count == 2)
    }

    // MARK: - Keys that change while a request is in flight

    @Test(arguments: FetchPolicy.allCases.filter { $0 != .storeOnly })
    func aChangedKeyAsksAgainAndTheOlderRequestIsGivenUp(_ policy: FetchPolicy) async {
        let handle = handle(policy)
        _ = handle.get(id: "1", fetchKey: 1)
        await stage.settle()
        _ = handle.get(id: "1", fetchKey: 2)
        await stage.settle()
        #expect(stage.network.sent.count == 2 && stage.network.cancelled == 1)
        await stage.answer(Films.film("1", "new"))
        #expect(title(handle.get(id: "1", fetchKey: 2)) == "new")
        #expect(!handle.isFetching)
    }

    @Test func handlesThatChangeToOneKeyMakeOneRequest() async {
        let handles = (1...12).map { _ in handle() }
        for key in 1...3 {
            for handle in handles { _ = handle.get(id: "1", fetchKey: key) }
            await stage.settle()
            #expect(stage.network.sent.count == key && stage.network.waiting == 1)
        }
        await stage.answer(Films.film("1", "three"))
        #expect(handles.allSatisfy { title($0.get(id: "1", fetchKey: 3)) == "three" })
    }

    @Test func aFirstGetJoinsWhateverItsKey() async {
        let environment = stage.environment
        let preloaded = Task { try await environment.fetch(Films.FilmQuery(id: "1")) }
        while stage.network.waiting == 0 { await Task.yield() }
        let handles = (1...3).map { key in
            let handle = handle()
            _ = handle.get(id: "1", fetchKey: key)
            return handle
        }
        await stage.settle()
        #expect(stage.network.sent.count == 1)
        await stage.answer(Films.film("1", "one"))
        _ = await preloaded.result
        #expect(handles.enumerated().allSatisfy { title($1.get(id: "1", fetchKey: $0 + 1)) == "one" })
        await stage.settle()
        #expect(stage.network.sent.count == 1)
    }

    /// The log hears of the response when its data is in the store and the request has not ended.
    @Test func theKeyOfAHandleThatJoinsWhileTheAnswerLandsIsFetched() async {
        let network = ScriptedNetwork()
        let late = Guarded<FilmHandle?>(nil)
        let environment = RelayEnvironment(network: network) { event in
            guard case .published = event, let handle = late.withLock({ $0 }) else { return }
            _ = handle.get(id: "1", fetchKey: 2)
        }
        let (first, second) = (FilmHandle(in: environment), FilmHandle(in: environment))
        late.withLock { $0 = second }
        _ = first.get(id: "1", fetchKey: 1)
        while network.waiting == 0 { await Task.yield() }
        network.answer(Films.film("1", "one"))
        while first.isFetching || second.isFetching { await Task.yield() }
        late.withLock { $0 = nil }
        let third = FilmHandle(in: environment, fetchPolicy: .storeOrNetwork)
        for key in 1...2 { #expect(title(third.get(id: "1", fetchKey: key)) == "one") }
        #expect(network.sent.count == 1 && !third.isFetching)
    }

    @Test(arguments: [true, false]) func theNewerAnswerWinsInWhicheverOrderTheyCome(_ isNewestFirst: Bool) async {
        let (waiting, changing) = (handle(), handle())
        _ = waiting.get(id: "1", fetchKey: 1)
        _ = changing.get(id: "1", fetchKey: 1)
        await stage.settle()
        _ = changing.get(id: "1", fetchKey: 2)
        await stage.settle()
        #expect(stage.network.waiting == 2 && stage.network.cancelled == 0)
        let older = #"{"data":{"film":null},"errors":[{"message":"old"}]}"#
        if isNewestFirst {
            stage.network.answerNewest(Films.film("1", "new"))
            await stage.answer(older)
        } else {
            await stage.answer(older)
            await stage.answer(Films.film("1", "new"))
        }
        #expect(title(changing.get(id: "1", fetchKey: 2)) == "new")
        #expect(title(waiting.get(id: "1", fetchKey: 1)) == "new")
        #expect(changing.errors == [])
        // The newer fetch counts.
        let child = handle()
        #expect(title(child.get(id: "1", fetchKey: 2)) == "new")
        #expect(child.errors == [])
        await stage.settle()
        #expect(stage.network.sent.count == 2)
    }
}
