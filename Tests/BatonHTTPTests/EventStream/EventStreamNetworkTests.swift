import Baton
import Foundation
import Testing

@testable import BatonHTTP

@Suite("EventStreamNetwork", .timeLimit(.minutes(20)))
struct EventStreamNetworkTests {
    private let url = URL(fileURLWithPath: "/graphql")

    private func request(_ kind: OperationKind, reporting: @escaping @Sendable (TransportState) -> Void = { _ in })
        -> NetworkRequest
    {
        NetworkRequest(id: 1, operationName: "Q", kind: kind, text: "{ a }", variables: [.init("n", 1)])
            .reporting(to: reporting)
    }

    private func collect(_ network: EventStreamNetwork, _ request: NetworkRequest) async throws -> [String] {
        var bodies: [String] = []
        for try await response in network.responses(to: request) {
            bodies.append(String(decoding: response.body, as: UTF8.self))
            if !response.hasNext { break }
        }
        return bodies
    }

    @Test("operations share one stream, and each request carries the token")
    func operationsShareOneStream() async throws {
        let server = SingleConnectionServer()
        let network = EventStreamNetwork(url: url, transport: server, headers: { ["Authorization": "x"] })
        async let events = collect(network, request(.subscription))
        async let answer = network.send(request(.query))
        #expect(try await events == ["{\"data\":1}", "{\"data\":2}"])
        #expect(try await answer.body == Array("{\"data\":1}".utf8))
        #expect(server.log.filter { $0.hasPrefix("PUT") }.count == 1)
        #expect(server.log.filter { $0.hasPrefix("GET") } == ["GET token1 x"])
        #expect(server.log.filter { $0.hasPrefix("POST") } == ["POST token1 x", "POST token1 x"])
    }

    @Test("a mutation has its idempotency key in its extensions, and no other operation has one")
    func onlyAMutationHasAnIdempotencyKey() async throws {
        let server = SingleConnectionServer()
        let network = EventStreamNetwork(url: url, transport: server)
        for kind in [OperationKind.mutation, .query] {
            let key = kind == .mutation ? "key-1" : nil
            _ = try await network.send(
                NetworkRequest(id: 1, operationName: "Q", kind: kind, text: "{ a }", idempotencyKey: key))
        }
        #expect(server.extensions.map { $0["idempotencyKey"] } == ["key-1", nil])
        #expect(server.extensions.map { $0["operationId"] } == ["1", "2"])
    }

    @Test("a broken stream is opened again with a new token, and handles are notified")
    func aBrokenStreamIsOpenedWithANewToken() async throws {
        let server = SingleConnectionServer(breaks: 2)
        let states = Guarded<[TransportState]>([])
        let network = EventStreamNetwork(
            url: url, transport: server, reconnecting: ReconnectPolicy(firstDelay: .zero, maximumDelay: .zero))
        let events = try await collect(
            network, request(.subscription) { state in states.withLock { $0.append(state) } })
        #expect(events == ["{\"data\":1}", "{\"data\":1}", "{\"data\":1}", "{\"data\":2}"])
        #expect(
            states.withLock(\.self) == [
                .connecting, .connected, .reconnecting(attempt: 1), .connected, .reconnecting(attempt: 1), .connected,
            ])
        #expect(server.log.last == "POST token3 ")
    }

    @Test("many operations over streams that break get their results in order, and end once")
    func manyOperationsGetTheirResultsInOrder() async throws {
        let server = SingleConnectionServer(breaks: 20)
        let network = EventStreamNetwork(
            url: url, transport: server, reconnecting: ReconnectPolicy(firstDelay: .zero, maximumDelay: .zero))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask { [self] in
                    guard number % 3 > 0 else {
                        for try await _ in network.responses(to: request(.subscription)) { return }
                        return
                    }
                    let events = try await collect(network, request(.subscription))
                    #expect(events.last == "{\"data\":2}")
                    #expect(events.dropLast().allSatisfy { $0 == "{\"data\":1}" })
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("a stream on which nothing arrives counts as broken")
    func aSilentStreamCountsAsBroken() async throws {
        let clock = WakingClock()
        let network = EventStreamNetwork(
            url: url, transport: SingleConnectionServer(isEndless: true), reconnecting: .never, timeout: .seconds(1000),
            silenceTimeout: .seconds(20), clock: clock)
        var iterator = network.responses(to: request(.subscription)).makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        clock.wakeSleepers(below: .seconds(100))
        await #expect(throws: RelayError.transport(HTTPError.stalled(after: .seconds(20)))) {
            while try await iterator.next() != nil {}
        }
    }

    @Test("a server without streams fails the request with its status")
    func aServerWithoutStreamsFailsTheRequest() async throws {
        let network = EventStreamNetwork(url: url, transport: SingleConnectionServer(status: 405))
        await #expect(throws: RelayError.httpStatus(405, body: "no")) { try await network.send(request(.query)) }
    }

    @Test("a cancelled subscription is deleted on the server")
    func aCancelledSubscriptionIsDeletedOnTheServer() async throws {
        let server = SingleConnectionServer(isEndless: true)
        let network = EventStreamNetwork(url: url, transport: server)
        for try await _ in network.responses(to: request(.subscription)) { break }
        await server.deleted.wait()
        #expect(server.log.last == "DELETE token1 ")
    }
}

