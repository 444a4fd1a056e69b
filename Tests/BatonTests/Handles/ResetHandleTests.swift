import Testing

@testable import Baton

/// What handles do after a reset of the store, by the guarantees of `RelayEnvironment.reset`.
@Suite(.timeLimit(.minutes(20))) struct ResetHandleTests {
    let stage = Stage()

    private func handle(_ policy: FetchPolicy, freshness: Freshness = Freshness()) -> QueryHandle<Films.FilmQuery> {
        QueryHandle(in: stage.environment, fetchPolicy: policy, freshness: freshness)
    }

    /// A handle that shows a response of the service.
    private func shown(_ policy: FetchPolicy) async -> QueryHandle<Films.FilmQuery> {
        let handle = handle(policy)
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        return handle
    }

    private static let policies: [FetchPolicy] = FetchPolicy.allCases.filter { $0 != .storeOnly }

    @Test("After a reset a handle is `loading` and sends nothing, as before its first call.", arguments: policies)
    func rest(_ policy: FetchPolicy) async {
        let handles = [await shown(policy), handle(policy), handle(policy)]
        let screen = Screen()
        handles[0].observe(on: screen) { screen, result in screen.note(row: "\(result.isLoading)") }
        _ = handles[1].get(id: "2")
        await stage.fail()
        _ = handles[2].get(id: "3")
        await stage.settle()
        #expect(stage.network.waiting == 1)
        let sent = stage.network.sent.count
        stage.environment.reset()
        await stage.settle()
        for handle in handles {
            #expect(handle.result == .loading && !handle.isFetching && handle.fetchError == nil)
            #expect(handle.errors.isEmpty && handle.previousData(anyVariables: true) == nil)
        }
        #expect(stage.network.sent.count == sent && stage.network.waiting == 0)
        #expect(await screen.rows == ["false", "true"])
    }

    @Test("After a reset the next `get` counts as the first one, with the same variables too.", arguments: policies)
    func nextGet(_ policy: FetchPolicy) async {
        let handle = await shown(policy)
        for round in 0..<3 {
            stage.environment.reset()
            #expect(handle.get(id: "1").isLoading && handle.isFetching)
            #expect(handle.get(id: "1").isLoading)
            await stage.answer(Films.film("1", "round \(round)"))
            #expect(handle.get(id: "1").data?.film?.title == "round \(round)")
            #expect(stage.network.sent.count == 2 + round)
        }
    }

    @Test("After a reset `retry()` and `refetch()` send.", arguments: policies)
    func retryAndRefetch(_ policy: FetchPolicy) async {
        let handle = await shown(policy)
        stage.environment.reset()
        handle.retry()
        await stage.answer(Films.film("1", "retried"))
        #expect(handle.result.data?.film?.title == "retried")
        stage.environment.reset()
        async let refetched = handle.refetched()
        while stage.network.waiting == 0 { await Task.yield() }
        await stage.answer(Films.film("1", "refetched"))
        #expect(await refetched.data?.film?.title == "refetched")
        #expect(stage.network.sent.count == 3)
    }

    @Test("After a reset no handle sends a request by itself.", arguments: [false, true])
    func triggers(_ isCancelled: Bool) async {
        let triggers: Freshness.Triggers = [.invalidation, .missingData, .networkReturned, .applicationReturned]
        let handle = handle(.storeOrNetwork, freshness: Freshness(refetchOn: triggers))
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        if isCancelled { handle.cancel() }
        stage.environment.reset(refetching: isCancelled)
        handle.poll(every: .milliseconds(10))
        stage.environment.note(.networkReturned)
        stage.environment.note(.applicationReturned)
        stage.environment.invalidate()
        await stage.settle()
        handle.core.refresh(stage.environment.store.bind(Films.FilmQuery(id: "1")), because: .poll)
        await stage.settle()
        #expect(stage.network.sent.count == 1)
        #expect(!handle.isFetching)
    }

    @Test("A handle that is skipped after a reset wants nothing, and holds nothing.", arguments: policies)
    func skipped(_ policy: FetchPolicy) async {
        let handle = await shown(policy)
        stage.environment.reset()
        handle.skip()
        let operations = stage.environment.store.operations
        #expect(operations.holderCount(of: stage.environment.store.bind(Films.FilmQuery(id: "1"))) == 0)
        stage.environment.reset(refetching: true)
        handle.retry()
        await stage.settle()
        #expect(stage.network.sent.count == 1 && handle.result == .loading && !handle.isFetching)
    }

    @Test("With `refetching` the handles that were asked for data request it again at once.", arguments: policies)
    func refetching(_ policy: FetchPolicy) async {
        let asked = await shown(policy)
        let unasked = handle(policy)
        let skipped = await shown(policy)
        skipped.skip()
        let sent = stage.network.sent.count
        stage.environment.reset(refetching: true)
        #expect(asked.isFetching && !unasked.isFetching && !skipped.isFetching)
        await stage.answer(Films.film("1", "another"))
        #expect(asked.result.data?.film?.title == "another")
        #expect(stage.network.sent.count == sent + 1)
    }

    @Test(
        "A cancelled handle stays cancelled after a reset, with `refetching` too, until it is asked again.",
        arguments: policies, [false, true])
    func cancelled(_ policy: FetchPolicy, _ refetching: Bool) async {
        let waiting = handle(policy)
        _ = waiting.get(id: "1")
        let complete = await shown(policy)
        _ = complete.get(id: "1", fetchKey: 1)
        await stage.settle()
        waiting.cancel()
        complete.cancel()
        let sent = stage.network.sent.count
        for _ in 0..<2 {
            stage.environment.reset(refetching: refetching)
            await stage.settle()
            for handle in [waiting, complete] {
                #expect(handle.result == .failure(.cancelled) && handle.fetchError == .cancelled && !handle.isFetching)
            }
            #expect(stage.network.sent.count == sent)
        }
        _ = complete.get(id: "1", fetchKey: 1)
        await stage.answer(Films.film("1", "again"))
        #expect(complete.result.data?.film?.title == "again")
        waiting.retry()
        await stage.answer(Films.film("1", "retried"))
        #expect(waiting.result.data?.film?.title == "retried" && stage.network.sent.count == sent + 2)
    }

    @Test("A later reset with `refetching` requests the data that an earlier reset has removed.", arguments: policies)
    func twice(_ policy: FetchPolicy) async {
        let handle = await shown(policy)
        stage.environment.reset()
        stage.environment.reset(refetching: true)
        await stage.answer(Films.film("1", "another"))
        #expect(handle.result.data?.film?.title == "another")
    }

    @Test("After a reset a handle under `storeOnly` shows what the empty store has.")
    func storeOnly() async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        let handle = handle(.storeOnly)
        #expect(handle.get(id: "1").data?.film?.title == "one")
        stage.environment.reset()
        #expect(handle.result.data?.film == nil && !handle.result.isLoading && handle.isMissingData)
    }

    @Test(
        "After a reset fragment handles are `loading`, and their missing fields are not reported.",
        arguments: [false, true])
    func fragments(_ isOwnerCancelled: Bool) async throws {
        let list = QueryHandle<Films.ListQuery>(in: stage.environment)
        _ = list.get()
        await stage.answer(Films.list(3))
        let reference = try #require(list.get().data?.films.last??.row)
        let row = FragmentHandle<Films.FilmRow>(reference, in: stage.environment)
        let screen = Screen()
        row.observe(on: screen) { screen, result in screen.note(row: result.data?.title ?? "\(result.isLoading)") }
        #expect(row.get().data?.title == "Film 3")
        await stage.settle()
        if isOwnerCancelled {
            _ = list.get(fetchKey: 1)
            await stage.settle()
            list.cancel()
        }
        stage.environment.reset()
        await stage.settle()
        #expect(row.get().isLoading)
        _ = stage.environment.read(reference)
        #expect(!stage.log.events.contains { if case .missingData = $0 { true } else { false } })
        list.retry()
        await stage.answer(Films.list(3))
        #expect(row.get().data?.title == "Film 3")
        let rows = await screen.rows
        #expect(rows == ["Film 3", "true", "Film 3"])
    }
}
