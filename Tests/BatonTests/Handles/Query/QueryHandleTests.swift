import Synchronization
import Testing

@testable import Baton

/// Every sentence under "Exact behaviour of QueryHandle.get" that is not a cell of the table.
@Suite(.timeLimit(.minutes(20))) struct QueryHandleTests {
    typealias FilmHandle = QueryHandle<Films.FilmQuery>
    let stage = Stage()

    private func handle(_ policy: FetchPolicy = .networkOnly) -> FilmHandle {
        FilmHandle(in: stage.environment, fetchPolicy: policy)
    }

    private func title(_ result: QueryResult<Films.FilmQuery.Data>) -> String? { result.data?.film?.title }

    // MARK: - Fetch keys

    @Test("Every change of the fetch key is a refetch, to and from nil too.")
    func changedKey() async {
        let handle = handle()
        let keys: [(any Hashable & Sendable)?] = [nil, 1, "1", 2, nil, 2]
        for (number, key) in keys.enumerated() {
            _ = handle.get(id: "1", fetchKey: key)
            _ = handle.get(id: "1", fetchKey: key)
            await stage.answer(Films.film("1", "\(number)"))
            #expect(title(handle.get(id: "1", fetchKey: key)) == "\(number)")
        }
        #expect(stage.network.sent.count == keys.count)
    }

    @Test("Handles with one query and one fetch key make one request, whenever they appear.")
    func oneKey() async {
        let children = (0..<12).map { _ in handle() }
        for child in children.prefix(6) { #expect(child.get(id: "1", fetchKey: 7).isLoading) }
        await stage.settle()
        for child in children[6..<9] { #expect(child.get(id: "1", fetchKey: 7).isLoading) }
        await stage.answer(Films.film("1", "one"))
        for child in children.suffix(3) { #expect(title(child.get(id: "1", fetchKey: 7)) == "one") }
        for child in children { #expect(title(child.get(id: "1", fetchKey: 7)) == "one") }
        await stage.settle()
        #expect(stage.network.sent.count == 1)

        for child in children { _ = child.get(id: "1", fetchKey: 8) }
        await stage.answer(Films.film("1", "two"))
        for child in children { #expect(title(child.get(id: "1", fetchKey: 8)) == "two") }
        #expect(stage.network.sent.count == 2)
    }

    @Test func aKeyIsNoLongerKnownAfterAnInvalidation() async {
        let first = handle(.storeOrNetwork)
        _ = first.get(id: "1", fetchKey: 1)
        await stage.answer(Films.film("1", "one"))
        stage.environment.invalidate()
        await stage.settle()
        #expect(title(first.get(id: "1", fetchKey: 1)) == "one", "nothing moves")
        #expect(stage.network.waiting == 0)
        #expect(handle(.storeOrNetwork).get(id: "1", fetchKey: 1).isLoading)
    }

    @Test func aRefetchOfTheHandleCountsForItsKey() async {
        let first = handle()
        _ = first.get(id: "1", fetchKey: 1)
        await stage.answer(Films.film("1", "one"))
        async let refetched = first.refetched()
        while stage.network.waiting == 0 { await Task.yield() }
        await stage.answer(Films.film("1", "two"))
        #expect(title(await refetched) == "two")
        #expect(title(handle().get(id: "1", fetchKey: 1)) == "two")
        await stage.settle()
        #expect(stage.network.waiting == 0)
    }

    // MARK: - Sharing and cancelling

    @Test("Handles share a request in flight, unless it began before an invalidation of its data.")
    func sharing() async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "seed"))
        let handles = (0..<4).map { _ in handle() }
        _ = handles[0].get(id: "1")
        _ = handles[1].get(id: "1")
        await stage.settle()
        #expect(stage.network.waiting == 1)
        stage.environment.invalidate()
        _ = handles[2].get(id: "1")
        await stage.settle()
        #expect(stage.network.waiting == 2)
        stage.environment.invalidate("1")
        _ = handles[3].get(id: "1")
        await stage.settle()
        #expect(stage.network.waiting == 3)

        await stage.answer(Films.film("1", "old"))
        #expect(title(handles[0].get(id: "1")) == "old" && title(handles[1].get(id: "1")) == "old")
        #expect(handles[2].get(id: "1").isLoading && handles[3].get(id: "1").isLoading)
        #expect(handle(.storeOrNetwork).get(id: "1").isLoading, "a response that began before is stale")
        await stage.answer(Films.film("1", "newer"))
        await stage.answer(Films.film("1", "newest"))
        #expect(handles.allSatisfy { title($0.get(id: "1")) == "newest" })
    }

    @Test("A response for old variables never arrives.")
    func oldVariables() async {
        let handle = handle()
        _ = handle.get(id: "1")
        await stage.settle()
        _ = handle.get(id: "2")
        await stage.settle()
        #expect(stage.network.cancelled == 1, "nobody else waited")
        await stage.answer(Films.film("2", "two"))
        #expect(title(handle.get(id: "2")) == "two")
    }

    @Test("A request that somebody else waits for goes on.")
    func othersWait() async {
        let (first, second) = (handle(), handle())
        _ = first.get(id: "1")
        _ = second.get(id: "1")
        await stage.settle()
        _ = first.get(id: "2")
        await stage.settle()
        #expect(stage.network.cancelled == 0)
        await stage.answer(Films.film("1", "one"))
        #expect(title(second.get(id: "1")) == "one")
        #expect(first.get(id: "2").isLoading)
    }

    @Test("The end of the last handle cancels its request and releases its data.")
    func lastReference() async throws {
        let stage = Stage(releaseBufferSize: 1)
        let operation = stage.environment.store.bind(Films.FilmQuery(id: "1"))
        var handle: FilmHandle? = FilmHandle(in: stage.environment)
        _ = handle?.get(id: "1")
        #expect(stage.environment.operations.isRetained(operation), "retained from the moment the request starts")
        await stage.settle()
        handle = nil
        await stage.settle()
        #expect(stage.network.cancelled == 1)
        #expect(stage.environment.activity.counts.requests == 0)
        #expect(stage.environment.operations.isRetained(operation), "the buffer still has it")
        try await stage.seed(Films.FilmQuery(id: "2"), Films.film("2", "two"))
        #expect(!stage.environment.operations.isRetained(operation))
        #expect(stage.log.fetches == ["started", "cancelled", "started", "finished"])
    }

    // MARK: - Changes in the store

    @Test("A change of the store from anywhere changes the result.")
    func changes() async throws {
        let handle = handle()
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        try await stage.seed(Films.TitleQuery(id: "1"), #"{"data":{"film":{"id":"1","title":"two"}}}"#)
        #expect(title(handle.get(id: "1")) == "two")
        try stage.environment.update { store in try store.get("1")?.setValue("three", forField: "title") }
        #expect(title(handle.get(id: "1")) == "three")
        #expect(stage.network.sent.count == 2)
    }

    @Test func aFieldThatAChangeTakesAwayIsMissing() async throws {
        let handle = handle()
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        #expect(!handle.isMissingData)
        // Another film with fewer known fields replaces the first.
        try await stage.seed(Films.TitleQuery(id: "1"), #"{"data":{"film":{"id":"9","title":"nine"}}}"#)
        #expect(handle.get(id: "1").data?.film?.rating == nil)
        #expect(title(handle.get(id: "1")) == "nine")
        #expect(handle.isMissingData)
        await stage.settle()
        #expect(stage.network.waiting == 0, "nothing is fetched for it")
    }

    @Test func aMissingFieldThatMayNotBeNullMovesUpToTheRoot() {
        let handle = QueryHandle<Films.CountQuery>(in: stage.environment, fetchPolicy: .storeOnly)
        #expect(handle.get() == .success(nil))
        #expect(handle.isMissingData)
    }

    // MARK: - Errors

    @Test("Partial data with errors is a success.")
    func partialData() async {
        let handle = handle()
        _ = handle.get(id: "1")
        await stage.answer(
            #"{"data":{"film":{"id":"1","title":"one","rating":null,"favourite":null,"director":null}},"errors":["#
                + #"{"message":"no rating","path":["film","rating"],"locations":[{"line":1,"column":2}],"#
                + #""extensions":{"code":"E"}}]}"#)
        #expect(title(handle.get(id: "1")) == "one")
        #expect(
            handle.errors == [
                GraphQLError(
                    message: "no rating", path: ["film", "rating"], locations: [.init(line: 1, column: 2)],
                    extensions: ["code": "E"])
            ])
        #expect(handle.fetchError == nil)
    }

    static let noDataWithErrors = #"{"data":null,"errors":[{"message":"down"}]}"#

    @Test("A response whose data is null is a failure with errors, and a success without.")
    func nullData() async {
        let handle = handle()
        _ = handle.get(id: "1")
        await stage.answer(Self.noDataWithErrors)
        #expect(handle.get(id: "1") == .failure(.noData([GraphQLError(message: "down")])))
        #expect(handle.errors == [GraphQLError(message: "down")])
        _ = handle.get(id: "2")
        await stage.answer(#"{"data":null}"#)
        #expect(handle.get(id: "2") == .success(nil))
    }

    static let brokenBodies = ["", "<html>", "[]", #"{"data":{"film":3}}"#, #"{"data":{"film":{"id":"1""#, "{}"]

    @Test(arguments: brokenBodies) func aBrokenBodyIsAFailureAndLeavesTheStore(_ body: String) async throws {
        try await stage.seed(Films.FilmQuery(id: "2"), Films.film("2", "two"))
        let epoch = stage.environment.store.epoch
        let handle = handle()
        _ = handle.get(id: "1")
        await stage.answer(body)
        guard handle.get(id: "1").error?.code == .invalidResponse else {
            Issue.record("\(handle.get(id: "1"))")
            return
        }
        #expect(stage.environment.store.epoch == epoch)
    }

    @Test(arguments: ["transport", "status", "body", "null", "null and errors"])
    func networkOrStoreFallsBackOnEverythingThatBringsNoData(_ trouble: String) async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "stored"))
        let handle = handle(.networkOrStore)
        #expect(handle.get(id: "1").isLoading)
        switch trouble {
        case "transport": await stage.fail()
        case "status": await stage.fail(RelayError.httpStatus(503, body: "busy"))
        case "body": await stage.answer("nonsense")
        case "null": await stage.answer(#"{"data":null}"#)
        default: await stage.answer(Self.noDataWithErrors)
        }
        #expect(title(handle.get(id: "1")) == "stored")
        #expect(handle.fetchError != nil)
    }

    // MARK: - Earlier data, retry, refetch

    @Test("The data that was shown last stays reachable as `previousData`.")
    func previousData() async {
        let handle = handle()
        #expect(handle.previousData == nil)
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        #expect(handle.get(id: "1", fetchKey: 1).isLoading)
        #expect(handle.isFetching)
        #expect(handle.previousData?.film?.title == "one")
        await stage.fail()
        #expect(handle.get(id: "1", fetchKey: 1).error == .transport(Unreachable()))
        #expect(handle.previousData?.film?.title == "one")
        _ = handle.get(id: "2")
        #expect(handle.previousData == nil)
        #expect(handle.previousData(anyVariables: true)?.film?.title == "one")
        _ = handle.get(id: "3")
        #expect(handle.previousData(anyVariables: true)?.film?.title == "one", "the second was never shown")
        await stage.answer(Films.film("3", "three"))
        #expect(title(handle.get(id: "3")) == "three")
        #expect(handle.previousData(anyVariables: true)?.film?.title == "three")
    }

    @Test("`refetch()` begins at once, and its task ends with the new data or the failure.")
    func refetch() async {
        let handle = handle(.storeOrNetwork)
        #expect(await handle.refetched().isLoading, "there is nothing to fetch before the first call")
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        let isOver = Atomic(false)
        async let both = {
            async let first = handle.refetched()
            async let second = handle.refetched()
            defer { isOver.store(true, ordering: .releasing) }
            return await (first, second)
        }()
        while stage.network.waiting == 0 { await Task.yield() }
        #expect(title(handle.get(id: "1")) == "one")
        while !isOver.load(ordering: .acquiring) {
            stage.network.answer(Films.film("1", "two"))
            await Task.yield()
        }
        let results = await both
        #expect(title(results.0) == "two" && title(results.1) == "two")
        async let third = handle.refetched()
        while stage.network.waiting == 0 { await Task.yield() }
        await stage.fail()
        #expect(title(await third) == "two")
        #expect(handle.fetchError == .transport(Unreachable()))

        let onlyStore = self.handle(.storeOnly)
        _ = onlyStore.get(id: "1")
        #expect(title(await onlyStore.refetched()) == "two", "storeOnly has nothing to wait for")
    }

    @Test("A cancelled task ends its wait for a refetch, and the request goes on.")
    func cancelledRefetch() async {
        let handle = handle()
        _ = handle.get(id: "1")
        await stage.answer(Films.film("1", "one"))
        let task = Task { await handle.refetched() }
        while stage.network.waiting == 0 { await Task.yield() }
        await stage.settle()
        task.cancel()
        _ = await task.value
        #expect(stage.network.waiting == 1)
        await stage.answer(Films.film("1", "two"))
        #expect(title(handle.get(id: "1")) == "two")
    }
}
