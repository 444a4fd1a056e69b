import Baton
import Foundation
import Testing

@testable import BatonHTTP

@Suite("Answers in parts", .timeLimit(.minutes(20)))
struct StreamedAnswersTests {
    private static let url = URL(string: "https://host/graphql") ?? URL(fileURLWithPath: "/")
    private static let events: HTTPHeaders = ["Content-Type": "text/event-stream; charset=utf-8"]
    private static let first = "event: next\ndata: {\"data\":{\"n\":1}}\n\n"
    private static let last = "event: complete\ndata:\n\n"

    private func request(_ kind: OperationKind = .subscription, isIncremental: Bool = false) -> NetworkRequest {
        NetworkRequest(id: 1, operationName: "S", kind: kind, text: "{ n }", isIncremental: isIncremental)
    }

    private func network(_ clock: StepClock, _ transport: ScriptedTransport) -> HTTPNetwork {
        HTTPNetwork(
            url: Self.url, transport: transport, timeout: .seconds(60), silenceTimeout: .seconds(10),
            maximumBodySize: 1_000,
            clock: clock)
    }

    private func bodies(_ network: HTTPNetwork, _ request: NetworkRequest) async throws -> [String] {
        var bodies: [String] = []
        for try await response in network.responses(to: request) {
            bodies.append(String(decoding: response.body, as: UTF8.self))
            #expect(response.metadata["status"] == "200")
        }
        return bodies
    }

    @Test("an event stream gives each event and ends at its complete event")
    func anEventStreamGivesEachEvent() async throws {
        let transport = ScriptedTransport { _ in
            .init(200, Self.events, .silence(after: [Self.first, ":\n\n", Self.first, Self.last]))
        }
        let network = network(StepClock(), transport)
        #expect(try await bodies(network, request()) == [#"{"data":{"n":1}}"#, #"{"data":{"n":1}}"#])
        #expect(transport.sent.first?.headers["Accept"]?.hasPrefix("multipart/mixed;subscriptionSpec=1.0, ") == true)
    }

    @Test("a multipart answer gives each part, to a query without increments too", arguments: [true, false])
    func aMultipartAnswerGivesEachPart(_ isIncremental: Bool) async throws {
        let parts = [
            "\r\n---\r\nContent-Type: application/json\r\n\r\n{\"data\":{},\"hasNext\":true}\r\n---",
            "\r\nContent-Type: application/json\r\n\r\n{\"hasNext\":false}\r\n-----\r\n",
        ]
        let transport = ScriptedTransport { _ in
            .init(200, ["Content-Type": "multipart/mixed; boundary=\"-\""], .pieces(parts))
        }
        let all = try await bodies(network(StepClock(), transport), request(.query, isIncremental: isIncremental))
        #expect(all == [#"{"data":{},"hasNext":true}"#, #"{"hasNext":false}"#])
        let accept = transport.sent.first?.headers["Accept"]
        #expect(accept?.hasPrefix("multipart/mixed;incrementalSpec=v0.2") == isIncremental)
    }

    @Test("the bytes after the last part are read, so that the connection is used again; no caller waits for them")
    func theRestIsReadSoThatTheConnectionIsKept() async throws {
        let gate = StepGate()
        let ended = Guarded(false)
        let part = Guarded<String?>("\r\n---\r\n\r\n{\"hasNext\":false}\r\n---")
        let body = HTTPPieces {
            if let text = part.withLock({ $0.take() }) { return Array(text.utf8) }
            await gate.pass()
            ended.withLock { $0 = true }
            return nil
        }
        let transport = ScriptedTransport { _ in
            .init(200, ["Content-Type": "multipart/mixed; boundary=\"-\""], body)
        }
        #expect(try await bodies(network(StepClock(), transport), request(.query)) == [#"{"hasNext":false}"#])
        await until { gate.arrivals == 1 }
        gate.open()
        await until { ended.withLock(\.self) }
    }

    @Test("only a few bytes after the last part are read; if there are more, the connection is closed")
    func anEndlessRestClosesTheConnection() async throws {
        let pieces = Guarded(0)
        let body = HTTPPieces {
            pieces.withLock { $0 += 1 }
            let text = pieces.withLock(\.self) == 1 ? "\r\n---\r\n\r\n{\"hasNext\":false}\r\n-----" : ""
            return Array(text.utf8) + [UInt8](repeating: 0x20, count: 1_000)
        }
        let transport = ScriptedTransport { _ in
            .init(200, ["Content-Type": "multipart/mixed; boundary=\"-\""], body)
        }
        #expect(try await bodies(network(StepClock(), transport), request(.query)) == [#"{"hasNext":false}"#])
        await until { pieces.withLock(\.self) >= 6 }
        for _ in 0..<100 { await Task.yield() }
        #expect(pieces.withLock(\.self) == 6)
    }

