import Testing

@testable import Baton

/// Concurrent work from many threads; the thread sanitizer finds most here.
@Suite(.timeLimit(.minutes(20))) struct HammerTests {
    /// Answers at once, with the number of requests in the title.
    final class Immediate: NetworkLayer {
        private let count = Guarded(0)

        func send(_ request: NetworkRequest) async throws -> NetworkResponse {
            let count = count.withLock { count in
                count += 1
                return count
            }
            await Task.yield()
            if count % 7 == 0 { throw Unreachable() }
            if request.operationName == "List" {
                return NetworkResponse(body: Array(Films.list(4, favourites: [count % 5]).utf8))
            }
            guard case .string(let id)? = request.variables.first?.value else { throw Unreachable() }
            return NetworkResponse(body: Array(Films.film(id, "\(count)").utf8))
        }
    }

    actor Viewer {
        var deliveries = 0
        func note() { deliveries += 1 }
    }

    @Test func handlesAreUsedFromManyThreadsAtOnce() async throws {
        let environment = RelayEnvironment(network: Immediate(), options: StoreOptions(releaseBufferSize: 2))
        let handle = QueryHandle<Films.FilmQuery>(in: environment, fetchPolicy: .storeAndNetwork)
        let viewers = (0..<4).map { _ in Viewer() }
        for viewer in viewers { handle.observe(on: viewer) { viewer, _ in viewer.note() } }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for round in 0..<60 {
                        switch (worker + round) % 8 {
                        case 0: _ = handle.get(id: "\(round % 3)")
                        case 1: _ = handle.get(id: "1", fetchKey: round)
                        case 2: handle.retry()
                        case 3: _ = await handle.refetched()
                        case 4:
                            environment.invalidate()
                            try? environment.update { store in
                                try store.get("1")?.setValue(.string("\(round)"), forField: "title")
                            }
                        case 5:
                            let other = QueryHandle<Films.FilmQuery>(in: environment, fetchPolicy: .networkOrStore)
                            _ = other.get(id: "\(round % 3)", fetchKey: round)
                            await Task.yield()
                        case 6:
                            let token = handle.observe(on: viewers[round % 4]) { viewer, _ in viewer.note() }
                            _ = try? await environment.fetch(Films.FilmQuery(id: "2"))
                            token.cancel()
                        default:
                            _ = (handle.previousData(anyVariables: true), handle.errors, handle.isMissingData)
                            var iterator = handle.results.makeAsyncIterator()
                            _ = await iterator.next()
                        }
                    }
                }
            }
        }
        await settle(environment)
        #expect(handle.result.data?.film != nil || handle.result.error != nil)
        #expect(!handle.isFetching)
        for viewer in viewers { #expect(await viewer.deliveries > 0) }
    }

    @Test func rowsComeAndGoWhileTheirListIsRefetched() async throws {
        let environment = RelayEnvironment(network: Immediate())
        let list = QueryHandle<Films.ListQuery>(in: environment, fetchPolicy: .storeAndNetwork)
        while list.get().data == nil {
            list.retry()
            await settle(environment)
        }
        let viewer = Viewer()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    for round in 0..<60 {
                        if worker == 0 { _ = await list.refetched() }
                        guard let film = list.result.data?.films[round % 4] else { continue }
                        let row = FragmentHandle(film.row, in: environment)
                        row.observe(on: viewer) { viewer, _ in viewer.note() }
                        _ = (row.get(), row.errors)
                        if let other = list.result.data?.films[0] { row.show(other.row) }
                        _ = row.get()
                    }
                }
            }
        }
        await settle(environment)
        #expect(environment.store.subscriptionCount == 1, "the rows are gone, the list is there")
    }

    private func settle(_ environment: RelayEnvironment) async {
        while true {
            let counts = environment.activity.counts
            if counts.requests == 0 && counts.deliveries == 0 && counts.collections == 0 { return }
            await environment.activity.change(after: counts.revision)
        }
    }
}
