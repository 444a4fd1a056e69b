import Testing

@testable import Baton

/// The guarantees that `PagedQuery` documents, one by one.
@Suite(.timeLimit(.minutes(20))) struct PagedQueryTests {
    typealias Query = Todos.OffsetQuery
    let stage = Stage(releaseBufferSize: 0)

    /// Pages of two items of a list with seven, in both directions.
    private func list(
        _ policy: FetchPolicy = .networkOnly, _ freshness: Freshness = Freshness()
    ) -> PagedQuery<Query> {
        PagedQuery(in: stage.environment, fetchPolicy: policy, freshness: freshness) { pages in
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

    @Test("`loadAll` and `loadNext().finished()` wait for the first page, and before `get` they say what is missing.")
    func waiting() async throws {
        let list = list()
        let name = Query.artifact.name
        await #expect(throws: RelayError.notAsked(component: name)) { try await list.loadAll(upTo: 9).finished() }
        await #expect(throws: RelayError.notAsked(component: name)) {
            try await list.loadAll(upTo: 9, of: { $0.items }).finished()
        }
        await #expect(throws: RelayError.notAsked(component: name)) { try await list.loadNext().finished() }
        func begin(_ load: @escaping @Sendable () async throws -> Void) async -> Task<Void, any Error> {
            let task = Task { try await load() }
            while list.core.observers.isEmpty { await Task.yield() }
            return task
        }
        func answerUntilOver(_ task: Task<Void, any Error>) async throws {
            let isOver = Guarded(false)
            let end = Task {
                defer { isOver.withLock { $0 = true } }
                try await task.value
            }
            while !isOver.withLock({ $0 }) {
                if stage.network.waiting > 0 { stage.network.answer { answer($0) } }
                await Task.yield()
            }
            try await end.value
        }
        _ = list.get(.init(offset: 0, limit: 2))
        try await answerUntilOver(begin { try await list.loadNext().finished() })
        #expect(ids(list) == ["0", "1", "2", "3"])
        _ = list.get(.init(offset: 0, limit: 2), fetchKey: 1)
        try await answerUntilOver(begin { try await list.loadAll(upTo: 3).finished() })
        #expect(ids(list)?.count == 6)
        _ = list.get(.init(offset: 0, limit: 2), fetchKey: 2)
        try await answerUntilOver(begin { try await list.loadAll(upTo: .max, of: { $0.items }).finished() })
        #expect(ids(list)?.count == 7)
        _ = list.get(.init(offset: 0, limit: 2), fetchKey: 3)
        let failing = await begin { try await list.loadAll(upTo: 9).finished() }
        await stage.fail()
        await #expect(throws: RelayError.transport(Unreachable())) { try await failing.value }
        _ = list.get(.init(offset: 0, limit: 2), fetchKey: 4)
        let cancelled = await begin { try await list.loadNext().finished() }
        cancelled.cancel()
        await #expect(throws: RelayError.cancelled) { try await cancelled.value }
        #expect(stage.network.waiting == 1, "the first page goes on")
    }

    @Test("The first page is what `get` asks for, as a query handle would.")
    func first() async throws {
        let list = list()
        #expect(list.result == .loading && !list.hasNext && stage.network.sent.isEmpty)
        #expect(list.get(.init(offset: 0, limit: 2)) == .loading)
        #expect(list.get(.init(offset: 0, limit: 2)) == .loading && list.isFetching)
        #expect(list.loadNext().isFinished && stage.network.sent.count <= 1)
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
        let all = Task { try await list.loadAll(upTo: 100).finished() }
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
        async let failed = list.refetched()
        await stage.settle()
        while stage.network.waiting == 0 { await Task.yield() }
        #expect(ids(list) == ["0", "1", "2", "3"] && list.isFetching)
        await stage.fail()
        #expect(await failed.data?.count == 2 && list.fetchError == .transport(Unreachable()))
        async let again = list.refetched()
        while stage.network.waiting == 0 { await Task.yield() }
        await answer(prefix: "new")
        #expect(await again.data?.count == 1 && list.fetchError == nil)
        #expect(ids(list) == ["0", "1"] && list.result.data?.first?.items?.first?.text == "new 0")
        list.loadNext()
        await answer(prefix: "new")
        #expect(ids(list) == ["0", "1", "2", "3"])

        let task = Task { await list.refetched() }
        while stage.network.waiting == 0 { await Task.yield() }
        task.cancel()
        #expect(await task.value.data?.count == 2, "nothing has come, so nothing goes")
        #expect(list.isFetching)
        #expect(list.loadNext().isFinished && !list.isLoadingNext)
        await answer(prefix: "third")
        #expect(ids(list) == ["0", "1"] && list.result.data?.first?.items?.first?.text == "third 0")

        _ = Task { await list.refetched() }
        while stage.network.waiting == 0 { await Task.yield() }
        list.cancel()
        await stage.settle()
        #expect(stage.network.waiting == 0 && !list.isFetching && ids(list) == ["0", "1"])
        list.loadNext()
        await answer()
        _ = Task { await list.refetched() }
        while stage.network.waiting == 0 { await Task.yield() }
        await stage.fail()
        #expect(ids(list)?.count == 4 && list.fetchError != nil)
        list.retry()
        await answer(prefix: "fourth")
        #expect(ids(list) == ["0", "1"] && list.result.data?.first?.items?.first?.text == "fourth 0")
    }

    @Test(
        "A reset removes all pages, and one with `refetching` asks for the first one again.",
        arguments: FetchPolicy.allCases)
    func emptied(_ policy: FetchPolicy) async throws {
        let list = list(policy)
        let screen = Screen()
        list.observe(on: screen) { [self] screen, result in screen.note(row: texts(result)) }
        _ = list.get(.init(offset: 1, limit: 2), fetchKey: 1)
        await answer(prefix: "old")
        for load in [list.loadNext, list.loadPrevious] {
            _ = load()
            await answer(prefix: "old")
        }
        #expect(policy == .storeOnly || ids(list) == (0..<5).map(String.init))
        list.loadNext()
        await stage.settle()
        let sent = stage.network.sent.count
        let told = await screen.rows.count
        stage.environment.reset(refetching: true)
        await stage.settle()
        let again = stage.network.sent.dropFirst(sent)
        #expect(again.map { $0.variables.first { $0.name == "offset" }?.value } == (policy == .storeOnly ? [] : [1]))
        #expect(!list.isLoadingPrevious && !list.isLoadingNext)
        #expect(list.get(.init(offset: 1, limit: 2), fetchKey: 1).isLoading == (policy != .storeOnly))
        await answer(prefix: "new")
        #expect(stage.network.waiting == 0 && stage.network.sent.count == sent + (policy == .storeOnly ? 0 : 1))
        #expect(await screen.rows[told...].allSatisfy { !$0.contains("old") })
        #expect(policy == .storeOnly || ids(list) == ["1", "2"])
        list.loadNext()
        await answer(prefix: "new")
        #expect(policy == .storeOnly || ids(list) == ["1", "2", "3", "4"])
        let all = stage.network.sent.count
        stage.environment.reset()
        await stage.settle()
        #expect(stage.network.sent.count == all && !list.isFetching && !list.hasNext)
        #expect(list.result.isLoading == (policy != .storeOnly))
        _ = list.get(.init(offset: 1, limit: 2), fetchKey: 1)
        await answer(prefix: "newest")
        #expect(policy == .storeOnly || ids(list) == ["1", "2"])
    }

    private func texts(_ result: QueryResult<[Query.Data]>) -> String {
        result.data?.flatMap { page in page.items?.map { $0.text ?? "-" } ?? [] }.joined(separator: " ") ?? "-"
    }

    @Test("No list is shown that mixes the pages before and after a `refetch()`.", arguments: FetchPolicy.allCases)
    func unmixed(_ policy: FetchPolicy) async throws {
        guard policy != .storeOnly else { return }
        let seen = Guarded<Set<String>>([])
        let list = list(policy)
        _ = list.get(.init(offset: 0, limit: 2))
        await answer(prefix: "old")
        list.loadNext()
        await answer(prefix: "old")
        let screen = Screen()
        list.observe(on: screen) { [self] screen, result in screen.note(row: texts(result)) }
        let drawing = Task {
            while !Task.isCancelled {
                let text = texts(list.result)
                seen.withLock { _ = $0.insert(text) }
                await Task.yield()
            }
        }
        // An observer of another handle runs in the middle of the publish.
        let other = QueryHandle<Query>(in: stage.environment, fetchPolicy: .storeOnly)
        _ = other.get(.init(offset: 0, limit: 2))
        let token = other.core.observers.add(
            Spy {
                let text = texts(list.result)
                seen.withLock { _ = $0.insert(text) }
            })
        // The moment between the end of a response and the change of the pages is short.
        for round in 1...40 {
            let refetch = Task { await list.refetched() }
            while stage.network.waiting == 0 { await Task.yield() }
            if round == 2 { refetch.cancel() }
            if round == 2 { _ = await refetch.value }
            await answer(prefix: "round\(round)")
            _ = await refetch.value
            #expect(ids(list) == ["0", "1"])
            list.loadNext()
            await answer(prefix: "round\(round)")
            #expect(ids(list) == ["0", "1", "2", "3"])
        }
        drawing.cancel()
        await drawing.value
        other.core.observers.remove(token)
        for text in seen.withLock({ $0 }).union(await screen.rows) {
            let prefixes = Set(text.split(separator: " ").filter { Int($0) == nil })
            #expect(prefixes.count <= 1, "\(text)")
        }
    }

    /// An observer that is called on the publishing thread.
    private final class Spy: HandleObserver {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        func notify() -> Bool {
            body()
            return true
        }
        func end() {}
    }

    @Test("Variables that a page of the list has already are the end of the list, too.")
    func repeatedVariables() async throws {
        let list = PagedQuery<Query>(in: stage.environment) { pages in
            Query.Variables(offset: pages.count * 2, limit: 2)
        }
        _ = list.get(.init(offset: 0, limit: 2))
        await answer()
        let all = Task { try await list.loadAll(upTo: 100, of: \.items).finished() }
        while stage.network.sent.count < 2 { await Task.yield() }
        await stage.answer(#"{"data":null}"#)
        try await all.value
        #expect(ids(list) == ["0", "1"] && !list.hasNext && stage.network.sent.count == 2)
        try await list.loadNext().finished()
        try await list.loadAll(upTo: 100).finished()
        #expect(stage.network.sent.count == 2)
    }

    @Test("Looking at an element near the end loads the next page, unless a load has failed.")
    func ahead() async throws {
        let list = await begun()
        func rows() -> LoadingAhead<PagedElements<ObjectList<Todos.TodoList.Node>>> {
            list.loadingAhead(list.elements(\.items), distance: 1)
        }
        #expect(rows()[0].id == "0" && !list.isLoadingNext)
        #expect(rows()[1].id == "1" && list.isLoadingNext)
        await stage.fail()
        #expect(rows()[1].id == "1" && !list.isLoadingNext)
        list.retry()
        await answer()
        for count in [4, 6] {
            #expect(rows().count == count && rows().last?.id == "\(count - 1)" && list.isLoadingNext)
            await answer()
        }
        #expect(rows().map(\.id) == (0..<7).map(String.init) && rows().reversed().first?.id == "6")
        #expect(!list.isLoadingNext && stage.network.sent.count == 5)
        async let refetched = list.refetched()
        while stage.network.waiting == 0 { await Task.yield() }
        await answer()
        _ = await refetched
        #expect(rows().last?.id == "1" && list.isLoadingNext, "the list has begun anew")
    }

    @Test func elementsAreThoseOfThePagesInOrder() async throws {
        let lists = [[], [1], [2, 3, 4], [], [5], []]
        let elements = PagedElements(lists)
        #expect(Array(elements) == [1, 2, 3, 4, 5] && elements.count == 5 && elements[3] == 4)
        #expect(elements.reversed() == [5, 4, 3, 2, 1] && elements[1..<3].map { $0 } == [2, 3])
        #expect(PagedElements([[Int]]()).isEmpty && PagedElements([[Int](), []]).first == nil)
        let list = list()
        #expect(list.elements(\.items).isEmpty)
        _ = list.get(.init(offset: 0, limit: 2))
        await answer()
        let all = Task { try await list.loadAll(upTo: 3, of: \.items).finished() }
        while stage.network.sent.count < 2 { await Task.yield() }
        await answer()
        try await all.value
        #expect(list.elements(\.items).map(\.id) == ["0", "1", "2", "3"] && stage.network.sent.count == 2)
        let (count, changed) = stage.environment.track { list.elements(\.items).count }
        list.loadNext()
        await answer()
        #expect(count == 4 && changed.hasChanged)
    }

    @Test("`renderPolicy` is for the first page; the others join the list when they are whole.")
    func parts() async throws {
        let list = PagedQuery<Query>(
            in: stage.environment, fetchPolicy: .storeOrNetwork, renderPolicy: .partial
        ) { Query.Variables(offset: $0.count * 2, limit: 2) }
        let holders = [0, 2].map { _ in QueryHandle<Query>(in: stage.environment) }
        for (holder, offset) in zip(holders, [0, 2]) {
            _ = holder.get(.init(offset: offset, limit: 2))
            await answer(prefix: "old")
        }
        try stage.environment.update { store in
            for offset in [0, 2] {
                let part = try store.create(DataID("part \(offset)"), type: "Todo")
                try part.setValue(.string("part \(offset)"), forField: "id")
                try store.root.setLinkedRecords(
                    [part, store.get(DataID("\(offset + 1)"))], forField: "items",
                    arguments: ["limit": 2, "offset": .int(offset)])
            }
        }
        _ = list.get(.init(offset: 0, limit: 2))
        #expect(ids(list) == ["part 0", "1"] && list.isFetching && list.elements(\.items).first?.text == nil)
        await answer()
        #expect(list.elements(\.items).first?.text == "item 0" && !list.isFetching)
        list.loadNext()
        #expect(ids(list) == ["0", "1"] && list.isLoadingNext)
        await answer()
        #expect(ids(list) == ["0", "1", "2", "3"])
        withExtendedLifetime(holders) {}
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

    // MARK: - Freshness

    private static let fresh = Freshness(
        refetchOn: [.invalidation, .missingData, .networkReturned, .reconnected])

    /// Two pages of a list that fetches again by itself.
    private func fresh() async throws -> PagedQuery<Query> {
        let list = list(.networkOnly, Self.fresh)
        _ = list.get(.init(offset: 0, limit: 2))
        await answer()
        let task = list.loadNext()
        await answer()
        try await task.finished()
        #expect(ids(list) == ["0", "1", "2", "3"])
        return list
    }

    private var causes: [LogEvent.Refresh.Cause] {
        stage.log.events.compactMap { if case .refreshed(let event) = $0 { event.cause } else { nil } }
    }

    @Test(
        "A page that is invalidated or loses data, and a signal of the application, begin the list anew, as `refetch()` does, if `freshness` asks for it.",
        arguments: [LogEvent.Refresh.Cause.invalidation, .missingData, .networkReturned, .reconnected])
    func listsFetchAgain(_ cause: LogEvent.Refresh.Cause) async throws {
        let list = try await fresh()
        let patient = await begun()
        switch cause {
        case .invalidation: stage.environment.invalidate("3")
        case .missingData:
            try stage.environment.update { store in
                try store.delete("3")
                try store.create("3", type: "Item")
            }
            _ = list.result
        case .reconnected: stage.environment.refreshes.note(.reconnected, ifOlderThan: .zero)
        default: stage.environment.note(.networkReturned)
        }
        await stage.settle()
        #expect(stage.network.waiting == 1 && causes == [cause])
        // All pages stay on show until the first one has come.
        if cause != .missingData { #expect(ids(list) == ["0", "1", "2", "3"]) }
        let before = stage.network.sent.count
        await answer(prefix: "new")
        #expect(ids(list) == ["0", "1"] && list.result.data?.first?.items?.first?.text == "new 0")
        #expect(stage.network.sent.count == before && ids(patient)?.isEmpty == false)
        // The new page hears of the next cause.
        stage.environment.invalidate()
        await stage.settle()
        #expect(stage.network.waiting == 1)
        await answer(prefix: "newer")
        #expect(list.result.data?.first?.items?.first?.text == "newer 0")
    }

    @Test("A signal that the data is young enough for loads only a page again that has failed.")
    func aFailedPageIsLoadedAgainAfterASignal() async throws {
        let list = try await fresh()
        stage.environment.note(.networkReturned, ifOlderThan: .seconds(60))
        await stage.settle()
        #expect(stage.network.waiting == 0)
        let task = list.loadNext()
        await stage.settle()
        await stage.fail()
        await #expect(throws: RelayError.transport(Unreachable())) { try await task.finished() }
        stage.environment.note(.networkReturned, ifOlderThan: .seconds(60))
        await stage.settle()
        #expect(stage.network.waiting == 1)
        await answer()
        #expect(ids(list) == ["0", "1", "2", "3", "4", "5"] && list.fetchError == nil)
        #expect(causes == [.networkReturned])
    }
}
