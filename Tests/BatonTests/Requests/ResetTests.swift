import Synchronization
import Testing

@testable import Baton

@Suite(.timeLimit(.minutes(20))) struct ResetTests {
    let stage = Stage()

    @Test(arguments: FetchPolicy.allCases) func aLiveHandleStartsAfresh(_ policy: FetchPolicy) async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment, fetchPolicy: policy)
        _ = handle.get(id: "1")
        if policy != .storeOnly && policy != .storeOrNetwork { await stage.answer(Films.film("1", "one")) }
        #expect(handle.get(id: "1").data?.film?.title == "one")

        stage.environment.reset(refetching: true)
        #expect(handle.previousData(anyVariables: true) == nil)
        #expect(stage.environment.store.dump().isEmpty)
        if policy == .storeOnly {
            #expect(handle.get(id: "1") == .success(nil) || handle.get(id: "1").data?.film == nil)
            #expect(handle.isMissingData)
        } else {
            #expect(handle.get(id: "1").isLoading)
            await stage.answer(Films.film("1", "another"))
            #expect(handle.get(id: "1").data?.film?.title == "another")
        }
    }

    @Test func whoAwaitsSomethingHearsThatItWasCancelled() async throws {
        let environment = stage.environment
        let fetch = Task { try await environment.fetch(Films.FilmQuery(id: "1")) }
        let commit = Task {
            try await environment.commit(Films.SetFavouriteMutation(variables: .init(id: "1", favourite: true)))
        }
        while stage.network.waiting < 2 { await Task.yield() }
        environment.reset()
        await #expect(throws: RelayError.cancelled) { try await fetch.value }
        await #expect(throws: RelayError.cancelled) { try await commit.value }
        await stage.settle()
        #expect(stage.network.cancelled == 2)
        #expect(environment.activity.counts.requests == 0)
    }

    @Test func aHandleThatWaitsWaitsForANewRequest() async {
        let handle = QueryHandle<Films.FilmQuery>(in: stage.environment)
        let screen = Screen()
        handle.observe(on: screen) { screen, result in
            screen.note(row: result.data?.film?.title ?? "\(result.isLoading)")
        }
        _ = handle.get(id: "1")
        await stage.settle()
        stage.environment.reset(refetching: true)
        await stage.settle()
        #expect(stage.network.sent.count == 2)
        #expect(stage.network.waiting == 1)
        await stage.answer(Films.film("1", "new"))
        #expect(await screen.rows == ["true", "new"])
    }

    @Test func nothingThatBeganBeforeLands() throws {
        let store = stage.environment.store
        let operation = store.bind(Films.FilmQuery(id: "1"))
        let staged = try store.normalize(Array(Films.film("1", "late").utf8), for: operation)
        try stage.environment.update { proxy in
            stage.environment.reset()
            try proxy.root.setValue("late", forField: "name")
        }
        #expect(!store.publish(staged, for: operation).isLanded)
        #expect(store.dump().isEmpty)
        stage.environment.invalidate()
        try stage.environment.update { proxy in try proxy.root.setValue("after", forField: "name") }
        #expect(store.dump().contains("after"))
    }

    @Test func fragmentsWaitForTheirOperation() async throws {
        let list = QueryHandle<Films.ListQuery>(in: stage.environment)
        _ = list.get()
        await stage.answer(Films.list(3))
        let reference = try #require(list.get().data?.films.last??.row)
        let row = FragmentHandle<Films.FilmRow>(reference, in: stage.environment)
        #expect(row.get().data?.title == "Film 3")
        stage.environment.reset(refetching: true)
        #expect(row.get().isLoading)
        await stage.answer(Films.list(3))
        #expect(row.get().data?.title == "Film 3")
    }

    @Test func aSubscriptionToWhatWasReadBeforeHearsOfIt() async throws {
        try await stage.seed(Films.FilmQuery(id: "1"), Films.film("1", "one"))
        let store = stage.environment.store
        let operation = store.bind(Films.FilmQuery(id: "1"))
        let snapshot = store.read(Films.FilmQuery.Data.self, at: operation.root, operation.reader)
        stage.environment.reset()
        let subscriber = CountingSubscriber()
        #expect(store.subscribe(quietly: subscriber, to: snapshot.dependencies).hasChanged)
    }

    #if BATON_TSAN
        private static let sessions = 60
    #else
        private static let sessions = 200
    #endif

    /// Each session is answered with its own number. After a log-out has returned no handle shows an older number.
    @Test func noSessionShowsTheDataOfAnother() async throws {
        let network = SessionNetwork()
        let environment = RelayEnvironment(network: network)
        let sessions = Sessions()
        let handle = QueryHandle<Films.FilmQuery>(in: environment, fetchPolicy: .storeAndNetwork)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var early = 0
                    while !sessions.isOver.load(ordering: .acquiring) {
                        let least = sessions.floor.load(ordering: .acquiring)
                        let title = handle.get(id: "1", fetchKey: Int.random(in: 0..<3)).data?.film?.title
                        if let title, let number = Int(title), number < least { early += 1 }
                        await Task.yield()
                    }
                    return early
                }
            }
            for session in 1...Self.sessions {
                for _ in 0..<Int.random(in: 0..<20) { await Task.yield() }
                network.session.store(session, ordering: .releasing)
                environment.reset(refetching: true)
                sessions.floor.store(session, ordering: .releasing)
            }
            sessions.isOver.store(true, ordering: .releasing)
            for try await early in group { #expect(early == 0) }
        }
    }
}

/// The least number that may still be shown.
private final class Sessions: Sendable {
    let floor = Atomic(0)
    let isOver = Atomic(false)
}

/// Answers with the number of the session in which the request was sent.
private final class SessionNetwork: NetworkLayer {
    let session = Atomic(0)

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        let number = session.load(ordering: .acquiring)
        for _ in 0..<Int.random(in: 0..<5) { await Task.yield() }
        return NetworkResponse(body: Array(Films.film("1", "\(number)").utf8))
    }
}
