import Testing

@testable import Baton

/// The guarantees of the pages of a list, one by one.
@Suite(.timeLimit(.minutes(20))) struct FragmentPagingTests {
    let stage = Stage(releaseBufferSize: 0)
    let service = TodoService(["a": 5, "b": 3, "a-done": 3])

    private func ids(_ list: FragmentHandle<Todos.TodoList>) -> [String]? { list.get().data?.ids }

    private func last() -> JSONValue? {
        stage.network.sent.max { $0.id < $1.id }.map { .object($0.variables) }
    }

    @Test("A page is added to the list, and the list stays on show meanwhile.")
    func aPage() async throws {
        let (board, list) = try await stage.board(service)
        #expect(ids(list) == ["a1", "a2"] && list.hasNext && !list.hasPrevious)
        let task = list.loadNext(2)
        #expect(list.isLoadingNext && !list.isLoadingPrevious && ids(list) == ["a1", "a2"])
        await stage.answer(service)
        try await task.finished()
        #expect(last() == ["before": .null, "count": 2, "cursor": "a2", "last": .null, "id": "a"])
        #expect(!list.isLoadingNext && ids(list) == ["a1", "a2", "a3", "a4"])
        let nodes = try #require(list.get().data?.todos?.nodes)
        #expect(nodes[2].id == "a3" && nodes.last?.text == "a4" && nodes.count == 4)
        withExtendedLifetime(board) {}
    }

    @Test("A call while a page of this side is loaded waits for that page, so that one request is sent.")
    func concurrent() async throws {
        let (board, list) = try await stage.board(service)
        let tasks = await withTaskGroup(of: FetchTask.self) { group in
            for count in 1...20 { group.addTask { list.loadNext(count) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        await stage.settle()
        #expect(stage.network.sent.count == 2 && stage.network.waiting == 1)
        await stage.answer(service)
        for task in tasks { try await task.finished() }
        #expect(stage.network.sent.count == 2 && !list.isLoadingNext)
        withExtendedLifetime(board) {}
    }

    @Test("The two sides load independently.")
    func bothSides() async throws {
        let service = TodoService(["a": 2, "b": 5])
        let (board, list) = try await stage.board(service)
        list.refetch(count: 1, cursor: "b2", id: "b")
        await stage.answer(service)
        #expect(ids(list) == ["b3"] && list.hasNext && list.hasPrevious)
        list.loadNext(1)
        list.loadPrevious(1)
        #expect(list.isLoadingNext && list.isLoadingPrevious)
        await stage.answer(service)
        #expect(ids(list) == ["b3", "b4"] && list.isLoadingPrevious && !list.isLoadingNext)
        await stage.answer(service)
        #expect(last() == ["before": "b3", "count": .null, "cursor": .null, "last": 1, "id": "b"])
        #expect(ids(list) == ["b2", "b3", "b4"] && list.hasNext && list.hasPrevious)
        list.loadPrevious(5)
        await stage.answer(service)
        #expect(ids(list) == ["b1", "b2", "b3", "b4"] && !list.hasPrevious)
        withExtendedLifetime(board) {}
    }

    @Test("At the end of the list no request is sent.")
    func end() async throws {
        let (board, list) = try await stage.board(service)
        list.loadNext(3)
        await stage.answer(service)
        #expect(ids(list)?.count == 5 && !list.hasNext)
        let task = list.loadNext(3)
        try await task.finished()
        #expect(task.isFinished && !list.isLoadingNext && stage.network.sent.count == 2)
        try await list.loadPrevious(2).finished()
        try await list.loadNext(0).finished()
        #expect(stage.network.sent.count == 2)
        withExtendedLifetime(board) {}
    }

    @Test("A node that the list has is not added again.")
    func duplicates() async throws {
        let (board, list) = try await stage.board(service)
        var moved = service
        moved.lists["a"] = ["a1", "a2", "a3", "a1", "a4"]
        list.loadNext(3)
        await stage.answer(moved)
        #expect(ids(list) == ["a1", "a2", "a3", "a4"])
        withExtendedLifetime(board) {}
    }

    @Test("A page that arrives after a refetch is dropped, and its callers get ``RelayError/cancelled``.")
    func pageAfterRefetch() async throws {
        let (board, list) = try await stage.board(service)
        let page = list.loadNext(2)
        await stage.settle()
        list.refetch(count: 1)
        await stage.settle()
        await #expect(throws: RelayError.cancelled) { try await page.finished() }
        #expect(!list.isLoadingNext && stage.network.cancelled == 1)
        await stage.answer(service)
        #expect(ids(list) == ["a1"])

        // Another handle waits for the same page, so that it arrives.
        let other = FragmentHandle(list.reference, in: stage.environment)
        list.loadNext(1)
        other.loadNext(1)
        await stage.settle()
        #expect(stage.network.waiting == 1)
        list.refetch(count: 3)
        await stage.settle()
        network(answerNewest: true)
        await stage.settle()
        #expect(ids(list) == ["a1", "a2", "a3"])
        await stage.answer(service)
        #expect(ids(list) == ["a1", "a2", "a3"], "its place is not the end of the list any more")
        withExtendedLifetime((board, other)) {}
    }

    private func network(answerNewest: Bool) {
        if let newest = stage.network.sent.last { stage.network.answerNewest(service.answer(newest)) }
    }

    @Test("While a refetch or the list itself is fetched, no page is loaded, and callers get ``RelayError/cancelled``.")
    func busy() async throws {
        let (board, list) = try await stage.board(service)
        list.refetch()
        await #expect(throws: RelayError.cancelled) { try await list.loadNext(2).finished() }
        await stage.answer(service)
        let other = FragmentHandle(board.result.data?.node?.list, in: stage.environment)
        _ = board.get(.init(id: "a"), fetchKey: 1)
        await #expect(throws: RelayError.cancelled) { try await other.loadNext(2).finished() }
        await stage.answer(service)
        #expect(stage.network.sent.count == 3 && !other.isLoadingNext)
    }

    @Test("A refetch begins the list anew, with the filters that it was given.")
    func filters() async throws {
        let (board, list) = try await stage.board(service)
        list.loadNext(3)
        await stage.answer(service)
        list.refetch(kind: "done")
        await stage.answer(service)
        #expect(ids(list) == ["a-done1", "a-done2"] && list.hasNext)
        list.loadNext(2)
        await stage.answer(service)
        #expect(ids(list) == ["a-done1", "a-done2", "a-done3"] && !list.hasNext)
        list.refetch(kind: .null)
        await stage.answer(service)
        #expect(ids(list) == ["a1", "a2"])
        withExtendedLifetime(board) {}
    }

    @Test("After a failure the list is as it was; `retry()` loads the page again.")
    func failure() async throws {
        let (board, list) = try await stage.board(service)
        let task = list.loadNext(2)
        await stage.fail()
        await #expect(throws: RelayError.transport(Unreachable())) { try await task.finished() }
        #expect(list.fetchError == .transport(Unreachable()) && ids(list) == ["a1", "a2"] && list.hasNext)
        list.retry()
        #expect(list.isLoadingNext && list.fetchError == nil)
        await stage.answer(#"{"data":null,"errors":[{"message":"down"}]}"#)
        #expect(list.fetchError == .noData([GraphQLError(message: "down")]))
        list.retry()
        await stage.answer(service)
        #expect(ids(list) == ["a1", "a2", "a3", "a4"] && list.fetchError == nil)
        withExtendedLifetime(board) {}
    }

    @Test(
        "After a signal the pages and refetches of the handle's fragments that have failed are loaded again.",
        arguments: [Freshness.Triggers.networkReturned, .applicationReturned])
    func signals(trigger: Freshness.Triggers) async throws {
        func signal() async {
            // What was fetched a moment ago stays.
            let hour = Duration.seconds(3600)
            if trigger == .networkReturned {
                stage.environment.note(.networkReturned, ifOlderThan: hour)
            } else {
                stage.environment.note(.applicationReturned, ifOlderThan: hour)
            }
            await stage.settle()
        }
        let (board, list) = try await stage.board(service, freshness: Freshness(refetchOn: trigger))
        let (deaf, other) = try await stage.board(service, "b")
        for list in [list, other] {
            list.loadNext(2)
            await stage.fail()
        }
        await signal()
        #expect(list.isLoadingNext && !other.isLoadingNext && other.fetchError != nil && stage.network.waiting == 1)
        await stage.answer(service)
        #expect(ids(list) == ["a1", "a2", "a3", "a4"] && list.fetchError == nil)
        await signal()
        #expect(stage.network.waiting == 0, "nothing has failed since")
        list.refetch(count: 1)
        await stage.fail()
        await signal()
        #expect(list.isFetching)
        list.cancel()
        await signal()
        #expect(!list.isFetching && stage.network.waiting == 0, "what was given up is not loaded")
        list.refetch(count: 3)
        await stage.fail()
        await signal()
        await stage.answer(service)
        #expect(ids(list) == ["a1", "a2", "a3"])
        withExtendedLifetime((board, deaf)) {}
    }

    @Test("A page that has failed is not loaded again if its list is fetched again: the list begins anew.")
    func signalForTheList() async throws {
        let (board, list) = try await stage.board(service, freshness: Freshness(refetchOn: .networkReturned))
        func look() { _ = list.loadingAhead(list.get().data?.todos?.nodes ?? [], distance: 1, count: 2).last }
        list.loadNext(1)
        await stage.answer(service)
        list.loadNext(2)
        await stage.fail()
        stage.environment.note(.networkReturned)
        await stage.settle()
        #expect(board.isFetching && !list.isLoadingNext && stage.network.waiting == 1)
        await stage.answer(service)
        #expect(ids(list) == ["a1", "a2"] && list.fetchError == nil && !list.isLoadingNext)
        list.retry()
        #expect(!list.isLoadingNext)
        look()
        #expect(list.isLoadingNext, "the new list is loaded ahead")
        await stage.answer(service)
        #expect(ids(list) == ["a1", "a2", "a3", "a4"])
    }

    @Test("A page with errors and data is added, and its errors are in `errors`.")
    func partialErrors() async throws {
        let (board, list) = try await stage.board(service)
        list.loadNext(1)
        await stage.settle()
        stage.network.answer { request in
            String(service.answer(request).dropLast()) + #","errors":[{"message":"slow"}]}"#
        }
        await stage.settle()
        #expect(ids(list) == ["a1", "a2", "a3"] && list.errors.map(\.message) == ["slow"] && list.fetchError == nil)
        withExtendedLifetime(board) {}
    }

    @Test("A streamed page is loading until its last part has arrived, and its edges are shown as they arrive.")
    func streamed() async throws {
        let network = PartsNetwork()
        let environment = RelayEnvironment(network: network)
        let board = QueryHandle<Todos.BoardQuery>(in: environment)
        _ = board.get(.init(id: "a"))
        func wait(_ isDone: () -> Bool) async { while !isDone() { await Task.yield() } }
        await wait { network.sent == 1 }
        let request = NetworkRequest(
            id: 1, operationName: "Board", kind: .query, text: nil, variables: [.init("id", "a")])
        network.give(service.answer(request), hasNext: false)
        await wait { board.result.data != nil }
        let list = FragmentHandle(board.result.data?.node?.streamed, in: environment)
        let task = list.loadNext(3)
        await wait { network.sent == 2 }
        network.give(
            #"{"data":{"node":{"__typename":"User","name":"User a","todos":{"edges":[{"node":{"id":"a3","text":"a3"},"#
                + #""cursor":"a3"}]},"id":"a"}},"hasNext":true}"#)
        await wait { list.get().data?.ids.count == 3 }
        #expect(list.isLoadingNext && !task.isFinished)
        #expect(list.loadNext(9).isFinished == false && network.sent == 2)
        network.give(
            #"{"label":"edges","path":["node","todos","edges",1],"items":[{"node":{"id":"a4","text":"a4"},"#
                + #""cursor":"a4"}],"hasNext":true}"#)
        await wait { list.get().data?.ids.count == 4 }
        #expect(list.isLoadingNext)
        network.give(
            #"{"label":"info","path":["node","todos"],"data":{"pageInfo":{"endCursor":"a4","hasNextPage":true,"#
                + #""hasPreviousPage":false,"startCursor":"a3"}},"hasNext":false}"#,
            hasNext: false)
        try await task.finished()
        #expect(!list.isLoadingNext && list.hasNext && list.get().data?.ids == ["a1", "a2", "a3", "a4"])
        withExtendedLifetime(board) {}
    }

    @Test("A deferred list knows its end, although no part has the list itself, and loads its next page.")
    func deferred() async throws {
        let network = PartsNetwork()
        let environment = RelayEnvironment(network: network)
        let board = QueryHandle<Todos.DeferredBoardQuery>(in: environment)
        _ = board.get(.init(id: "a"))
        func wait(_ isDone: () -> Bool) async { while !isDone() { await Task.yield() } }
        await wait { network.sent == 1 }
        network.give(
            #"{"data":{"node":{"__typename":"User","id":"a","todos":{"edges":[{"node":{"id":"a1"}},{"node":{"id":"a2"}}]}}},"#
                + #""pending":[{"id":"0","label":"list","path":["node"]}],"hasNext":true}"#)
        let info = #"{"endCursor":"a2","hasNextPage":true,"hasPreviousPage":false,"startCursor":"a1"}"#
        let entries = [
            #"{"id":"0","data":{"name":"User a"}}"#,
            #"{"id":"0","subPath":["todos","edges",0],"data":{"cursor":"a1"}}"#,
            #"{"id":"0","subPath":["todos","edges",0,"node"],"data":{"text":"a1"}}"#,
            #"{"id":"0","subPath":["todos","edges",1],"data":{"cursor":"a2"}}"#,
            #"{"id":"0","subPath":["todos","edges",1,"node"],"data":{"text":"a2"}}"#,
            #"{"id":"0","subPath":["todos"],"data":{"pageInfo":\#(info)}}"#,
        ]
        network.give(
            #"{"incremental":[\#(entries.joined(separator: ","))],"completed":[{"id":"0"}],"hasNext":false}"#,
            hasNext: false)
        await environment.settled()
        let list = FragmentHandle(board.result.data?.node?.list, in: environment)
        #expect(list.get().data?.ids == ["a1", "a2"] && list.hasNext && !list.hasPrevious)
        let task = list.loadNext(1)
        await wait { network.sent == 2 }
        network.give(
            #"{"data":{"node":{"__typename":"User","name":"User a","todos":{"edges":[{"node":{"id":"a3","text":"a3"},"#
                + #""cursor":"a3"}],"pageInfo":\#(info.replacing("a2", with: "a3"))},"id":"a"}}}"#,
            hasNext: false)
        try await task.finished()
        #expect(list.get().data?.ids == ["a1", "a2", "a3"])
        withExtendedLifetime(board) {}
    }

    @Test("Observers are told when a page begins, when it ends, and when the ends of the list change.")
    func observers() async throws {
        let (board, list) = try await stage.board(service)
        let screen = Screen()
        list.observe(on: screen) { [weak list] screen, result in
            guard let list else { return }
            let status = "\(list.hasNext ? "more" : "all")\(list.isLoadingNext ? ", loading" : "")"
            screen.note(row: "\(result.data?.ids.count ?? 0) \(status)")
        }
        await stage.settle()
        list.loadNext(2)
        await stage.settle()
        #expect(await screen.rows == ["2 more", "2 more, loading"])
        await stage.answer(service)
        #expect(await screen.rows.last == "4 more")

        // An empty page of another component changes nothing but the end of the list.
        let other = FragmentHandle(list.reference, in: stage.environment)
        var short = service
        short.lists["a"] = ["a1", "a2", "a3", "a4"]
        other.loadNext(2)
        await stage.answer(short)
        #expect(await screen.rows.last == "4 all")
        withExtendedLifetime(board) {}
    }

    @Test("The pages are retained from their request to the end of the handle.")
    func retained() async throws {
        let (board, list) = try await stage.board(service)
        list.loadNext(2)
        await stage.answer(service)
        stage.environment.collectGarbage()
        #expect(ids(list) == ["a1", "a2", "a3", "a4"] && !list.isMissingData)
        let reference = list.reference
        _ = board.get(.init(id: "b"))
        await stage.answer(service)
        _ = board.get(.init(id: "b", kind: "done"))
        await stage.answer(service)
        stage.environment.collectGarbage()
        #expect(ids(list) == ["a1", "a2", "a3", "a4"] && list.reference == reference)
    }

    @Test("The end of the handle cancels the pages that only it has waited for.")
    func endOfTheHandle() async throws {
        let (board, list) = try await stage.board(service)
        var handle: FragmentHandle<Todos.TodoList>? = FragmentHandle(list.reference, in: stage.environment)
        let task = try #require(handle?.loadNext(2))
        await stage.settle()
        handle = nil
        await stage.settle()
        #expect(stage.network.waiting == 0 && stage.network.cancelled == 1)
        await #expect(throws: RelayError.cancelled) { try await task.finished() }
        withExtendedLifetime(board) {}
    }

    @Test func aListInAListHasPagesOfItsOwn() async throws {
        let users = QueryHandle<Todos.UsersQuery>(in: stage.environment)
        _ = users.get()
        let edges = ["a", "b"].map { id in
            let request = NetworkRequest(
                id: 1, operationName: "", kind: .query, text: nil, variables: [.init("id", .string(id))])
            // The response for one user without what stands around the user.
            let user = service.answer(request).dropFirst(16).dropLast(2)
            return #"{"node":\#(user),"cursor":"\#(id)"}"#
        }
        await stage.answer(#"{"data":{"users":{"edges":[\#(edges.joined(separator: ","))]}}}"#)
        let lists = try #require(users.result.data?.users?.nodes).map {
            FragmentHandle($0.list, in: stage.environment)
        }
        let screen = Screen()
        for list in lists {
            list.observe(on: screen) { screen, result in
                screen.note(row: (result.data?.ids ?? []).joined(separator: " "))
            }
        }
        await stage.settle()
        lists[1].loadNext(2)
        await stage.answer(service)
        #expect(lists.map { ids($0) } == [["a1", "a2"], ["b1", "b2", "b3"]])
        #expect(lists.map(\.hasNext) == [true, false])
        lists[0].loadNext(1)
        await stage.answer(service)
        #expect(lists.map { ids($0) } == [["a1", "a2", "a3"], ["b1", "b2", "b3"]])
        stage.environment.collectGarbage()
        #expect(lists.map { ids($0) } == [["a1", "a2", "a3"], ["b1", "b2", "b3"]])
        let rows = await screen.rows
        #expect(rows.dropFirst(2).first == "b1 b2" && Set(rows.suffix(1)) == ["a1 a2 a3"])
    }

    @Test("A look at one of the last elements loads the next page, and a failure is not repeated in every frame.")
    func looksNearTheEndLoadTheNextPage() async throws {
        let (board, list) = try await stage.board(service)
        func rows() -> LoadingAhead<NodeList<Todos.TodoList.Node>> {
            list.loadingAhead(list.get().data?.todos?.nodes ?? [], distance: 1, count: 2)
        }
        #expect(rows()[0].id == "a1" && !list.isLoadingNext)
        #expect(rows()[1].id == "a2" && list.isLoadingNext)
        #expect(rows().map(\.id) == ["a1", "a2"])
        await stage.fail()
        #expect(rows().last?.id == "a2" && !list.isLoadingNext, "a failure is not repeated in every frame")
        list.retry()
        await stage.answer(service)
        #expect(rows()[3].id == "a4" && list.isLoadingNext)
        await stage.answer(service)
        #expect(rows().map(\.id).count == 5 && !list.isLoadingNext && stage.network.sent.count == 4)
        #expect(rows().reversed().first?.id == "a5" && rows().index(0, offsetBy: 2) == 2)
        withExtendedLifetime(board) {}
    }

    @Test func aWatchThatWasMadeInVainLeaves() async throws {
        let (board, list) = try await stage.board(service)
        _ = list.loads
        let count = list.core.observers.count
        LoadCore(list.core, LoadQuery(Todos.TodoList.self, in: stage.environment)).close()
        let screen = Screen()
        list.observe(on: screen) { screen, _ in screen.note(row: "") }
        list.loadNext(2)
        await stage.answer(service)
        #expect(list.core.observers.count == count + 1)
        withExtendedLifetime(board) {}
    }

    @Test func aPageThatWasRefusedIsLoadedAheadLater() async throws {
        let (board, _) = try await stage.board(service)
        let list = FragmentHandle(board.result.data?.node?.list, in: stage.environment)
        func look() { _ = list.loadingAhead(list.get().data?.todos?.nodes ?? [], distance: 9, count: 2).last }
        _ = board.get(.init(id: "a"), fetchKey: 1)
        look()
        #expect(!list.isLoadingNext, "the list itself is being fetched")
        await stage.answer(service)
        look()
        #expect(list.isLoadingNext)
        await stage.settle()
        list.cancel()
        #expect(!list.isLoadingNext)
        look()
        #expect(list.isLoadingNext, "a page that was cancelled has not come")
    }

    @Test func aListThatBeginsAnewIsLoadedAheadAnew() async throws {
        let (board, list) = try await stage.board(service)
        func loadAhead(_ comment: Comment) async {
            _ = list.loadingAhead(list.get().data?.todos?.nodes ?? [], distance: 9, count: 2).last
            #expect(list.isLoadingNext, comment)
            await stage.answer(service)
            #expect(ids(list) == ["a1", "a2", "a3", "a4"], comment)
        }
        await loadAhead("the first time")
        list.refetch()
        await stage.answer(service)
        await loadAhead("after a refetch")
        let first = list.reference
        list.show(nil)
        list.show(first)
        list.refetch(id: "a")
        await stage.answer(service)
        await loadAhead("after another reference")
        _ = board.get(.init(id: "a"), fetchKey: 1)
        await stage.answer(service)
        await loadAhead("after a refetch of the list's owner")
        stage.environment.reset(refetching: true)
        await stage.answer(service)
        await stage.answer(service)
        await loadAhead("after a reset")
    }

    @Test func aFailureDoesNotEndLoadingAheadForGood() async throws {
        let service = TodoService(["a": 2, "b": 5])
        let (board, list) = try await stage.board(service)
        list.refetch(count: 1, cursor: "b2", id: "b")
        await stage.answer(service)
        #expect(ids(list) == ["b3"])
        func look() { _ = list.loadingAhead(list.get().data?.todos?.nodes ?? [], distance: 9, count: 1).last }
        look()
        await stage.fail()
        look()
        #expect(!list.isLoadingNext)
        list.loadPrevious(1)
        await stage.answer(service)
        #expect(ids(list) == ["b2", "b3"])
        look()
        #expect(list.isLoadingNext, "another load has succeeded since")
        withExtendedLifetime(board) {}
    }

    @Test func allPagesAreLoadedUpToALimit() async throws {
        let (board, list) = try await stage.board(service)
        let loading = Task { try await list.loadAll(upTo: 4, pageSize: 1).finished() }
        while stage.network.sent.count < 2 { await Task.yield() }
        await stage.answer(service)
        while stage.network.sent.count < 3 { await Task.yield() }
        await stage.answer(service)
        try await loading.value
        #expect(ids(list)?.count == 4 && list.hasNext && stage.network.sent.count == 3)
        let rest = Task { try await list.loadAll(upTo: .max).finished() }
        while stage.network.sent.count < 4 { await Task.yield() }
        await stage.answer(service)
        try await rest.value
        #expect(ids(list)?.count == 5 && !list.hasNext)
        withExtendedLifetime(board) {}
    }

    @Test("While `loadAll` loads pages, a look at the last elements loads none.")
    func loadAllIsNotAnticipated() async throws {
        let (board, list) = try await stage.board(service)
        func rows() -> some RandomAccessCollection {
            list.loadingAhead(list.get().data?.todos?.nodes ?? [], distance: 9, count: 2)
        }
        let shown = rows()
        let all = list.loadAll(upTo: 4, pageSize: 1)
        // The first page is not asked for yet.
        _ = shown.last
        for count in 2...3 {
            while stage.network.sent.count < count, !all.isFinished {
                _ = rows().last
                await Task.yield()
            }
            await stage.answer(service)
        }
        try await all.finished()
        #expect(ids(list)?.count == 4 && stage.network.sent.count == 3)
        // Between two pages nothing is under way.
        let between = Completion()
        list.loads.noteAll(FetchTask(between) {})
        _ = rows().last
        #expect(!list.isLoadingNext)
        between.finish(nil)
        _ = rows().last
        #expect(list.isLoadingNext, "the load of all pages is over")
        withExtendedLifetime(board) {}
    }

    @Test("`loadAll` waits until the list can be shown, and throws the error if that fails.", arguments: [false, true])
    func loadAllWaits(_ isRefetch: Bool) async throws {
        let (board, list) = try await stage.board(service)
        func begin() async -> Task<Void, any Error> {
            if isRefetch { list.refetch() } else { _ = board.get(.init(id: "a"), fetchKey: stage.network.sent.count) }
            await stage.settle()
            let before = list.core.observers.count
            let task = Task { try await list.loadAll(upTo: 4, pageSize: 1).finished() }
            while list.core.observers.count == before { await Task.yield() }
            return task
        }
        let loading = await begin()
        #expect(stage.network.sent.count == 2)
        for count in 3...4 {
            await stage.answer(service)
            while stage.network.sent.count < count { await Task.yield() }
        }
        await stage.answer(service)
        try await loading.value
        #expect(ids(list)?.count == 4)
        stage.environment.reset()
        let lost = Task { try await list.loadAll(upTo: 4, pageSize: 1).finished() }
        _ = board.get(.init(id: "a"))
        await stage.fail()
        await #expect(throws: RelayError.transport(Unreachable())) { try await lost.value }
        withExtendedLifetime(board) {}
    }

    @Test func aServiceThatNeverAdvancesDoesNotHoldLoadAll() async throws {
        let (board, list) = try await stage.board(service)
        let loading = Task { try await list.loadAll(upTo: 100).finished() }
        while stage.network.sent.count < 2 { await Task.yield() }
        await stage.answer(
            #"{"data":{"node":{"__typename":"User","name":"User a","todos":{"edges":[],"pageInfo":{"endCursor":"a2","#
                + #""hasNextPage":true,"hasPreviousPage":false,"startCursor":null}},"id":"a"}}}"#)
        try await loading.value
        #expect(stage.network.sent.count == 2 && list.hasNext)
        withExtendedLifetime(board) {}
    }
}
