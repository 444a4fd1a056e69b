import Baton
import Foundation

@testable import BatonHTTP

/// A WebSocket transport in memory, whose server is a closure.
///
/// State: guarded by one lock, a leaf.
final class MemorySocketTransport: WebSocketTransport {
    /// The reaction of a server to a message. The server answers through the connection.
    typealias Server = @Sendable (MemorySocketConnection, JSONValue) -> Void

    private struct State {
        var connections: [MemorySocketConnection] = []
        var failures: [any Error] = []
        var headers: [HTTPHeaders] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Guarded(State())
    private let subprotocol: String
    private let server: Server

    init(
        _ subprotocol: WebSocketOptions.Subprotocol = .graphqlTransportWS, failures: [any Error] = [],
        server: @escaping Server = MemorySocketTransport.acknowledging
    ) {
        self.subprotocol = subprotocol.rawValue
        self.server = server
        state.withLock { $0.failures = failures }
    }

    /// Acknowledges connections, and ignores all other messages.
    static let acknowledging: Server = { connection, message in
        if message["type"] == "connection_init" { connection.say(#"{"type":"connection_ack"}"#) }
    }

    var connections: [MemorySocketConnection] { state.withLock(\.connections) }
    var headers: [HTTPHeaders] { state.withLock(\.headers) }

    func connect(
        to url: URL, headers: HTTPHeaders, subprotocols: [String], maximumMessageSize: Int
    ) async throws -> any WebSocketConnection {
        try Task.checkCancellation()
        let connection = MemorySocketConnection(subprotocol: subprotocol, server)
        let (failure, woken) = state.withLock { state -> ((any Error)?, [CheckedContinuation<Void, Never>]) in
            state.headers.append(headers)
            if !state.failures.isEmpty { return (state.failures.removeFirst(), []) }
            state.connections.append(connection)
            let count = state.connections.count
            let woken = state.waiters.filter { $0.count <= count }.map(\.continuation)
            state.waiters.removeAll { $0.count <= count }
            return (nil, woken)
        }
        for waiter in woken { waiter.resume() }
        if let failure { throw failure }
        return connection
    }

    /// Waits for the connection of this number, from 1.
    func connection(_ number: Int) async -> MemorySocketConnection {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.connections.count >= number { return true }
                state.waiters.append((number, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
        return connections[number - 1]
    }
}

/// One connection in memory, seen from both sides.
///
/// State: guarded by one lock, a leaf.
final class MemorySocketConnection: WebSocketConnection {
    private struct State {
        var incoming: [WebSocketMessage] = []
        var reader: CheckedContinuation<WebSocketMessage, any Error>?
        var isOver = false
        var sent: [String] = []
        var received = 0
        var closing: String?
        var waiters:
            [(condition: @Sendable ([String], String?) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
                []
    }

    let subprotocol: String?
    private let server: MemorySocketTransport.Server
    private let state = Guarded(State())

    init(subprotocol: String, _ server: @escaping MemorySocketTransport.Server) {
        self.subprotocol = subprotocol
        self.server = server
    }

    // MARK: - The client's side

    func send(_ text: [UInt8]) async throws {
        let message = String(decoding: text, as: UTF8.self)
        guard change({ $0.sent.append(message) }) else { throw HTTPError.notHTTP }
        if let value = try? JSONValue.parse(text) { server(self, value) }
    }

    func receive() async throws -> WebSocketMessage {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<WebSocketMessage, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if !state.incoming.isEmpty {
                        state.received += 1
                        return .success(state.incoming.removeFirst())
                    }
                    if state.isOver { return .failure(HTTPError.notHTTP) }
                    state.reader = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }?.resume(throwing: CancellationError())
        }
    }

    func close(code: Int, reason: String) async {
        _ = change {
            $0.closing = "\(code)"
            $0.isOver = true
        }
    }

    // MARK: - The server's side

    /// The messages that the client has sent.
    var sent: [String] { state.withLock(\.sent) }
    /// The client's close code; nil if the client has not closed the connection.
    var closing: String? { state.withLock(\.closing) }
    /// The number of messages that the client has read.
    var received: Int { state.withLock(\.received) }

    func say(_ text: String) { put(.text(Array(text.utf8))) }

    func close(_ code: Int, _ reason: String = "") { put(.closed(code: code, reason: reason)) }

    private func put(_ message: WebSocketMessage) {
        let reader = state.withLock { state -> CheckedContinuation<WebSocketMessage, any Error>? in
            if state.reader == nil { state.incoming.append(message) } else { state.received += 1 }
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: message)
    }

    /// Waits until the sent messages and the client's close code meet a condition.
    func wait(until condition: @escaping @Sendable ([String], String?) -> Bool) async {
        await withCheckedContinuation { continuation in
            let holds = state.withLock { state in
                if condition(state.sent, state.closing) { return true }
                state.waiters.append((condition, continuation))
                return false
            }
            if holds { continuation.resume() }
        }
    }

    /// Waits until a message with this text was sent.
    func waitForMessage(_ text: String) async { await wait { sent, _ in sent.contains { $0.contains(text) } } }

    /// Changes the state; returns false if the connection is over.
    private func change(_ change: (inout State) -> Void) -> Bool {
        let woken = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
            guard !state.isOver else { return nil }
            change(&state)
            let (sent, closing) = (state.sent, state.closing)
            let woken = state.waiters.filter { $0.condition(sent, closing) }.map(\.continuation)
            state.waiters.removeAll { $0.condition(sent, closing) }
            return woken
        }
        for waiter in woken ?? [] { waiter.resume() }
        return woken != nil
    }
}

/// A clock whose sleepers wake when a test wakes them.
///
/// State: guarded by one lock, a leaf.
final class SocketTestClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var lastNumber = 0
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var waiters: [(condition: @Sendable ([Duration]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Guarded(State())
    var now: Instant { state.withLock(\.now) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isCancelled = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.sleepers[number] = (deadline, continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
                wake()
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume(
                throwing: CancellationError())
            wake()
        }
    }

    func advance(by duration: Duration) {
        state.withLock { $0.now = $0.now.advanced(by: duration) }
        wake()
    }

    /// The remaining times of all sleepers, the shortest first.
    var rests: [Duration] { state.withLock { Self.rests($0) } }

    /// Waits until the remaining times of all sleepers meet a condition.
    func wait(until condition: @escaping @Sendable ([Duration]) -> Bool) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiters.append((condition, continuation)) }
            wake()
        }
    }

    private static func rests(_ state: State) -> [Duration] {
        state.sleepers.values.map { state.now.duration(to: $0.deadline) }.sorted()
    }

    private func wake() {
        let (due, told) = state.withLock {
            state -> ([CheckedContinuation<Void, any Error>], [CheckedContinuation<Void, Never>]) in
            let now = state.now
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for number in due.keys { state.sleepers[number] = nil }
            let rests = Self.rests(state)
            let told = state.waiters.filter { $0.condition(rests) }.map(\.continuation)
            state.waiters.removeAll { $0.condition(rests) }
            return (due.sorted { $0.key < $1.key }.map(\.value.continuation), told)
        }
        for sleeper in due { sleeper.resume() }
        for waiter in told { waiter.resume() }
    }
}

extension NetworkRequest {
    static func test(_ id: Int = 1, _ kind: OperationKind = .subscription, key: String? = nil) -> NetworkRequest {
        NetworkRequest(id: id, operationName: "Op\(id)", kind: kind, text: "{ a }", idempotencyKey: key)
    }
}
