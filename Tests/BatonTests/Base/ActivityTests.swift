import Testing

@testable import Baton

@Suite(.timeLimit(.minutes(20))) struct ActivityTests {
    @Test func waitingEndsWithTheNextChangeOrACancelledTask() async {
        let activity = Activity()
        let before = activity.counts
        let waiting = Task { await activity.change(after: before.revision) }
        activity.requestStarted()
        await waiting.value
        #expect(activity.counts == .init(requests: 1, deliveries: 0, revision: before.revision + 1))
        await activity.change(after: before.revision)
        let now = activity.counts.revision
        let cancelled = Task { await activity.change(after: now) }
        cancelled.cancel()
        await cancelled.value
        #expect(activity.counts.revision == now)
    }

    @Test func aDeliveryIsCountedBeforeItsRequestStopsBeingCounted() async {
        let stage = Stage()
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        let screen = Screen()
        handle.observe(on: screen) { screen, result in screen.note(result) }
        _ = handle.get(id: "1")
        await stage.settle()
        await stage.answer(Films.film("1", "one"))
        #expect(stage.environment.activity.counts.requests == 0)
        #expect(await screen.titles.last == "one", "nothing was under way when the counts were zero")
    }

    @Test func theBufferKeepsTheLastThatWereLetGo() {
        let store = Store(options: StoreOptions(releaseBufferSize: 2))
        let retained = store.operations
        let operations = ["1", "2", "3"].map { store.bind(Films.FilmQuery(id: $0)) }
        for operation in operations {
            retained.retain(operation)
            retained.retain(operation)
        }
        for operation in operations { retained.release(operation) }
        #expect(operations.map(store.operations.holderCount) == [1, 1, 1], "each is held once more")
        for operation in operations { retained.release(operation) }
        #expect(operations.map(store.operations.holderCount) == [0, 0, 0])
        #expect(operations.map { retained.isRetained($0) } == [false, true, true])
        retained.retain(operations[1])
        retained.release(operations[1])
        retained.retain(operations[0])
        retained.release(operations[0])
        #expect(operations.map { retained.isRetained($0) } == [true, true, false])
        retained.release(operations[0])
        #expect(
            operations.map { retained.isRetained($0) } == [true, true, false], "what nobody holds is not let go again")
    }

    @Test func mutationsDoNotPushScreensOutOfTheBuffer() {
        let store = Store(options: StoreOptions(releaseBufferSize: 1))
        let retained = store.operations
        let film = store.bind(Films.FilmQuery(id: "1"))
        retained.retain(film)
        retained.release(film)
        let mutation = store.bind(Films.SetFavouriteMutation(variables: .init(id: "1", favourite: true)))
        retained.retain(mutation)
        retained.release(mutation)
        #expect(retained.isRetained(film) && !retained.isRetained(mutation))
    }
}
