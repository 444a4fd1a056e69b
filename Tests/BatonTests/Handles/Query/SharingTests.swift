import Testing

@testable import Baton

/// Shared requests, retained operations, and the cost of a call that changes nothing.
@Suite(.timeLimit(.minutes(20))) struct SharingTests {
    typealias FilmHandle = QueryHandle<Films.FilmQuery>
    let stage = Stage(releaseBufferSize: 0)

    private func handle(_ policy: FetchPolicy = .networkOnly) -> FilmHandle {
        FilmHandle(in: stage.environment, fetchPolicy: policy)
    }

    private func title(_ result: QueryResult<Films.FilmQuery.Data>) -> String? { result.data?.film?.title }

    private func isHeld(_ id: String) -> Bool {
        stage.environment.operations.isRetained(stage.environment.store.bind(Films.FilmQuery(id: id)))
    }

    @Test(
        "A `get` with the variables and the fetch key of the last one starts nothing.", arguments: FetchPolicy.allCases)
    func sameInEveryFrame(_ policy: FetchPolicy)
        async throws
    {
        let retention = stage.environment.retain(Films.FilmQuery(id: "1"))
        defer { retention.release() }
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        let handle = handle(policy)
        _ = handle.get(id: "1", fetchKey: "key")
        await stage.answer(Films.film("1", "one"))
        stage.log.clear()
        for _ in 0..<1000 { #expect(title(handle.get(id: "1", fetchKey: "key")) == "one") }
        await stage.settle()
        #expect(stage.log.events.isEmpty, "no check, no fetch, no delivery")
    }

    @Test(arguments: FetchPolicy.allCases.filter { $0 != .storeOnly })
    func keysThatComeWhileARequestIsInFlightAreItsKeysToo(_ policy: FetchPolicy) async {
        let (first, second) = (handle(policy), handle(policy))
        _ = first.get(id: "1", fetchKey: 1)
        await stage.settle()
        _ = second.get(id: "1", fetchKey: 2)
        let third = handle(policy)
        _ = third.get(id: "1", fetchKey: 3)
        await stage.settle()
        #expect(stage.network.sent.count == 1 && stage.network.cancelled == 0)
        await stage.answer(Films.film("1", "one"))
        for key in 1...3 { #expect(title(handle(policy).get(id: "1", fetchKey: key)) == "one") }
        await stage.settle()
        #expect(stage.network.sent.count == 1)
        let last = handle(policy)
        _ = last.get(id: "1", fetchKey: 4)
        await stage.settle()
        // If the handle were released here, its request would be cancelled.
        withExtendedLifetime(last) {
            #expect(stage.network.sent.count == (policy == .storeOrNetwork ? 1 : 2), "a first call is no refetch")
        }
    }

    @Test func variablesThatComeBackAreAskedForAgain() async {
        let handle = handle()
        for id in ["1", "2", "1", "2", "1"] { #expect(handle.get(id: id).isLoading) }
        await stage.settle()
        #expect(stage.network.waiting == 1)
        await stage.answer(Films.film("1", "one"))
        #expect(title(handle.get(id: "1")) == "one")
        #expect(!handle.isFetching)
        #expect(!isHeld("2"))
    }

    @Test func aHandleHoldsWhatItShowsAndWhatItShowedBefore() async {
        var handle: FilmHandle? = handle()
        for id in ["1", "2", "3"] {
            _ = handle?.get(id: id)
            await stage.answer(Films.film(id, id))
        }
        #expect(["1", "2", "3"].map(isHeld) == [false, true, true])
        handle = nil
        #expect(["1", "2", "3"].map(isHeld) == [false, false, false])
    }

    @Test func aRowHoldsTheOperationThatItCameWith() async throws {
        var query: FilmHandle? = handle()
        _ = query?.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        let reference = try #require(query?.result.data?.film?.row)
        var row: FragmentHandle<Films.FilmRow>? = FragmentHandle(reference, in: stage.environment)
        #expect(row?.get().data?.title == "one")
        query = nil
        #expect(isHeld("1"))
        row = nil
        #expect(!isHeld("1"))
    }

    @Test func aSharedRequestEndsWhenTheLastOneHasGone() async {
        let environment = stage.environment
        var handles = [handle(), handle()]
        for handle in handles { _ = handle.get(id: "1") }
        let oneShot = Task { try await environment.fetch(Films.FilmQuery(id: "1")) }
        while stage.log.fetches.filter({ $0 == "shared" }).count < 2 { await Task.yield() }
        handles.removeLast()
        await stage.settle()
        handles.removeLast()
        await stage.settle()
        #expect(stage.network.cancelled == 0)
        oneShot.cancel()
        _ = await oneShot.result
        await stage.settle()
        #expect(stage.network.cancelled == 1)
        #expect(!isHeld("1"))
        #expect(stage.network.sent.count == 1)
    }

    @Test func aMutationAndItsUpdaterReachEveryHandle() async throws {
        let (film, other) = (handle(), handle())
        _ = film.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        _ = other.get(id: "2")
        await stage.answer(Films.film("2", "two"))
        let environment = stage.environment
        let task = Task {
            try await environment.commit(Films.SetFavouriteMutation(variables: .init(id: "1", favourite: true))) {
                store, _ in try store.get("2")?.setValue("two, too", forField: "title")
            }
        }
        while stage.network.waiting == 0 { await Task.yield() }
        await stage.answer(Films.favourite("1", true))
        _ = try await task.value
        let row = try #require(film.get(id: "1").data?.film?.row)
        #expect(environment.read(row)?.favourite == true)
        #expect(title(other.get(id: "2")) == "two, too")
    }
}
