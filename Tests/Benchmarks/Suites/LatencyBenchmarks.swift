import Baton
import Synchronization

/// What one waits for, one after the other: a request, a mutation, an event. Most of the time is changes of thread.
struct LatencyBenchmarks {
    let options: Options

    func run(into report: inout Report) async throws {
        let figures = [
            ("latency.request-us", "a fetch, of 1,000 one after the other, without a network"),
            ("latency.mutation-us", "an optimistic mutation and both deliveries, of 1,000 one after the other"),
            ("latency.event-us", "an event of a subscription until the observer ran, of 1,000 one after the other"),
            ("latency.events-at-once-us", "the same, of 10,000 at once"),
            ("latency.rows-at-once-us", "a changed row until its observer ran, of 1,000 changed in one publish"),
        ]
        let works: [() async throws -> Double] = [
            { try await Self.requests(1_000) }, { try await Self.mutations(1_000) },
            { try await Self.events(1_000, atOnce: 1) }, { try await Self.events(10_000, atOnce: 10_000) },
            { try await Self.rows(1_000) },
        ]
        for ((id, what), work) in zip(figures, works) where options.wants(id) {
            _ = try await work()
            var times: [Double] = []
            for _ in 0..<options.runs(9) { times.append(try await work() * 1e6) }
            report.figure(id, unit: "us", better: .lower, what) { Measurement(times) }
        }
    }

    private static func user(_ name: String, _ index: Int) -> JSONValue {
        ["id": .string(UserPayload.id(index)), "name": .string(name), "age": .int(index)]
    }

    private static func requests(_ count: Int) async throws -> Double {
        let user: JSONValue = [
            "__typename": "User", "id": "user-1", "name": "Ada Abel", "email": "ada.abel@example.org",
        ]
        let network = AnsweringNetwork { _ in ["data": ["node": user]] }
        let environment = RelayEnvironment(network: network)
        let start = ContinuousClock().now
        for _ in 0..<count { _ = try await environment.fetch(NodeQuery(id: "user-1")) }
        return (ContinuousClock().now - start).seconds / Double(count)
    }

    private static func mutations(_ count: Int) async throws -> Double {
        func renamed(_ name: String) -> JSONValue { ["id": .string(UserPayload.id(1)), "name": .string(name)] }
        let screen = Screen()
        let environment = RelayEnvironment(
            network: AnsweringNetwork { request in
                let name = request.variables.first { $0.name == "name" }
                return ["data": ["renameUser": ["id": .string(UserPayload.id(1)), "name": name?.value ?? .null]]]
            })
        try environment.publish(.data(["users": [renamed("Ada")]]), for: UserRowsQuery())
        let list = QueryHandle<UserRowsQuery>(in: environment, fetchPolicy: .storeOnly)
        guard let row = list.get().data?.users.first else { throw BenchmarkFailure(what: "there is no user") }
        let handle = FragmentHandle(row.fragments.userRow_user, in: environment)
        let token = handle.observe(on: screen) { screen, result in screen.show(result.data?.name ?? "") }
        defer { token.cancel() }
        let start = ContinuousClock().now
        for number in 0..<count {
            let mutation = RenameUserMutation(id: UserPayload.id(1), name: "Ada \(number)")
            try await environment.commit(
                mutation, optimistic: .response(["renameUser": renamed("Eve \(number)")] as JSONValue))
            await screen.shows("Ada \(number)")
        }
        let seconds = (ContinuousClock().now - start).seconds
        withExtendedLifetime(handle) {}
        return seconds / Double(count)
    }

    private static func events(_ count: Int, atOnce: Int) async throws -> Double {
        let screen = Screen()
        let network = EventNetwork()
        let environment = RelayEnvironment(network: network)
        let handle = SubscriptionHandle<UserChangedSubscription>(in: environment)
        let token = handle.observe(on: screen) { screen, result in
            screen.show(result.data?.userChanged?.name ?? "")
        }
        defer { token.cancel() }
        _ = handle.subscribe()
        await network.isAsked()
        let bodies = (0..<count).map { number in
            JSONValue.object([.init("data", ["userChanged": user("Ada \(number)", number % 100)])]).jsonBytes
        }
        let start = ContinuousClock().now
        for first in stride(from: 0, to: count, by: atOnce) {
            for number in first..<first + atOnce { network.give(bodies[number]) }
            await screen.shows("Ada \(first + atOnce - 1)")
        }
        let seconds = (ContinuousClock().now - start).seconds
        withExtendedLifetime(handle) {}
        return seconds / Double(count)
    }

    /// The time for each of many observed rows, all of which one update changes.
    private static func rows(_ count: Int) async throws -> Double {
        let screen = Screen()
        let environment = RelayEnvironment(network: AnsweringNetwork { _ in .null })
        try environment.publish(
            .data([
                "users": .array((0..<count).map { ["id": .string(UserPayload.id($0)), "name": "Ada"] })
            ]), for: UserRowsQuery())
        let list = QueryHandle<UserRowsQuery>(in: environment, fetchPolicy: .storeOnly)
        let handles = (list.get().data?.users ?? []).map { FragmentHandle($0.fragments.userRow_user, in: environment) }
        let tokens = handles.map { $0.observe(on: screen) { screen, result in screen.show(result.data?.name ?? "") } }
        defer { for token in tokens { token.cancel() } }
        guard handles.count == count else { throw BenchmarkFailure(what: "there are \(handles.count) rows") }
        await screen.shows("Ada", times: count)
        let rounds = 20
        let start = ContinuousClock().now
        for round in 0..<rounds {
            try environment.update { source in
                for index in 0..<count {
                    try source.get(DataID(UserPayload.id(index)))?.setValue(.string("Eve \(round)"), forField: "name")
                }
            }
            await screen.shows("Eve \(round)", times: count)
        }
        let seconds = (ContinuousClock().now - start).seconds
        withExtendedLifetime(handles) {}
        return seconds / Double(count * rounds)
    }

    /// An actor that notes what it was shown last, and how often.
    private actor Screen {
        private var shown: (name: String, times: Int) = ("", 0)
        private var waiting: (name: String, times: Int, continuation: CheckedContinuation<Void, Never>)?

        func show(_ name: String) {
            shown = shown.name == name ? (name, shown.times + 1) : (name, 1)
            guard let waiting, waiting.name == name, shown.times >= waiting.times else { return }
            self.waiting = nil
            waiting.continuation.resume()
        }

        func shows(_ name: String, times: Int = 1) async {
            if shown.name == name, shown.times >= times { return }
            await withCheckedContinuation { waiting = (name, times, $0) }
        }
    }
}

/// A network that answers every request at once.
private struct AnsweringNetwork: NetworkLayer {
    let answer: @Sendable (NetworkRequest) -> JSONValue

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        NetworkResponse(body: answer(request).jsonBytes)
    }
}

/// A network whose only subscription gets the events that are given.
private final class EventNetwork: NetworkLayer {
    private let events = AsyncThrowingStream<NetworkResponse, any Error>.makeStream()
    private let asked = AsyncStream<Void>.makeStream()

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        throw BenchmarkFailure(what: "only subscriptions are known")
    }

    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        asked.continuation.yield(())
        return events.stream
    }

    func isAsked() async { for await _ in asked.stream { return } }
    func give(_ body: [UInt8]) { events.continuation.yield(NetworkResponse(body: body, hasNext: true)) }
}