    @Test("an error page of a stream's type is an error status")
    func anErrorPageIsAnErrorStatus() async throws {
        let transport = ScriptedTransport { _ in
            .json("no", status: 503, headers: ["Content-Type": "text/event-stream", "Retry-After": "7"])
        }
        await #expect(throws: RelayError.httpStatus(503, body: "no", retryAfter: .seconds(7))) {
            try await network(StepClock(), transport).send(request())
        }
    }

    @Test("an unknown hash in the first event of a stream is sent again with the text")
    func anUnknownHashInAStreamIsSentWithItsText() async throws {
        let transport = ScriptedTransport { sent in
            .init(
                200, Self.events,
                .pieces([
                    sent.text.contains("query\"")
                        ? Self.first : "event: next\ndata: {\"errors\":[{\"message\":\"PersistedQueryNotFound\"}]}\n\n",
                    Self.last,
                ]))
        }
        let network = HTTPNetwork(url: Self.url, transport: transport, documents: .automatic)
        #expect(try await bodies(network, request()) == [#"{"data":{"n":1}}"#])
        #expect(transport.sent.count == 2)
    }

    // MARK: - Time

    /// Moves the time, whether or not a task sleeps, because the end of a request stops its timers.
    private static func moveOn(_ clock: StepClock) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                clock.advance(by: .seconds(10))
                await Task.yield()
            }
        }
    }

    @Test("a silent stream is given up after the idle timeout, though the total timeout counts no longer")
    func aSilentStreamIsGivenUp() async throws {
        let clock = StepClock()
        let transport = ScriptedTransport { _ in .init(200, Self.events, .silence(after: [Self.first])) }
        let network = network(clock, transport)
        let (progress, happened) = AsyncStream.makeStream(of: Bool.self)
        let reading = Task {
            defer { happened.yield(false) }
            for try await _ in network.responses(to: request()) { happened.yield(true) }
        }
        var events = progress.makeAsyncIterator()
        #expect(await events.next() == true)
        let mover = Self.moveOn(clock)
        #expect(await events.next() == false)
        mover.cancel()
        await #expect(throws: RelayError.transport(HTTPError.stalled(after: .seconds(10)))) { try await reading.value }
    }

    @Test("a slow server is awaited as long as the request's own timeout says")
    func aSlowServerIsAwaitedAsLongAsTheRequestSays() async throws {
        let (clock, gate) = (StepClock(), StepGate())
        let transport = ScriptedTransport { _ in
            await gate.pass()
            return .json("{}")
        }
        let network = network(clock, transport)
        var request = request(.query)
        request.configuration.timeout = .seconds(95)
        let task = Task { [request] in try await network.send(request) }
        await until { gate.arrivals == 1 }
        for _ in 0..<9 { await clock.advance(by: .seconds(10), afterSleepers: 1) }
        await clock.sleeping(1)
        gate.open()
        #expect(try await task.value.body == Array("{}".utf8))
    }

    @Test("a server that never begins is given up, even if nothing watches the request's own timeout")
    func aServerThatNeverBeginsIsGivenUp() async throws {
        let clock = StepClock()
        let network = network(
            clock,
            ScriptedTransport { _ in
                try await Task.sleep(for: .seconds(3_600))
                return .json("{}")
            })
        var request = request(.query)
        request.configuration.timeout = .seconds(95)
        let task = Task { [request] in try await network.send(request) }
        let mover = Self.moveOn(clock)
        await #expect(throws: RelayError.transport(HTTPError.stalled(after: .seconds(10)))) { try await task.value }
        mover.cancel()
    }

    @Test("once a server has begun to answer, its silence is limited as usual")
    func silenceAfterTheHeadIsLimited() async throws {
        let clock = StepClock()
        let json: HTTPHeaders = ["Content-Type": "application/json"]
        let gate = StepGate()
        let body = HTTPPieces {
            if gate.arrivals == 0 {
                gate.open()
                await gate.pass()
                return [0x7B]
            }
            await gate.pass()
            try await Task.sleep(for: .seconds(3_600))
            return nil
        }
        let network = network(clock, ScriptedTransport { _ in .init(200, json, body) })
        var request = request(.query)
        request.configuration.timeout = .seconds(95)
        let task = Task { [request] in try await network.send(request) }
        await until { gate.arrivals == 2 }
        for _ in 0..<2 { await clock.advance(by: .seconds(10), afterSleepers: 1) }
        await #expect(throws: RelayError.transport(HTTPError.stalled(after: .seconds(10)))) { try await task.value }
    }

    @Test("the watch of a request tells its timeouts apart")
    func theWatchTellsTheTimeoutsApart() async throws {
        let total = TimeLimit(.seconds(60), on: StepClock())
        let idle = TimeLimit(.seconds(10), on: StepClock())
        let given = Guarded<[Duration]>([])
        func makeWatch() -> RequestWatch {
            RequestWatch(total: total, idle: idle) { limit in given.withLock { $0.append(limit.duration) } }
        }
        let watch = makeWatch()
        #expect(watch.timeIsOver(of: idle) && given.withLock(\.isEmpty))
        #expect(!watch.timeIsOver(of: idle) && given.withLock(\.self) == [.seconds(10)])
        watch.progress()
        #expect(watch.timeIsOver(of: idle))
        await watch.delivering {
            // A slow caller is not the server's fault.
            #expect(watch.timeIsOver(of: idle))
            #expect(watch.timeIsOver(of: idle))
        }
        #expect(watch.timeIsOver(of: idle))
        try watch.answered()
        #expect(!watch.timeIsOver(of: total) && given.withLock(\.count) == 1)
        let late = makeWatch()
        #expect(!late.timeIsOver(of: total) && given.withLock(\.self) == [.seconds(10), .seconds(60)])
        #expect(throws: CancellationError.self) { try late.answered() }
    }
}
