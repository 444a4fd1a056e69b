import Testing

@testable import Baton

/// Preloading, giving up and skipping, by guarantee.
@Suite(.timeLimit(.minutes(20))) struct PreloadTests {
    let stage = Stage()

    @Test("A handle of a preloaded query joins its request.")
    func preloadUnderWay() async {
        let preloaded = stage.environment.preload(Films.FilmQuery(id: "1"), policy: .networkOnly)
        let handle = QueryHandle(preloaded)
        #expect(handle.get(id: "1") == .loading)
        await stage.settle()
        #expect(stage.network.sent.count == 1)
        await stage.answer(Films.film("1", "one"))
        #expect(handle.get(id: "1").data?.film?.title == "one")
        #expect(!preloaded.isFetching)
    }

    @Test(
        "A handle of a preloaded query whose data has arrived shows it, and sends nothing.",
        arguments: FetchPolicy.allCases)
    func preloadArrived(_ policy: FetchPolicy) async {
        let preloaded = stage.environment.preload(Films.FilmQuery(id: "1"), policy: policy)
        await stage.answer(Films.film("1", "one"))
        let handle = QueryHandle(preloaded)
        let result = handle.get(id: "1")
        await stage.settle()
        #expect(result.data?.film?.title == (policy == .storeOnly ? nil : "one"))
        #expect(stage.network.sent.count == (policy == .storeOnly ? 0 : 1))
    }

    /// The response lands on another thread while the handle asks for the first time.
    @Test(arguments: [FetchPolicy.storeOrNetwork, .networkOnly, .storeAndNetwork])
    func anAnswerThatLandsDuringTheFirstGetIsEnough(_ policy: FetchPolicy) async {
        for round in 0..<200 {
            let stage = Stage()
            let preloaded = stage.environment.preload(Films.FilmQuery(id: "1"), policy: policy)
            await stage.settle()
            let landing = Task {
                for _ in 0..<(round % 5) { await Task.yield() }
                stage.network.answer(Films.film("1", "one"))
            }
            for _ in 0..<(round % 7) { await Task.yield() }
            let handle = QueryHandle(preloaded)
            _ = handle.get(id: "1")
            await landing.value
            await stage.settle()
            #expect(handle.get(id: "1").data?.film?.title == "one")
            #expect(stage.network.sent.count == 1 && !handle.isFetching)
        }
    }

    @Test("A preload that failed or was invalidated is fetched again.")
    func failedPreload() async {
        let failed = stage.environment.preload(Films.FilmQuery(id: "1"))
        await stage.fail()
        #expect(!failed.isFetching)
        let first = QueryHandle(failed)
        #expect(first.get(id: "1") == .loading)
        await stage.answer(Films.film("1", "one"))
        #expect(first.result.data?.film?.title == "one")
        let invalidated = stage.environment.preload(Films.FilmQuery(id: "2"), policy: .networkOnly)
        await stage.answer(Films.film("2", "two"))
        stage.environment.invalidate()
        let second = QueryHandle(invalidated)
        #expect(second.get(id: "2") == .loading)
        await stage.settle()
        #expect(stage.network.sent.count == 4)
    }

    @Test("A handle that asks for other variables releases the preload.")
    func otherVariablesLetThePreloadGo() async {
        var preloaded: PreloadedQuery<Films.FilmQuery>? = stage.environment.preload(Films.FilmQuery(id: "1"))
        let handle = preloaded.map { QueryHandle($0) }
        preloaded = nil
        await stage.settle()
        #expect(stage.network.cancelled == 0)
        _ = handle?.get(id: "2")
        await until { [network = stage.network] in network.cancelled == 1 }
    }

    @Test("A preload that nobody keeps is cancelled.")
    func aPreloadThatNobodyKeepsIsCancelled() async {
        var preloaded: PreloadedQuery<Films.FilmQuery>? = stage.environment.preload(Films.FilmQuery(id: "1"))
        #expect(preloaded?.isFetching == true)
        await stage.settle()
        preloaded = nil
        await until { [network = stage.network] in network.cancelled == 1 }
    }

    @Test("A preload keeps its data from a collection.")
    func aPreloadKeepsItsDataFromACollection() async {
        let preloaded = stage.environment.preload(Films.FilmQuery(id: "1"))
        await stage.answer(Films.film("1", "one"))
        for _ in 0..<20 { _ = try? await stage.environment.fetch(Films.FilmQuery(id: "1"), policy: .storeOnly) }
        _ = stage.environment.collectGarbage()
        let handle = QueryHandle(preloaded)
        #expect(handle.get(id: "1").data?.film?.title == "one")
    }

    // MARK: - Giving up

    @Test("A cancelled handle does not ask again until it retries.")
    func cancelled() async {
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        _ = handle.get(id: "1")
        await stage.settle()
        handle.cancel()
        await until { [network = stage.network] in network.cancelled == 1 }
        #expect(handle.get(id: "1") == .failure(.cancelled))
        #expect(!handle.isFetching)
        await stage.settle()
        #expect(stage.network.sent.count == 1)
        handle.retry()
        await stage.answer(Films.film("1", "one"))
        #expect(handle.get(id: "1").data?.film?.title == "one")
        handle.cancel()
        #expect(handle.get(id: "1").data?.film?.title == "one")
        #expect(handle.fetchError == nil)
    }

    @Test func cancellingARefetchLeavesTheDataOnShow() async {
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: .storeAndNetwork)
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        let refetch = Task { await handle.refetched() }
        await until { handle.isFetching }
        handle.cancel()
        #expect(await refetch.value.data?.film?.title == "one")
        #expect(handle.fetchError == .cancelled)
    }

    @Test func aRequestThatOthersWaitForGoesOn() async {
        let (first, second) = (
            QueryHandle<Films.FilmQuery>(in: stage.environment), QueryHandle<Films.FilmQuery>(in: stage.environment)
        )
        _ = first.get(id: "1")
        _ = second.get(id: "1")
        await stage.settle()
        first.cancel()
        await stage.answer(Films.film("1", "one"))
        #expect(second.result.data?.film?.title == "one")
    }

    @Test("A skipped handle wants nothing until the next `get`.")
    func skipped() async {
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: .storeOrNetwork)
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        #expect(handle.get(id: "1").data != nil)
        handle.skip()
        #expect(handle.result == .loading)
        #expect(!handle.isFetching)
        #expect(handle.previousData == nil)
        #expect(handle.previousData(anyVariables: true)?.film?.title == "one")
        handle.skip()
        #expect(handle.get(id: "1").data?.film?.title == "one")
        _ = handle.get(id: "2")
        await stage.settle()
        handle.skip()
        await until { [network = stage.network] in network.cancelled == 1 }
        #expect(handle.result == .loading)
    }
}
