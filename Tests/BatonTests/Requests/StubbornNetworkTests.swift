import Testing

@testable import Baton

/// A network that ignores cancellation: it answers when the test tells it to.
private final class StubbornNetwork: NetworkLayer {
    private let calls = Guarded<[CheckedContinuation<NetworkResponse, Never>]>([])

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        await withCheckedContinuation { continuation in calls.withLock { $0.append(continuation) } }
    }

    /// Waits until so many calls have no response.
    func waits(for count: Int) async {
        while calls.withLock({ $0.count }) < count { await Task.yield() }
    }

    /// Answers the oldest call.
    func answer(_ json: String, hasNext: Bool = false) {
        let call = calls.withLock { $0.removeFirst() }
        call.resume(returning: NetworkResponse(body: Array(json.utf8), hasNext: hasNext))
    }
}

/// The stubborn network as a stream without end.
private struct StubbornStream: NetworkLayer {
    let network: StubbornNetwork

    func send(_ request: NetworkRequest) async throws -> NetworkResponse { try await network.send(request) }

    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        AsyncThrowingStream { try await send(request) }
    }
}

/// The stubborn network in the task of the request. The test may fail the request of the newest call.
private final class StubbornDirect: DirectNetwork {
    private let network: StubbornNetwork
    private let newest = Guarded<(@Sendable (any Error) -> Void)?>(nil)

    init(network: StubbornNetwork) { self.network = network }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw Unreachable() }

    func run(
        _ request: NetworkRequest, deliver: @escaping NetworkInterceptor.Deliver,
        giveUp: @escaping @Sendable (any Error) -> Void
    ) async throws {
        newest.withLock { $0 = giveUp }
        while true {
            let response = try await network.send(request)
            try await deliver(response)
            if !response.hasNext { return }
        }
    }

    func fail(_ error: any Error) { newest.withLock { $0 }?(error) }
}

/// How the environment gets the responses.
private enum Way: CaseIterable {
    case once
    case stream
    case direct
}

