import Testing

@testable import Baton

/// The guarantees that `PagedQuery` documents, one by one.
@Suite(.timeLimit(.minutes(10))) struct PagedQueryTests {
    typealias Query = Todos.OffsetQuery
    let stage = Stage(releaseBufferSize: 0)

    /// Pages of two items of a list with seven, in both directions.
    private func list(_ policy: FetchPolicy = .networkOnly) -> PagedQuery<Query> {
        PagedQuery(in: stage.environment, fetchPolicy: policy) { pages in
            guard let first = pages.first?.variables, first.offset > 0 else { return nil }
            return Query.Variables(offset: max(first.offset - 2, 0), limit: min(2, first.offset))
        } next: { pages in
            guard let last = pages.last, last.data.items?.count == last.variables.limit else { return nil }
            return Query.Variables(offset: last.variables.offset + last.variables.limit, limit: 2)
        }
    }

    private func answer(_ request: NetworkRequest, prefix: String = "item") -> String {
        func number(_ name: String) -> Int {
            if case .int(let number)? = request.variables.first(where: { $0.name == name })?.value { number } else { 0 }
        }
        let items = (number("offset")..<max(number("offset"), min(number("offset") + number("limit"), 7)))
            .map { #"{"id":"\#($0)","text":"\#(prefix) \#($0)"}"# }
        return #"{"data":{"items":[\#(items.joined(separator: ","))]}}"#
    }

    private func answer(prefix: String = "item") async {
        await stage.settle()
        stage.network.answer { answer($0, prefix: prefix) }
        await stage.settle()
    }

    private func ids(_ list: PagedQuery<Query>) -> [String]? {
        list.result.data?.flatMap { page in page.items?.map(\.id) ?? [] }
    }

    private func begun(_ policy: FetchPolicy = .networkOnly, at offset: Int = 0) async -> PagedQuery<Query> {
        let list = list(policy)
        _ = list.get(.init(offset: offset, limit: 2))
        await answer()
        return list
    }

    @Test("The first page is what `get` asks for, as a query handle would.")
    func first() async throws {
        let list = list()
        #expect(list.result == .loading && !list.hasNext && stage.network.sent.isEmpty)
        #expect(list.get(.init(offset: 0, limit: 2)) == .loading)
        #expect(list.get(.init(offset: 0, limit: 2)) == .loading && list.isFetching)
        await #expect(throws: RelayError.cancelled) { try await list.loadNext().finished() }
        await stage.fail()
        #expect(list.result == .failure(.transport(Unreachable())) && list.fetchError != nil)
        list.retry()
        await answer()
        #expect(ids(list) == ["0", "1"] && list.fetchError == nil)
    }

    @Test("The next page has the variables that the closure makes of the pages so far; nil is the end of the list.")
    func next() async throws {
        let list = await begun()
        #expect(list.hasNext && !list.hasPrevious)
        let task = list.loadNext()
        #expect(list.isLoadingNext && ids(list) == ["0", "1"])
        await answer()
        try await task.finished()
        #expect(!list.isLoadingNext && ids(list) == ["0", "1", "2", "3"])
        let all = Task { try await list.loadAll(upTo: 100) }
        for count in 3...4 {
            while stage.network.sent.count < count { await Task.yield() }
            await answer()
        }
        try await all.value
        #expect(ids(list)?.count == 7 && !list.hasNext)
        try await list.loadNext().finished()
        #expect(stage.network.sent.count == 4)
    }

    @Test("The previous page stands before all others.")
    func previous() async throws {
        let list = await begun(at: 3)
        list.loadPrevious()
        #expect(list.isLoadingPrevious)
        await answer()
        #expect(ids(list) == ["1", "2", "3", "4"])
        list.loadPrevious()
        list.loadNext()
        await answer()
        await answer()
        #expect(ids(list) == ["0", "1", "2", "3", "4", "5", "6"] && !list.hasPrevious)
    }

    @Test("Calls while a page of one side is loaded send one request.")
    func concurrent() async throws {
        let list = await begun()
        let first = list.loadNext()
        let second = list.loadNext()
        await stage.settle()
        #expect(stage.network.waiting == 1)
        await answer()
        try await first.finished()
        try await second.finished()
        #expect(ids(list) == ["0", "1", "2", "3"])
    }

    @Test("Other variables or another fetch key begin the list anew, and a page that arrives later is dropped.")
    func anew() async throws {
        let list = await begun()
        let task = list.loadNext()
        await stage.settle()
        _ = list.get(.init(offset: 1, limit: 2))
        await stage.settle()
        await #expect(throws: RelayError.cancelled) { try await task.finished() }
        #expect(stage.network.waiting == 1 && stage.network.cancelled == 1 && !list.isLoadingNext)
        await answer()
        #expect(ids(list) == ["1", "2"])
        list.loadNext()
        await answer()
        #expect(ids(list)?.count == 4)
        _ = list.get(.init(offset: 1, limit: 2), fetchKey: 1)
        await answer()
        #expect(ids(list) == ["1", "2"])
    }

    @Test("A page that fails is not added; the pages so far stay, and `retry()` loads it again.")
    func failure() async throws {
        let list = await begun()
        let task = list.loadNext()
        await stage.fail()
        await #expect(throws: RelayError.transport(Unreachable())) { try await task.finished() }
        #expect(list.fetchError == .transport(Unreachable()) && ids(list) == ["0", "1"] && list.hasNext)
        list.retry()
        await answer()
        #expect(list.fetchError == nil && ids(list) == ["0", "1", "2", "3"])
        let last = list.loadNext()
        await stage.settle()
        last.cancel()
        await stage.settle()
        #expect(stage.network.waiting == 0 && ids(list)?.count == 4 && list.fetchError == nil)
    }

    @Test("A change in the store changes the page that shows it.")
    func changes() async throws {
        let list = await begun()
        list.loadNext()
        await answer()
        let screen = Screen()
        list.observe(on: screen) { screen, result in screen.note(row: result.data?.last?.items?.last?.text ?? "-") }
        await stage.settle()
        try stage.environment.update { store in try store.get("3")?.setValue("three", forField: "text") }
        await stage.settle()
        #expect(await screen.rows == ["item 3", "three"])
    }

    @Test("Every page is retained as long as the handle lives and the list is not begun anew.")
    func retained() async throws {
        var list: PagedQuery<Query>? = await begun(.storeOrNetwork)
        list?.loadNext()
        await answer()
        stage.environment.collectGarbage()
        #expect(list.flatMap(ids)?.count == 4)
        let again = self.list(.storeOrNetwork)
        _ = again.get(.init(offset: 0, limit: 2))
        again.loadNext()
        #expect(ids(again)?.count == 4 && stage.network.sent.count == 2, "pages are found in the store")
        list = nil
        stage.environment.collectGarbage()
        #expect(ids(again)?.count == 4)
    }

    @Test("The end of the paged query cancels its requests.")
    func end() async throws {
        var list: PagedQuery<Query>? = await begun()
        let task = try #require(list?.loadNext())
        await stage.settle()
        list = nil
        await stage.settle()
        #expect(stage.network.waiting == 0 && stage.network.cancelled == 1)
        await #expect(throws: RelayError.cancelled) { try await task.finished() }
    }

    @Test("`refetch()` leaves all pages on show, and begins the list anew when the first page has come.")
    func refetch() async throws {
        let list = await begun()
        list.loadNext()
        await answer()
        async let failed = list.refetch()
        await stage.settle()
        while stage.network.waiting == 0 { await Task.yield() }
        #expect(ids(list) == ["0", "1", "2", "3"] && list.isFetching)
        await stage.fail()
        #expect(await failed.data?.count == 2 && list.fetchError == .transport(Unreachable()))
        async let again = list.refetch()
        while stage.network.waiting == 0 { await Task.yield() }
        await answer(prefix: "new")
        #expect(await again.data?.count == 1 && list.fetchError == nil)
        #expect(ids(list) == ["0", "1"] && list.result.data?.first?.items?.first?.text == "new 0")
        list.loadNext()
        await answer(prefix: "new")
        #expect(ids(list) == ["0", "1", "2", "3"])

        let task = Task { await list.refetch() }
        while stage.network.waiting == 0 { await Task.yield() }
        task.cancel()
        #expect(await task.value.data?.count == 2, "nothing has come, so nothing goes")
        await answer(prefix: "third")
        #expect(ids(list) == ["0", "1", "2", "3"])
    }

    @Test("The configuration goes with the request of each page.") func configuration() async throws {
        let list = PagedQuery<Query>(
            in: stage.environment, configuration: RequestConfiguration(errorPolicy: .failure, headers: ["X-A": "1"])
        ) { Query.Variables(offset: $0.count * 2, limit: 2) }
        _ = list.get(.init(offset: 0, limit: 2))
        await answer()
        list.loadNext()
        await stage.answer(#"{"data":{"items":[]},"errors":[{"message":"no"}]}"#)
        #expect(stage.network.sent.map(\.configuration.headers) == [["X-A": "1"], ["X-A": "1"]])
        #expect(list.fetchError == .hasErrors([GraphQLError(message: "no")]) && ids(list) == ["0", "1"])
    }
}
