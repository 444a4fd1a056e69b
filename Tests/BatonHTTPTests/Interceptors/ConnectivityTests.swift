import Baton
import Testing

@testable import BatonHTTP

/// The guarantees of `ConnectivityInterceptor`, one by one.
@Suite(.timeLimit(.minutes(20))) struct ConnectivityTests {
    /// Makes each pause as long as it may be, but for a little.
    struct Longest: RandomNumberGenerator {
        mutating func next() -> UInt64 { .max }
    }

    /// A service that can be away, and hold requests up.
    final class Service: Sendable {
        let failure = Guarded<(any Error)?>(nil)
        let gates = Guarded<[Int: StepGate]>([:])
        let asked = Notes<NetworkRequest>()

        func fail(with error: (any Error)?) { failure.withLock { $0 = error } }
        func hold(_ id: Int) -> StepGate {
            let gate = StepGate()
            gates.withLock { $0[id] = gate }
            return gate
        }
        func answer(_ request: NetworkRequest) async throws -> NetworkResponse {
            let failure = failure.withLock(\.self)
            asked.add(request)
            await gates.withLock { $0[request.id] }?.pass()
            try Task.checkCancellation()
            if let failure { throw failure }
            return .film
        }
    }

    static let offline = RelayError.transport(HTTPError.offline(reason: "gone"))
    let clock = StepClock()
    let service = Service()
    let connectivity: ConnectivityInterceptor
    let network: any NetworkLayer

    init() {
        connectivity = ConnectivityInterceptor(
            ReconnectPolicy(firstDelay: .seconds(1), maximumDelay: .seconds(4)), clock: clock, random: Longest())
        network = StubNetwork { [service] request, _ in try await service.answer(request) }
            .intercepted(by: connectivity)
    }

    private var isAway: Bool { connectivity.status.outage != nil }

    private func send(_ id: Int, _ kind: OperationKind = .query, failing error: (any Error)? = nil) async {
        service.fail(with: error)
        _ = try? await network.send(.make(id, kind: kind))
    }

    /// Lets the pause before the next probe pass, and waits until the probe is over and the next pause has begun.
    private func passPause() async -> Duration? {
        await clock.sleeping(1)
        let (pause, count) = (clock.nextPause, service.asked.all.count)
        clock.advance(by: pause ?? .zero)
        await until { service.asked.all.count > count && connectivity.status.outage?.isProbing != true }
        return pause.map { .milliseconds(Int(($0 / .milliseconds(1)).rounded())) }
    }

    @Test(
        "A transport that fails, a response that does not come in time, and a status of 500 and more begin an outage.",
        arguments: [
            RelayError.transport(HTTPError.offline(reason: "gone")), .transport(HTTPError.refused(reason: "gone")),
            .transport(HTTPError.closed(reason: "gone")),
            .transport(Broken()), .timedOut(after: .seconds(1)), .httpStatus(500, body: ""),
            .httpStatus(503, body: "", retryAfter: .seconds(1)),
        ])
    func beginnings(error: RelayError) async {
        await send(1, failing: error)
        #expect(connectivity.status.outage == .init(error))
        #expect(ConnectivityInterceptor.isOutage(error))
    }

    @Test(
        "A response with errors, a status below 500 and a cancelled request begin none.",
        arguments: [
            nil, RelayError.httpStatus(401, body: ""), .httpStatus(429, body: "", retryAfter: .seconds(9)), .cancelled,
            .transport(HTTPError.notHTTP), .configuration(""),
        ])
    func noBeginnings(error: RelayError?) async throws {
        await send(1, failing: error)
        #expect(connectivity.status == .init())
        let network = StubNetwork { _, _ in .text(#"{"data":null,"errors":[{"message":"no"}]}"#) }
            .intercepted(by: connectivity)
        _ = try await network.send(.make(2))
        #expect(connectivity.status == .init())
        let gate = service.hold(3)
        let task = Task { [network = self.network] in try await network.send(.make(3)) }
        await until { gate.arrivals == 1 }
        #expect(connectivity.status.requestsInFlight == 1)
        task.cancel()
        gate.open()
        _ = await task.result
        await until { connectivity.status.requestsInFlight == 0 }
        #expect(connectivity.status == .init())
    }

    @Test("A failure counts only if no request that began later has been answered.")
    func lateFailures() async throws {
        let gate = service.hold(1)
        service.fail(with: Self.offline)
        let old = Task { [network] in try await network.send(.make(1)) }
        await until { gate.arrivals == 1 }
        await send(2)
        gate.open()
        _ = await old.result
        #expect(!isAway)
        await send(3, failing: Self.offline)
        #expect(isAway)
    }

    @Test("The first response to any request ends the outage.", arguments: [OperationKind.query, .mutation])
    func ends(kind: OperationKind) async {
        await send(1, failing: Self.offline)
        await send(2, kind, failing: Self.offline)
        #expect(isAway)
        await send(3, kind)
        #expect(connectivity.status == .init() && connectivity.timeToProbe == nil)
        await until { clock.sleepers == 0 }
        #expect(service.asked.all.count == 3)
        // A refusal comes from the service, too.
        await send(4, failing: Self.offline)
        await send(5, failing: RelayError.httpStatus(403, body: ""))
        #expect(!isAway)
    }

    @Test("At most one probe is under way, and a response to another request ends it.")
    func oneProbe() async {
        for id in 1...3 { await send(id, failing: Self.offline) }
        let gate = service.hold(1)
        await clock.sleeping(1)
        #expect(connectivity.status.outage?.isProbing == false)
        clock.advance(by: .seconds(1))
        await until { gate.arrivals == 1 }
        #expect(connectivity.status.outage?.isProbing == true && connectivity.timeToProbe == .zero)
        await send(4, failing: Self.offline)
        clock.advance(by: .seconds(60))
        #expect(service.asked.all.map(\.id) == [1, 2, 3, 1, 4] && clock.sleepers == 0)
        await send(5)
        #expect(!isAway)
        gate.open()
        await send(6, failing: Self.offline)
        await clock.sleeping(1)
        #expect(clock.sleepers == 1)
    }

    @Test("The pauses before probes grow up to the bound of the policy.")
    func pauses() async {
        await send(1, failing: Self.offline)
        await clock.sleeping(1)
        #expect(connectivity.timeToProbe.map { $0 > .milliseconds(999) && $0 <= .seconds(1) } == true)
        var pauses: [Duration?] = []
        for _ in 0..<5 { pauses.append(await passPause()) }
        #expect(pauses == [1, 2, 4, 4, 4].map { .seconds($0) })
        #expect(connectivity.status.outage?.failedProbes == 5)
        service.fail(with: nil)
        _ = await passPause()
        #expect(!isAway && service.asked.all.map(\.id) == Array(repeating: 1, count: 7))
    }

    @Test func aPauseThatTheServerAsksForIsKept() async {
        await send(1, failing: RelayError.httpStatus(503, body: "", retryAfter: .seconds(20)))
        await clock.sleeping(1)
        #expect(connectivity.timeToProbe == .seconds(20))
    }

    @Test("An outage that follows another one within its last pause continues with longer pauses.")
    func rows() async {
        var pauses: [Duration?] = []
        for id in 1...3 {
            await send(id, failing: Self.offline)
            await clock.sleeping(1)
            service.fail(with: nil)
            pauses.append(await passPause())
            await until { !isAway }
        }
        #expect(pauses == [1, 2, 4].map { .seconds($0) })
        clock.advance(by: .seconds(4))
        await send(4, failing: Self.offline)
        #expect(await passPause() == .seconds(1))
    }

    @Test("A mutation is never repeated; the last query is sent in its place.")
    func mutations() async {
        await send(1, .mutation, failing: Self.offline)
        #expect(isAway && clock.sleepers == 0 && connectivity.timeToProbe == nil)
        await send(2)
        await send(3, .mutation, failing: Self.offline)
        _ = await passPause()
        #expect(service.asked.all.map(\.id) == [1, 2, 3, 2])
        // A query that fails is as good as the probe.
        await send(4)
        let other = ConnectivityInterceptor(clock: clock, random: Longest())
        let network = StubNetwork { _, _ in throw Self.offline }.intercepted(by: other)
        _ = try? await network.send(.make(5, kind: .mutation))
        _ = try? await network.send(.make(6))
        await clock.sleeping(1)
        #expect(other.timeToProbe != nil)
    }

    @Test func aProbeOfTheApplicationIsCalledInPlaceOfAQuery() async {
        let probes = Notes<Int>()
        let isThere = Guarded(false)
        let connectivity = ConnectivityInterceptor(
            clock: clock, random: Longest(),
            probe: {
                probes.add(1)
                if !isThere.withLock(\.self) { throw HTTPError.refused(reason: "gone") }
            })
        let network = StubNetwork { _, _ in throw Self.offline }.intercepted(by: connectivity)
        _ = try? await network.send(.make(1, kind: .mutation))
        await clock.advance(by: .seconds(1), afterSleepers: 1)
        await until { connectivity.status.outage?.failedProbes == 1 }
        #expect(connectivity.status.outage?.error == .transport(HTTPError.refused(reason: "gone")))
        isThere.withLock { $0 = true }
        await clock.advance(by: .seconds(2), afterSleepers: 1)
        await until { connectivity.status.outage == nil }
        #expect(probes.all.count == 2)
    }

    @Test("Subscriptions are passed on and say nothing.")
    func subscriptions() async {
        await send(1, .subscription, failing: Self.offline)
        #expect(connectivity.status == .init())
        await send(2, failing: Self.offline)
        await send(3, .subscription)
        #expect(isAway)
    }

    @Test("A sequence of statuses begins with the current one, and has the newest one always and in order.")
    func statuses() async {
        var statuses = connectivity.statuses.makeAsyncIterator()
        #expect(await statuses.next() == .init())
        await send(1, failing: Self.offline)
        await send(2)
        await send(3, failing: RelayError.timedOut(after: .seconds(1)))
        #expect(await statuses.next()?.outage == .init(.timedOut(after: .seconds(1))))
        var later = connectivity.statuses.makeAsyncIterator()
        #expect(await later.next()?.outage != nil)
        // Many threads change the status at once; the last one is told last.
        service.fail(with: nil)
        await withTaskGroup(of: Void.self) { group in
            for id in 10..<100 { group.addTask { [network] in _ = try? await network.send(.make(id)) } }
        }
        #expect(await statuses.next() == .init())
    }

    @Test("The end of the interceptor ends the search and the sequences.")
    func end() async {
        var connectivity: ConnectivityInterceptor? = ConnectivityInterceptor(clock: clock, random: Longest())
        var network: (any NetworkLayer)? = connectivity.map {
            StubNetwork { _, _ in throw Self.offline }.intercepted(by: $0)
        }
        let statuses = connectivity?.statuses
        let reader = Task { for await _ in statuses ?? .init(unfolding: { nil }) {} }
        _ = try? await network?.send(.make(1))
        await clock.sleeping(1)
        (connectivity, network) = (nil, nil)
        await reader.value
        await until { clock.sleepers == 0 }
        #expect(connectivity == nil && network == nil)
    }

    // MARK: - Environments

    @Test("The status is that of a service that can be reached before handles fetch again.")
    func handlesFetchAgain() async {
        let seen = Notes<Bool>()
        let (service, connectivity) = (service, connectivity)
        let network = StubNetwork { request, _ in
            seen.add(connectivity.status.outage == nil)
            _ = try await service.answer(request)
            return .text(#"{"data":{"number":\#(service.asked.all.count)}}"#)
        }
        let environment = RelayEnvironment(network: network.intercepted(by: connectivity), clock: clock) { _ in }
        connectivity.attach(to: environment, ifOlderThan: .seconds(60))
        let old = QueryHandle<NumbersQuery>(
            in: environment, fetchPolicy: .storeOrNetwork, freshness: Freshness(refetchOn: .networkReturned))
        _ = old.get(of: 1)
        await until { old.result.data?.number == 1 }
        clock.advance(by: .seconds(59))
        service.fail(with: Self.offline)
        let failed = QueryHandle<NumbersQuery>(
            in: environment, fetchPolicy: .storeOrNetwork, freshness: Freshness(refetchOn: .networkReturned))
        _ = failed.get(of: 2)
        await until { failed.fetchError != nil }
        #expect(isAway)
        service.fail(with: nil)
        _ = await passPause()
        await until { failed.result.data != nil }
        // The probe, whose response changes no data, and the handle that has failed; the other data is young.
        #expect(seen.all == [true, true, false, true] && failed.result.data?.number == 4)
        #expect(old.result.data?.number == 1 && old.fetchError == nil)
    }
}

private struct NumbersQuery: GraphQLQuery {
    static let artifact = GeneratedCode.OperationArtifact(
        name: "Numbers", kind: .query, text: "query Numbers($of: Int) { number(of: $of) }",
        normalization: "(of){number(of:$of):Int!}", reader: "(of){number(of:$of):Int!}")

    struct Variables: GeneratedCode.Variables, Hashable {
        var of: GraphQLNullable<Int>
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var __fields: GeneratedCode.InputFields {
            var fields = GeneratedCode.InputFields("of", count: 1)
            fields.addInt(of.input)
            return fields
        }
    }

    struct Data: GeneratedCode.Selections {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let __row: GeneratedCode.Row
        var number: Int { __row.int(0) }
    }

    var variables: Variables
}

extension QueryHandle where Operation == NumbersQuery {
    fileprivate func get(of number: Int) -> QueryResult<NumbersQuery.Data> {
        get(NumbersQuery.Variables(of: .value(number)))
    }
}
