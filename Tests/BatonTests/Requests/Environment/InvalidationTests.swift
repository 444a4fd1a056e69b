import Testing

@testable import Baton

actor Listener {
    private(set) var heard: [[DataID]] = []
    func hear(_ ids: [DataID]) { heard.append(ids) }
}

@Suite(.timeLimit(.minutes(20))) struct InvalidationTests {
    let stage = Stage()
    private var environment: RelayEnvironment { stage.environment }

    @Test func theStateOfRecordsTellsWhichWereInvalidated() async throws {
        try await stage.seed(Films.ListQuery(), Films.list(3))
        let state = environment.invalidationState(of: ["3", "1", "p1", "unknown"])
        #expect(!state.hasChanged)
        environment.invalidate("2")
        #expect(!state.hasChanged)
        environment.invalidate("1")
        #expect(state.invalidated == ["1"])
        environment.invalidate(type: "Person")
        #expect(state.invalidated == ["1", "p1"])
        #expect(!environment.invalidationState(of: ["3", "1", "p1"]).hasChanged)
        try environment.update { try $0.get("3")?.invalidate() }
        #expect(state.invalidated == ["3", "1", "p1"])
        environment.invalidate()
        #expect(state.invalidated == ["3", "1", "p1", "unknown"])
    }

    @Test func invalidationsAreHeardOnTheActor() async throws {
        try await stage.seed(Films.ListQuery(), Films.list(3))
        let listener = Listener()
        let token = environment.onInvalidation(of: ["1", "2"], on: listener) { $0.hear($1) }
        await stage.settle()
        #expect(await listener.heard.isEmpty, "nothing is told at first")
        environment.invalidate("3")
        await stage.settle()
        environment.invalidate("2")
        await stage.settle()
        environment.invalidate(type: "Film")
        await stage.settle()
        #expect(await listener.heard == [["2"], ["1", "2"]])
        token.cancel()
        environment.invalidate()
        await stage.settle()
        #expect(await listener.heard.count == 2)
    }

    @Test func anActorThatIsGoneIsForgotten() async throws {
        var listener: Listener? = Listener()
        weak let observer = listener
        if let listener { _ = environment.onInvalidation(of: ["1"], on: listener) { $0.hear($1) } }
        listener = nil
        await stage.settle()
        #expect(observer == nil)
        environment.invalidate()
        await stage.settle()
    }

    @Test func actorsThatAreGoneTakeNoRoom() async {
        for _ in 0..<1_000 {
            let listener = Listener()
            _ = environment.onInvalidation(of: ["1"], on: listener) { $0.hear($1) }
        }
        #expect(environment.store.invalidationWatch.count <= 32)
    }

    @Test func aResetInvalidatesEverything() async throws {
        try await stage.seed(Films.ListQuery(), Films.list(1))
        let state = environment.invalidationState(of: ["1"])
        let listener = Listener()
        environment.onInvalidation(of: ["1", "unknown"], on: listener) { $0.hear($1) }
        environment.reset()
        await stage.settle()
        #expect(state.hasChanged)
        #expect(await listener.heard == [["1", "unknown"]])
    }

    /// An invalidation changes nothing on show; the next evaluated policy fetches.
    @Test func invalidationMovesNothingThatIsShown() async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "Hope"))
        let handle = QueryHandle<Films.FilmQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        #expect(handle.get(id: "1").data?.film?.title == "Hope")
        stage.log.clear()
        environment.invalidate(type: "Film")
        environment.invalidate(Films.FilmQuery(id: "1"))
        environment.invalidate(Films.FilmQuery.self)
        environment.invalidate("1")
        environment.invalidate("unknown")
        environment.invalidate()
        #expect(handle.get(id: "1").data?.film?.title == "Hope")
        await stage.settle()
        #expect(stage.network.waiting == 0)
        #expect(stage.log.publishes.map(\.source) == Array(repeating: .invalidation, count: 5))
        #expect(stage.log.publishes.allSatisfy { $0.recordsChanged == 0 && $0.componentsNotified == 0 })
        let other = QueryHandle<Films.FilmQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        #expect(other.get(id: "1") == .loading)
        #expect(stage.log.checks.map(\.availability.staleness) == [.storeInvalidated])
        await stage.settle()
        #expect(stage.network.waiting == 1)
    }

    /// A request that began before an invalidation of the operation is not shared with a later `get`.
    @Test func aRequestFromBeforeAnInvalidationOfTheOperationIsNotShared() async throws {
        let first = QueryHandle<Films.FilmQuery>(in: environment)
        _ = first.get(id: "1")
        await stage.settle()
        environment.invalidate(Films.FilmQuery(id: "1"))
        let second = QueryHandle<Films.FilmQuery>(in: environment)
        _ = second.get(id: "1")
        await stage.settle()
        #expect(stage.network.waiting == 2)
    }
}
