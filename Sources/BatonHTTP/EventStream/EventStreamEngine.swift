// Reconnecting has several owners, this one for event streams; ReadingTheDesign.md names the others.

import Baton

/// The single connection mode of graphql-sse as a value: events go in, and actions come out.
///
/// One stream carries the results of all operations, and each operation is sent with a request of its own. The engine
/// knows no transport, no task and no clock. Connections are numbered, and events of an earlier connection are ignored.
/// Each operation is finished exactly once, unless it was stopped.
///
/// Specification: https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md#single-connection-mode
struct EventStreamEngine: Sendable {
    /// An event of the application, a connection or a timer.
    enum Event: Sendable {
        case begin(Int, OperationKind, body: [UInt8])
        /// Nobody waits for the operation any more.
        case stop(Int)
        /// The stream of a connection is open.
        case opened(connection: Int, token: String)
        case received(connection: Int, ServerSentEvent)
        /// A request for an operation has ended. The server has accepted the operation, has answered it at once, or has
        /// refused it.
        case sent(connection: Int, Int, Sending)
        case lost(connection: Int, any Error)
        /// The wait before an attempt is over, or the wait of a stream without operations.
        case waited(connection: Int)
        /// The wait before an operation is sent once more is over.
        case due(connection: Int, Int)
    }

    /// How the server took an operation.
    enum Sending: Sendable {
        case accepted
        case answered(NetworkResponse)
        case failed(any Error)
    }

    /// A step for the owner of the engine, who performs all steps in order.
    enum Action: Sendable {
        case connect(connection: Int)
        case send(connection: Int, token: String, Int, body: [UInt8])
        case delete(token: String, Int)
        case wait(connection: Int, Duration)
        /// Waits before an operation is sent once more over the same connection.
        case hold(connection: Int, Int, Duration)
        /// Stops an operation on the server, which may already have it, and then sends the operation.
        case resend(connection: Int, token: String, Int, body: [UInt8])
        case close(connection: Int)
        case report(Int, TransportState)
        case deliver(Int, NetworkResponse)
        case finish(Int, (any Error)?)
    }

    private struct Operation: Sendable {
        enum State: Sendable { case waiting, sending, running }
        let kind: OperationKind
        let body: [UInt8]
        var state = State.waiting
        /// True once the server has accepted the operation on any connection.
        var wasAccepted = false
        /// The number of sendings over the open connection that have failed.
        var attempt = 0
        var payloads: StreamedPayloads
        /// The number of bytes of the operation's responses.
        var bytes = 0

        /// The error of an operation that the server completes although its last response announced another one. Nil
        /// for a subscription, and for an operation without a response.
        var closedEarly: (any Error)? {
            kind == .subscription || payloads.responses == 0
                ? nil : RelayError.StreamError.closedEarly(responses: payloads.responses, bytes: bytes)
        }
    }

    private enum Connection: Sendable {
        case none
        case connecting
        case open(token: String)
        /// The connection is closed, and the wait before the next attempt runs.
        case waiting
    }

    private let policy: ReconnectPolicy
    private let idleTime: Duration
    private var random: any RandomNumberGenerator & Sendable
    private var connection = Connection.none
    private var number = 0
    private var attempt = 0
    private var operations: [Int: Operation] = [:]
    /// Operations that were stopped before the server had answered to their sending.
    private var stopped: Set<Int> = []

    /// - Parameter idleTime: How long the stream stays open without operations.
    init(policy: ReconnectPolicy, idleTime: Duration, random: any RandomNumberGenerator & Sendable) {
        self.policy = policy
        self.idleTime = idleTime
        self.random = random
    }

