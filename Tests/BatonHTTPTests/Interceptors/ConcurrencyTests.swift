import Baton
import RandomCases
import Testing

@testable import BatonHTTP

@Suite struct ConcurrencyTests {
    @Test func onlySoManyRequestsGoAtATime() async throws {
        let gates = (0..<6).map { _ in StepGate() }
        let order = Notes<Int>()
        let limit = ConcurrencyInterceptor(limit: 2)
        let network = StubNetwork { request, _ in
            order.add(request.id)
            if request.kind == .query { await gates[request.id].pass() }
            return .film
        }.intercepted(by: limit)
        let priorities = [0, 0, 0, 5, 5, -1]
        var tasks: [Task<NetworkResponse, any Error>] = []
        for (id, priority) in priorities.enumerated() {
            var request = NetworkRequest.make(id)
            request.configuration.context[RequestPriority.self] = priority
            tasks.append(Task { [request] in try await network.send(request) })
            await until { order.all.count + limit.waiting == id + 1 }
        }
        // A subscription does not wait.
        _ = try await network.send(.make(9, kind: .subscription))
        #expect(order.all == [0, 1, 9])
        for (id, next) in [(0, 3), (1, 4), (3, 2), (4, 5)] {
            gates[id].open()
            _ = try await tasks[id].value
            await until { order.all.last == next }
        }
        for gate in gates { gate.open() }
        for task in tasks { _ = try await task.value }
        #expect(order.all == [0, 1, 9, 3, 4, 2, 5])
        #expect(limit.waiting == 0)
    }

    @Test func aCancelledRequestLeavesTheLine() async throws {
        let gate = StepGate()
        let limit = ConcurrencyInterceptor(limit: 1)
        let server = StubNetwork { _, _ in
            await gate.pass()
            return .film
        }
        let network = server.intercepted(by: limit)
        let first = Task { try await network.send(.make(1)) }
        await until { gate.arrivals == 1 }
        let second = Task { try await network.send(.make(2)) }
        await until { limit.waiting == 1 }
        let third = Task { try await network.send(.make(3)) }
        await until { limit.waiting == 2 }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        await until { limit.waiting == 1 }
        gate.open()
        _ = try await first.value
        _ = try await third.value
        #expect(server.sent.map(\.id) == [1, 3])
    }

    /// The request that waits for a credential has the only place, and the mutation for the credential uses the same
    /// steps.
    @Test(.timeLimit(.minutes(20))) func aRequestThatRenewsACredentialNeedsNoPlace() async throws {
        let limit = ConcurrencyInterceptor(limit: 1)
        let server = StubNetwork { request, _ in
            let isOld = request.configuration.headers["Authorization"] == "Bearer old"
            if request.kind == .query, isOld { throw RelayError.httpStatus(401, body: "") }
            return .film
        }
        let network = Guarded<(any NetworkLayer)?>(nil)
        @Sendable func token(_ name: String, _ value: String) async throws -> Credential {
            _ = try await network.withLock(\.self)?.send(.make(9, name: name, kind: .mutation))
            return .bearer(value)
        }
        let authentication = AuthenticationInterceptor {
            try await token("Login", "old")
        } refresh: { _ in
            try await token("Refresh", "new")
        }
        network.withLock { $0 = server.intercepted(by: limit, authentication) }
        _ = try await network.withLock(\.self)?.send(.make())
        #expect(server.sent.map(\.operationName) == ["Login", "Film", "Refresh", "Film"])
        #expect(limit.waiting == 0)
    }

    @Test(arguments: RandomCases.seeds(50)) func aLineUnderRandomSchedulesLosesNobody(_ seed: Int) {
        var random = SeededGenerator(seed: seed)
        let places = Int.random(in: 1...4, using: &random)
        var line = RequestLine(places: places)
        var (inside, waiting, lastID) = (Set<Int>(), [(id: Int, priority: Int)](), 0)
        for _ in 0..<300 {
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                lastID += 1
                let priority = Int.random(in: -2...2, using: &random)
                if line.enter(lastID, priority: priority) {
                    inside.insert(lastID)
                } else {
                    waiting.append((lastID, priority))
                }
            case 1:
                guard let leaving = inside.randomElement(using: &random) else { continue }
                inside.remove(leaving)
                let next = line.leave()
                let highest = waiting.map(\.priority).max()
                let expected = waiting.first { $0.priority == highest }?.id
                #expect(next == expected)
                if let next {
                    inside.insert(next)
                    waiting.removeAll { $0.id == next }
                }
            default:
                let id = waiting.randomElement(using: &random)?.id ?? -1
                #expect(line.giveUp(id) == (id >= 0))
                waiting.removeAll { $0.id == id }
            }
            #expect(inside.count <= places && line.taken == inside.count && line.count == waiting.count)
            #expect(waiting.isEmpty || inside.count == places)
        }
    }
}
