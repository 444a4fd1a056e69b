import Baton
import BatonTesting
import ServerKit
import Testing

/// How many requests are under way, and what becomes of the others.
@Suite(.timeLimit(.minutes(20))) struct RequestLimitTests {
    private static func request(_ name: String, _ kind: OperationKind = .query) -> NetworkRequest {
        NetworkRequest(id: 1, operationName: name, kind: kind, text: "query \(name) { a }", variables: [])
    }

    private func wait(_ limit: RequestLimit, running: Int, waiting: Int) async {
        while limit.counts != (running, waiting) { await Task.yield() }
    }

    /// Answers so many requests, each as soon as the server has it.
    private func answer(_ count: Int, _ server: MockNetwork) async throws {
        for _ in 0..<count { try await server.nextRequest().respond(data: .null) }
    }

    private func served(_ server: MockNetwork) -> [String] { server.requests.map(\.operationName) }

    @Test func requestsTakeTheirTurnInOrder() async throws {
        let (limit, server) = (RequestLimit(2), MockNetwork())
        let network = server.intercepted(by: limit)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<10 {
                group.addTask { _ = try await network.send(Self.request("R\(number)")) }
                await wait(limit, running: min(2, number + 1), waiting: max(0, number - 1))
            }
            var running = try await [server.nextRequest(), server.nextRequest()]
            for left in (0..<8).reversed() {
                running.removeFirst().respond(data: .null)
                await wait(limit, running: 2, waiting: left)
                running.append(try await server.nextRequest())
                #expect(server.pending.count == 2)
            }
            for request in running { request.respond(data: .null) }
            try await group.waitForAll()
        }
        #expect(Set(served(server).prefix(2)) == ["R0", "R1"])
        #expect(served(server).suffix(8) == (2..<10).map { "R\($0)" })
        #expect(limit.counts == (0, 0))
    }

    @Test func requestThatFindsTheQueueFullFailsAtOnce() async throws {
        let (limit, server) = (RequestLimit(1, waiting: 1), MockNetwork())
        let network = server.intercepted(by: limit)
        let tasks = (0..<2).map { number in Task { try await network.send(Self.request("R\(number)")) } }
        await wait(limit, running: 1, waiting: 1)
        await #expect(throws: RequestLimit.Full()) { try await network.send(Self.request("R2")) }
        #expect(RelayError.transport(RequestLimit.Full()).publicFailure.status == 503)
        try await answer(2, server)
        for task in tasks { _ = try await task.value }
        #expect(served(server).count == 2 && limit.counts == (0, 0))
    }

    @Test func cancelledRequestLeavesTheQueue() async throws {
        let (limit, server) = (RequestLimit(1), MockNetwork())
        let network = server.intercepted(by: limit)
        let first = Task { try await network.send(Self.request("R0")) }
        await wait(limit, running: 1, waiting: 0)
        let second = Task { try await network.send(Self.request("R1")) }
        let third = Task { try await network.send(Self.request("R2")) }
        await wait(limit, running: 1, waiting: 2)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        await wait(limit, running: 1, waiting: 1)
        try await answer(2, server)
        _ = (try await first.value, try await third.value)
        #expect(served(server) == ["R0", "R2"] && limit.counts == (0, 0))
    }

    /// The server works for it all the same.
    @Test func requestThatIsCancelledAfterItWasSentKeepsItsPlace() async throws {
        let (limit, server) = (RequestLimit(1), MockNetwork())
        let network = server.intercepted(by: limit)
        let first = Task { try await network.send(Self.request("R0")) }
        let sent = try await server.nextRequest()
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { try await network.send(Self.request("R1")) }
        await wait(limit, running: 1, waiting: 1)
        #expect(sent.isPending && served(server) == ["R0"])
        sent.respond(data: .null)
        await wait(limit, running: 1, waiting: 0)
        try await answer(1, server)
        _ = try await second.value
        #expect(served(server) == ["R0", "R1"] && limit.counts == (0, 0))
    }

    /// At any moment, from any thread: no place is lost, and nobody waits for ever.
    @Test func everyPlaceIsGivenBack() async {
        let limit = RequestLimit(3, waiting: 5)
        struct Instant: NetworkLayer {
            func send(_ request: NetworkRequest) async throws -> NetworkResponse {
                await Task.yield()
                try Task.checkCancellation()
                return NetworkResponse(body: [])
            }
        }
        let network = Instant().intercepted(by: limit)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<2_000 {
                group.addTask {
                    let task = Task { try await network.send(Self.request("R")) }
                    if number % 3 == 0 { task.cancel() }
                    _ = try? await task.value
                }
            }
        }
        // What was cancelled while it was sent ends a little later.
        await wait(limit, running: 0, waiting: 0)
    }
}