    mutating func take(_ event: Event) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .begin(let id, let kind, let body): begin(id, kind, body, &actions)
        case .stop(let id): stop(id, &actions)
        case .opened(number, let token): open(token, &actions)
        case .received(number, let event): receive(event, &actions)
        case .sent(number, let id, let sending): noteSending(of: id, sending, &actions)
        case .lost(number, let error): lose(error, &actions)
        case .waited(number): endWait(&actions)
        case .due(number, let id): resend(id, &actions)
        case .opened, .received, .sent, .lost, .waited, .due: break
        }
        return actions
    }

    // MARK: - Operations

    private mutating func begin(_ id: Int, _ kind: OperationKind, _ body: [UInt8], _ actions: inout [Action]) {
        guard operations[id] == nil else { return }
        operations[id] = Operation(kind: kind, body: body, payloads: StreamedPayloads(kind: kind))
        switch connection {
        case .open(let token):
            actions.append(.report(id, .connected))
            send(id, token, &actions)
        case .none:
            actions.append(.report(id, .connecting))
            connect(&actions)
        case .connecting: actions.append(.report(id, .connecting))
        case .waiting: actions.append(.report(id, .reconnecting(attempt: attempt)))
        }
    }

    private mutating func send(_ id: Int, _ token: String, _ actions: inout [Action]) {
        guard let body = operations[id]?.body else { return }
        operations[id]?.state = .sending
        actions.append(.send(connection: number, token: token, id, body: body))
    }

    private mutating func stop(_ id: Int, _ actions: inout [Action]) {
        guard let operation = operations.removeValue(forKey: id) else { return }
        if case .open(let token) = connection {
            switch operation.state {
            // The server may have the operation, although the response to the sending was lost.
            case .waiting: if operation.attempt > 0 { actions.append(.delete(token: token, id)) }
            // The server must not get the end of an operation before its beginning.
            case .sending: stopped.insert(id)
            case .running: actions.append(.delete(token: token, id))
            }
        }
        rest(&actions)
    }

    private mutating func noteSending(of id: Int, _ sending: Sending, _ actions: inout [Action]) {
        if stopped.remove(id) != nil {
            if case .open(let token) = connection { actions.append(.delete(token: token, id)) }
            return
        }
        guard operations[id] != nil else { return }
        if let error = Self.hitch(in: sending), hold(id, after: error, &actions) { return }
        switch sending {
        case .accepted:
            attempt = 0
            operations[id]?.state = .running
            operations[id]?.wasAccepted = true
            operations[id]?.attempt = 0
        // The operation was sent twice, and the server already has it.
        case .answered(let response) where response.status == 409 && operations[id]?.state == .running: break
        case .answered(let response):
            actions.append(.deliver(id, NetworkResponse(body: response.body, metadata: response.metadata)))
            finish(id, nil, &actions)
        case .failed(let error): finish(id, error, &actions)
        }
    }

    /// The error of a sending that may succeed later; nil for any other sending.
    private static func hitch(in sending: Sending) -> (any Error)? {
        switch sending {
        case .accepted: nil
        case .answered(let response):
            response.status.flatMap { status in
                let wait = response.metadata["retry-after"].flatMap { ResponseHead.wait($0) }
                let error = RelayError.httpStatus(status, body: "", retryAfter: wait)
                return status >= 400 && !isRefusal(error) ? error : nil
            }
        case .failed(let error): isRefusal(error) ? nil : error
        }
    }

    /// Lets a subscription that the server has accepted before wait, as after a lost connection. A subscription that
    /// runs all the same does not wait. Returns false for another operation, and after too many attempts.
    private mutating func hold(_ id: Int, after error: any Error, _ actions: inout [Action]) -> Bool {
        guard var operation = operations[id], operation.kind == .subscription, operation.wasAccepted
        else { return false }
        // The results of the operation arrive already, or the operation is sent over the next stream.
        guard operation.state != .running, case .open = connection else { return true }
        operation.attempt += 1
        guard let delay = policy.delay(attempt: operation.attempt, after: error, using: &random) else { return false }
        operation.state = .waiting
        operations[id] = operation
        actions.append(.report(id, .reconnecting(attempt: operation.attempt)))
        actions.append(.hold(connection: number, id, delay))
        return true
    }

    private mutating func resend(_ id: Int, _ actions: inout [Action]) {
        guard case .open(let token) = connection, let operation = operations[id], operation.state == .waiting
        else { return }
        operations[id]?.state = .sending
        actions.append(.report(id, .connected))
        actions.append(.resend(connection: number, token: token, id, body: operation.body))
    }

    private mutating func finish(_ id: Int, _ error: (any Error)?, _ actions: inout [Action]) {
        guard operations.removeValue(forKey: id) != nil else { return }
        actions.append(.finish(id, error))
        rest(&actions)
    }

    // MARK: - Results

    private mutating func receive(_ event: ServerSentEvent, _ actions: inout [Action]) {
        let isNext = event.name == "next"
        guard isNext || event.name == "complete" else { return }
        guard let outline = try? ResponseOutline(event.data), let id = Self.id(outline, event.data) else {
            guard event.hasContent else { return }
            return breakOff(RelayError.StreamError.malformedPart(1, "expected an object with an 'id'"), &actions)
        }
        // The server may still send results of stopped operations.
        guard var operation = operations[id] else { return }
        if isNext {
            guard let payload = outline.payload else { return }
            // Results may arrive before the response to the sending, or although that response was lost.
            if operation.state == .waiting { actions.append(.report(id, .connected)) }
            operation.state = .running
            operation.wasAccepted = true
            attempt = 0
            let response = operation.payloads.take(Array(event.data[payload]))
            operation.bytes += response?.body.count ?? 0
            operations[id] = operation
            if let response { actions.append(.deliver(id, response)) }
            if operation.payloads.isOver { finish(id, operation.payloads.failure, &actions) }
        } else {
            finish(id, operation.closedEarly, &actions)
        }
    }

    /// The number of an operation from the text in its message; nil for other texts.
    private static func id(_ outline: ResponseOutline, _ bytes: [UInt8]) -> Int? {
        guard let range = outline.id else { return nil }
        let digits = bytes[range].filter { $0 != UInt8(ascii: "\"") }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    // MARK: - Connections

    private mutating func connect(_ actions: inout [Action]) {
        number += 1
        connection = .connecting
        stopped = []
        actions.append(.connect(connection: number))
    }

    private mutating func open(_ token: String, _ actions: inout [Action]) {
        guard case .connecting = connection else { return }
        connection = .open(token: token)
        for id in operations.keys.sorted() {
            actions.append(.report(id, .connected))
            send(id, token, &actions)
        }
        rest(&actions)
    }

    private mutating func breakOff(_ error: any Error, _ actions: inout [Action]) {
        actions.append(.close(connection: number))
        lose(error, &actions)
    }

    /// Ends the operations that cannot be repeated, and connects again for the others.
    private mutating func lose(_ error: any Error, _ actions: inout [Action]) {
        switch connection {
        case .connecting, .open: break
        case .none, .waiting: return
        }
        let wasOpen = if case .open = connection { true } else { false }
        number += 1
        connection = .none
        attempt += 1
        let isFinal = Self.isRefusal(error)
        let delay = isFinal ? nil : policy.delay(attempt: attempt, after: error, using: &random)
        for id in operations.keys.sorted() {
            guard let operation = operations[id] else { continue }
            // A subscription may go on. A query may be sent again if none of its responses has come. A mutation may be
            // sent again only if it was not sent.
            let isRepeatable =
                switch operation.kind {
                case .subscription: wasOpen || operation.wasAccepted
                case .query: wasOpen && operation.payloads.responses == 0
                case .mutation: wasOpen && operation.state == .waiting
                }
            guard delay != nil, isRepeatable else {
                operations[id] = nil
                actions.append(.finish(id, error))
                continue
            }
            operations[id]?.state = .waiting
            operations[id]?.attempt = 0
            operations[id]?.payloads = StreamedPayloads(kind: operation.kind)
            operations[id]?.bytes = 0
            actions.append(.report(id, .reconnecting(attempt: attempt)))
        }
        guard let delay, !operations.isEmpty else {
            attempt = 0
            return
        }
        connection = .waiting
        actions.append(.wait(connection: number, delay))
    }

    /// Whether the server wants no stream at all, so that another attempt has no prospect.
    private static func isRefusal(_ error: any Error) -> Bool {
        switch (error as? RelayError)?.reason {
        case .httpStatus(let status, _, _): ![408, 425, 429, 500, 502, 503, 504].contains(status)
        case .contentType, .configuration, .transport(HTTPError.notAcceptable): true
        default: false
        }
    }

    private mutating func endWait(_ actions: inout [Action]) {
        switch connection {
        case .waiting where operations.isEmpty:
            connection = .none
            attempt = 0
        case .waiting: connect(&actions)
        case .open, .connecting:
            guard operations.isEmpty else { return }
            actions.append(.close(connection: number))
            number += 1
            connection = .none
        case .none: break
        }
    }

    /// Starts the wait after which a stream without operations is closed.
    private mutating func rest(_ actions: inout [Action]) {
        guard operations.isEmpty else { return }
        switch connection {
        case .open, .connecting: actions.append(.wait(connection: number, idleTime))
        case .none, .waiting: break
        }
    }
}