/// Requests that are given up do not wait for the network.
@Suite(.timeLimit(.minutes(20))) struct StubbornNetworkTests {
    private let network = StubbornNetwork()
    private let log = EventLog()
    private let mutation = Films.SetFavouriteMutation(variables: .init(id: "1", favourite: true))

    private func environment(_ way: Way) -> RelayEnvironment {
        let layer: any NetworkLayer =
            switch way {
            case .once: network
            case .stream: StubbornStream(network: network)
            case .direct: StubbornDirect(network: network)
            }
        return RelayEnvironment(network: layer) { [log] in log.add($0) }
    }

    /// Waits until nothing is under way in the environment, though the network may still wait.
    private func settle(_ environment: RelayEnvironment) async {
        while true {
            let counts = environment.activity.counts
            if counts.requests == 0 && counts.deliveries == 0 && counts.collections == 0 { return }
            await Task.yield()
        }
    }

    @Test(arguments: Way.allCases) private func theLastHandleLetsEverythingGo(_ way: Way) async {
        weak var remains: RelayEnvironment?
        do {
            let environment = environment(way)
            remains = environment
            do {
                let handle = QueryHandle<Films.FilmQuery>(in: environment)
                _ = handle.get(id: "1")
                await network.waits(for: 1)
            }
            await settle(environment)
        }
        while remains != nil { await Task.yield() }
        #expect(log.fetches == ["started", "cancelled"])
        network.answer(Films.film("1", "late"))
    }

    @Test(arguments: Way.allCases) private func aFetchThatIsCancelledEndsAndItsAnswerIsDropped(_ way: Way) async throws
    {
        let environment = environment(way)
        let task = Task { try await environment.fetch(Films.FilmQuery(id: "1")) }
        await network.waits(for: 1)
        task.cancel()
        await #expect(throws: RelayError.cancelled) { try await task.value }
        await settle(environment)
        network.answer(Films.film("1", "late"))
        async let other = environment.fetch(Films.FilmQuery(id: "2"))
        await network.waits(for: 1)
        network.answer(Films.film("2", "two"))
        #expect(try await other.data?.film?.title == "two")
        #expect((try? await environment.fetch(Films.FilmQuery(id: "1"), policy: .storeOnly))?.data?.film == nil)
        #expect(log.fetches == ["started", "cancelled", "started", "finished"])
    }

    @Test(arguments: Way.allCases) private func aCommitThatIsCancelledTakesBackWhatItShowed(_ way: Way) async {
        let environment = environment(way)
        let task = Task { [mutation] in
            try await environment.commit(
                mutation, optimistic: .update { store in try store.create("9", type: "Film") }
            ) { _, _ in Issue.record("called") }
        }
        await network.waits(for: 1)
        #expect(environment.holds("9"))
        task.cancel()
        await #expect(throws: RelayError.cancelled) { try await task.value }
        #expect(!environment.holds("9"))
        #expect(environment.activity.counts.requests == 0)
        #expect(log.fetches == ["started", "failed"])
        network.answer(Films.favourite("1", true))
    }

    @Test(arguments: Way.allCases) private func afterAResetTheOldAnswerDoesNotLand(_ way: Way) async {
        let environment = environment(way)
        let handle = QueryHandle<Films.FilmQuery>(in: environment)
        _ = handle.get(id: "1")
        await network.waits(for: 1)
        environment.reset(refetching: true)
        await network.waits(for: 2)
        network.answer(Films.film("1", "old"))
        network.answer(Films.film("1", "new"))
        await settle(environment)
        #expect(handle.get(id: "1").data?.film?.title == "new")
        #expect(log.fetches.filter { $0 == "started" }.count == 2)
        #expect(log.fetches.filter { $0 == "cancelled" }.count == 1)
        #expect(log.fetches.filter { $0 == "finished" }.count == 1)
    }

    @Test(arguments: [Way.once, .direct])
    private func anAnswerThatLandsWhileItsRequestIsCancelledEndsItOnce(_ way: Way) async throws {
        let environment = environment(way)
        let task = await commitThatCancelsItself(in: environment)
        network.answer(Films.favourite("1", true))
        #expect(try await task.value.data?.setFavourite?.film?.favourite == true)
        await settle(environment)
        #expect(environment.activity.counts.requests == 0)
        #expect(log.fetches == ["started", "finished"])
    }

    @Test(arguments: [Way.stream, .direct])
    private func aPartThatLandsWhileItsRequestIsCancelledIsTheLast(_ way: Way) async {
        let environment = environment(way)
        let task = await commitThatCancelsItself(in: environment)
        network.answer(Films.favourite("1", true), hasNext: true)
        await #expect(throws: RelayError.cancelled) { try await task.value }
        await settle(environment)
        #expect(environment.activity.counts.requests == 0)
        #expect(log.fetches == ["started", "failed"])
    }

    @Test func aNetworkGivesUpWhileItsExchangeGoesOn() async {
        let direct = StubbornDirect(network: network)
        let environment = RelayEnvironment(network: direct) { [log] in log.add($0) }
        let task = Task { try await environment.fetch(Films.FilmQuery(id: "1")) }
        await network.waits(for: 1)
        direct.fail(Late())
        direct.fail(Unreachable())
        await #expect(throws: RelayError.transport(Late())) { try await task.value }
        await settle(environment)
        #expect(log.fetches == ["started", "failed"])
        network.answer(Films.film("1", "late"))
    }

    @Test func aNetworkGivesUpWhileAPartLands() async {
        let direct = StubbornDirect(network: network)
        let environment = RelayEnvironment(network: direct) { [log] in log.add($0) }
        let task = Task { [mutation] in
            try await environment.commit(mutation) { _, _ in direct.fail(Late()) }
        }
        await network.waits(for: 1)
        network.answer(Films.favourite("1", true), hasNext: true)
        await #expect(throws: RelayError.transport(Late())) { try await task.value }
        await settle(environment)
        #expect(log.fetches == ["started", "failed"])
    }

    private struct Late: Error {}

    /// Begins a commit whose updater cancels it, and returns once its request waits for the network.
    private func commitThatCancelsItself(in environment: RelayEnvironment) async -> Commit {
        let own = OwnTask()
        let task = Task { [mutation] in
            try await environment.commit(mutation) { _, _ in own.task.withLock { $0 }?.cancel() }
        }
        own.task.withLock { $0 = task }
        await network.waits(for: 1)
        return task
    }

    private typealias Commit = Task<GraphQLResponse<Films.SetFavouriteMutation>, any Error>

    private final class OwnTask: Sendable {
        let task = Guarded<Commit?>(nil)
    }
}

extension RelayEnvironment {
    /// Returns true if a record exists, optimistic changes included.
    fileprivate func holds(_ id: DataID) -> Bool { records[id] != nil }
}
