import Testing

@testable import Baton

/// Refetches and pages from many threads at once; the thread sanitizer finds most here.
@Suite(.timeLimit(.minutes(20))) struct LoadHammerTests {
    /// Answers at once, and fails now and then.
    final class Immediate: NetworkLayer {
        private let service = TodoService(["a": 40, "b": 30])
        private let count = Guarded(0)

        func send(_ request: NetworkRequest) async throws -> NetworkResponse {
            let count = count.withLock { count in
                count += 1
                return count
            }
            await Task.yield()
            if count % 9 == 0 { throw Unreachable() }
            return NetworkResponse(body: Array(service.answer(request).utf8))
        }
    }

    actor Viewer {
        var last: [String] = []
        func note(_ ids: [String]) { last = ids }
    }

    @Test func pagesAndRefetchesFromManyThreads() async throws {
        let environment = RelayEnvironment(network: Immediate(), options: StoreOptions(releaseBufferSize: 0))
        let board = try await environment.fetch(Todos.BoardQuery(id: "a"))
        let given = try #require(board.data?.node?.list)
        var list: FragmentHandle<Todos.TodoList>? = FragmentHandle(given, in: environment)
        let viewer = Viewer()
        list?.observe(on: viewer) { viewer, result in viewer.note(result.data?.ids ?? []) }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask { [list] in
                    guard let list else { return }
                    for round in 0..<40 {
                        switch (worker + round) % 8 {
                        case 0: list.refetch(id: round % 2 == 0 ? "a" : "b")
                        case 1, 2: try? await list.loadNext(2).finished()
                        case 3: list.retry()
                        case 4: list.loadNext(1).cancel()
                        case 5:
                            try? environment.update { store in try store.get("a1")?.setValue("x", forField: "text") }
                        case 6: if round % 5 == 0 { list.show(given) } else { environment.collectGarbage() }
                        default: _ = (list.get(), list.hasNext, list.isLoadingNext, list.errors, list.fetchError)
                        }
                    }
                }
            }
        }
        while list?.isFetching == true || list?.isLoadingNext == true { await Task.yield() }
        let ids = list?.get().data?.ids ?? []
        #expect(Set(ids).count == ids.count, "no todo is there twice")
        let numbers = ids.compactMap { Int($0.dropFirst()) }
        #expect(numbers == Array(1..<(ids.count + 1)), "no page is lost")
        while environment.activity.counts.deliveries > 0 { await Task.yield() }
        #expect(await viewer.last == ids)
        list = nil
        while environment.activity.counts.requests > 0 { await Task.yield() }
        #expect(environment.store.operations.holderCount(of: given.owner) == 1, "the response alone")
    }

    @Test func pagesOfAPagedQueryFromManyThreads() async throws {
        final class Items: NetworkLayer {
            func send(_ request: NetworkRequest) async throws -> NetworkResponse {
                await Task.yield()
                guard case .int(let offset)? = request.variables.first(where: { $0.name == "offset" })?.value else {
                    throw Unreachable()
                }
                let items = (offset..<offset + 2).map { #"{"id":"\#($0)","text":""}"# }.joined(separator: ",")
                return NetworkResponse(body: Array(#"{"data":{"items":[\#(items)]}}"#.utf8))
            }
        }
        let environment = RelayEnvironment(network: Items())
        let list = PagedQuery<Todos.OffsetQuery>(in: environment) { pages in
            pages.last.map { Todos.OffsetQuery.Variables(offset: $0.variables.offset + 2, limit: 2) }
        }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    for round in 0..<30 {
                        switch (worker + round) % 4 {
                        case 0: _ = list.get(.init(offset: 0, limit: 2), fetchKey: round / 20)
                        case 1, 2: try? await list.loadNext().finished()
                        default: _ = (list.result, list.hasNext, list.isLoadingNext)
                        }
                    }
                }
            }
        }
        while list.isFetching || list.isLoadingNext { await Task.yield() }
        let ids = (list.result.data ?? []).flatMap { $0.items?.map(\.id) ?? [] }
        #expect(ids == ids.indices.map(String.init), "no page is lost or doubled")
    }
}
