import Baton
import ServerKit
import Synchronization
import Testing

/// How many requests are under way, and what becomes of the others.
@Suite(.timeLimit(.minutes(20))) struct RequestLimitTests {
    /// A server that answers when it is told to.
    private final class Slow: NetworkLayer {
        private let state = Mutex<(now: Int, most: Int, served: [String])>((0, 0, []))
        private let gates = AsyncStream.makeStream(of: Void.self)

        func send(_ request: NetworkRequest) async throws -> NetworkResponse {
            state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.served + [request.operationName]) }
            defer { state.withLock { $0.now -= 1 } }
            var gate = gates.stream.makeAsyncIterator()
            guard await gate.next() != nil, !Task.isCancelled else { throw CancellationError() }
            return NetworkResponse(body: Array("{\"data\": null}".utf8))
        }

        func open(_ count: Int) { for _ in 0..<count { gates.continuation.yield() } }

        var most: Int { state.withLock { $0.most } }
        var served: [String] { state.withLock { $0.served } }
    }

    private static func request(_ name: String, _ kind: OperationKind = .query) -> NetworkRequest {
        NetworkRequest(id: 1, operationName: name, kind: kind, text: "query \(name) { a }", variables: [])
    }

    private func wait(_ limit: RequestLimit, running: Int, waiting: Int) async {
        while limit.counts != (running, waiting) { await Task.yield() }
    }

    @Test func requestsTakeTheirTurnInOrder() async throws {
        let (limit, server) = (RequestLimit(2), Slow())
        let network = server.intercepted(by: limit)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<10 {
                group.addTask { _ = try await network.send(Self.request("R\(number)")) }
                await wait(limit, running: min(2, number + 1), waiting: max(0, number - 1))
            }
            for left in (0..<8).reversed() {
                server.open(1)
                await wait(limit, running: 2, waiting: left)
            }
            server.open(2)
            try await group.waitForAll()
        }
        #expect(server.most == 2 && Set(server.served.prefix(2)) == ["R0", "R1"])
        #expect(server.served.suffix(8) == (2..<10).map { "R\($0)" })
        #expect(limit.counts == (0, 0))
    }

    @Test func requestThatFindsTheQueueFullFailsAtOnce() async throws {
        let (limit, server) = (RequestLimit(1, waiting: 1), Slow())
        let network = server.intercepted(by: limit)
        let tasks = (0..<2).map { number in Task { try await network.send(Self.request("R\(number)")) } }
        await wait(limit, running: 1, waiting: 1)
        await #expect(throws: RequestLimit.Full()) { try await network.send(Self.request("R2")) }
        #expect(RelayError.transport(RequestLimit.Full()).publicFailure.status == 503)
        server.open(2)
        for task in tasks { _ = try await task.value }
        #expect(server.served.count == 2 && limit.counts == (0, 0))
    }

    @Test func cancelledRequestLeavesTheQueue() async throws {
        let (limit, server) = (RequestLimit(1), Slow())
        let network = server.intercepted(by: limit)
        let first = Task { try await network.send(Self.request("R0")) }
        await wait(limit, running: 1, waiting: 0)
        let second = Task { try await network.send(Self.request("R1")) }
        let third = Task { try await network.send(Self.request("R2")) }
        await wait(limit, running: 1, waiting: 2)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        await wait(limit, running: 1, waiting: 1)
        server.open(2)
        _ = (try await first.value, try await third.value)
        #expect(server.served == ["R0", "R2"] && limit.counts == (0, 0))
    }

    /// The server works for it all the same.
    @Test func requestThatIsCancelledAfterItWasSentKeepsItsPlace() async throws {
        let (limit, server) = (RequestLimit(1), Slow())
        let network = server.intercepted(by: limit)
        let first = Task { try await network.send(Self.request("R0")) }
        await wait(limit, running: 1, waiting: 0)
        while server.served.isEmpty { await Task.yield() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { try await network.send(Self.request("R1")) }
        await wait(limit, running: 1, waiting: 1)
        #expect(server.served == ["R0"])
        server.open(1)
        await wait(limit, running: 1, waiting: 0)
        server.open(1)
        _ = try await second.value
        #expect(server.most == 1 && server.served == ["R0", "R1"] && limit.counts == (0, 0))
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