/// A server of the single connection mode in memory. Each operation gets two events.
private final class SingleConnectionServer: HTTPTransport {
    let deleted = Gate()
    private let breaks: Int
    private let status: Int
    private let isEndless: Bool
    private let state = Guarded(
        (log: [String](), extensions: [JSONValue](), streams: 0, open: AsyncStream<[UInt8]>.Continuation?.none))

    /// - Parameter breaks: The number of streams that break after the first event.
    init(breaks: Int = 0, status: Int = 201, isEndless: Bool = false) {
        self.breaks = breaks
        self.status = status
        self.isEndless = isEndless
    }

    var log: [String] { state.withLock(\.log) }
    /// The `extensions` of the operations.
    var extensions: [JSONValue] { state.withLock(\.extensions) }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let token = request.headers["X-GraphQL-Event-Stream-Token"] ?? ""
        state.withLock {
            $0.log.append("\(request.method.rawValue) \(token) \(request.headers["Authorization"] ?? "")")
        }
        switch request.method {
        case .put:
            guard status == 201 else { return response(status, "no") }
            return response(201, "token\(state.withLock { $0.streams + 1 })\n")
        case .get:
            let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
            state.withLock { state in
                state.streams += 1
                state.open = continuation
            }
            return HTTPResponse(
                status: 200, headers: ["Content-Type": "text/event-stream; charset=utf-8"],
                body: HTTPPieces {
                    for await piece in stream { return piece }
                    return nil
                })
        case .post:
            guard case .bytes(let body) = request.body, let value = try? JSONValue.parse(body),
                case .string(let id)? = value["extensions"]?["operationId"]
            else { return response(400, "") }
            let (number, open) = state.withLock { state in
                state.extensions.append(value["extensions"] ?? .null)
                return (state.streams, state.open)
            }
            open?.yield(event("next", "{\"id\":\"\(id)\",\"payload\":{\"data\":1}}"))
            if isEndless { return response(202, "") }
            if number <= breaks {
                open?.finish()
            } else {
                open?.yield(event("next", "{\"id\":\"\(id)\",\"payload\":{\"data\":2}}"))
                open?.yield(event("complete", "{\"id\":\"\(id)\"}"))
            }
            return response(202, "")
        case .delete:
            deleted.open()
            return response(200, "")
        }
    }

    private func event(_ name: String, _ data: String) -> [UInt8] { Array("event: \(name)\ndata: \(data)\n\n".utf8) }

    private func response(_ status: Int, _ text: String) -> HTTPResponse {
        let bytes = Guarded<[UInt8]?>(Array(text.utf8))
        return HTTPResponse(
            status: status, headers: [:],
            body: HTTPPieces {
                bytes.withLock { bytes in
                    defer { bytes = nil }
                    return bytes
                }
            })
    }
}

/// Lets tasks wait for an event.
private final class Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }
    func wait() async { for await _ in stream {} }
}

/// A clock whose short sleeps end when the test ends them, including sleeps that begin later.
private final class WakingClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private struct State {
        var limit: Duration?
        var lastID = 0
        var sleepers: [Int: (duration: Duration, continuation: CheckedContinuation<Void, Never>)] = [:]
    }

    private let start = ContinuousClock.now
    private let state = Guarded(State())

    var now: Instant { start }
    var minimumResolution: Duration { .zero }

    func wakeSleepers(below limit: Duration) {
        let woken = state.withLock { state in
            state.limit = limit
            let woken = state.sleepers.filter { $1.duration < limit }
            for id in woken.keys { state.sleepers[id] = nil }
            return woken.values
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let duration = start.duration(to: deadline)
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || duration < state.limit ?? .zero { return true }
                    state.sleepers[id] = (duration, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume()
        }
        try Task.checkCancellation()
    }

    @Test("a server that knows its documents gets ids, beside the id of the operation")
    func trustedDocumentsAreSentByTheirIDs() throws {
        let request = NetworkRequest(id: 1, operationName: "A", kind: .query, documentID: "7", text: "{ a }")
        let extensions = [JSONValue.Member("operationId", "3")]
        let content = try RequestContent(request, ids: .persistedQuery, extensions: extensions)
        #expect(
            String(decoding: content.json, as: UTF8.self)
                == #"{"operationName":"A","extensions":{"operationId":"3","#
                + #""persistedQuery":{"version":1,"sha256Hash":"7"}}}"#)
    }
}
