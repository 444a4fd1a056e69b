import Baton
import RandomCases

@testable import BatonHTTP

/// Drives a `SocketMachine` in a test, and keeps its actions as text.
struct ScriptedSocket {
    var machine: SocketMachine
    /// The actions since the last call of `taken`.
    private var done: [String] = []
    /// The connection that the machine uses.
    private(set) var connection = 0
    private(set) var timers: [SocketMachine.Timer.Kind: SocketMachine.Timer] = [:]
    /// The last time of each kind of timer.
    private(set) var delays: [SocketMachine.Timer.Kind: Duration] = [:]
    private(set) var bodies: [Int: [String]] = [:]
    private(set) var ends: [Int: String] = [:]
    /// Whether `.read` and `.sent` are part of the text.
    var showsReading = false

    init(_ change: (inout WebSocketOptions) -> Void = { _ in }) {
        var options = WebSocketOptions()
        options.pingInterval = nil
        options.reconnecting = ReconnectPolicy(maximumAttempts: 3)
        change(&options)
        machine = SocketMachine(options: options, random: SeededGenerator(seed: 1))
    }

    mutating func taken() -> [String] {
        defer { done = [] }
        return done
    }

    mutating func handle(_ event: SocketMachine.Event) {
        for action in machine.handle(event) { note(action) }
    }

    private mutating func note(_ action: SocketMachine.Action) {
        switch action {
        case .connect(let number):
            connection = number
            done.append("connect")
        case .send(let number, let text):
            done.append("send " + String(decoding: text, as: UTF8.self))
            let events = machine.handle(.sent(connection: number))
            for event in events { note(event) }
        case .read: if showsReading { done.append("read") }
        case .close(_, let code, let reason): done.append("close \(code)" + (reason.isEmpty ? "" : " \(reason)"))
        case .drop: done.append("drop")
        case .deliver(let id, let response):
            let body = String(decoding: response.body, as: UTF8.self)
            bodies[id, default: []].append(body)
            done.append("\(id): \(body)\(response.hasNext ? " ..." : "")")
        case .end(let id, let error):
            ends[id] = error.map { "\($0)" } ?? "complete"
            done.append("\(id) ends" + (error.map { ": \($0)" } ?? ""))
        case .report(let id, let state): done.append("\(id) is \(state)")
        case .state(let state): done.append("\(state)")
        case .startTimer(let timer, let delay): (timers[timer.kind], delays[timer.kind]) = (timer, delay)
        case .cancelTimer(let timer): timers[timer.kind] = nil
        }
    }

    // MARK: - Events in short

    mutating func start(_ id: Int, _ kind: OperationKind = .subscription, hasKey: Bool = false) {
        handle(.start(id, SocketOperation(kind: kind, payload: Array("{}".utf8), hasKey: hasKey)))
    }

    mutating func open(_ subprotocol: WebSocketOptions.Subprotocol? = .graphqlTransportWS, payload: String? = nil) {
        handle(
            .opened(
                connection: connection, subprotocol: subprotocol?.rawValue, payload: payload.map { Array($0.utf8) }))
    }

    mutating func hear(_ text: String) { handle(.message(connection: connection, Array(text.utf8))) }

    mutating func hearClose(_ code: Int, _ reason: String = "") {
        handle(.closed(connection: connection, code: code, reason: reason))
    }

    /// Lets a timer fire. Does nothing if the timer does not run.
    mutating func fire(_ kind: SocketMachine.Timer.Kind) {
        guard let timer = timers.removeValue(forKey: kind) else { return }
        handle(.fired(timer))
    }

    /// Starts a connection with operations, up to the acknowledgement, and forgets the actions so far.
    mutating func becomeReady(
        _ subprotocol: WebSocketOptions.Subprotocol = .graphqlTransportWS, _ ids: [Int] = [1],
        _ kind: OperationKind = .subscription
    ) {
        for id in ids { start(id, kind) }
        open(subprotocol)
        hear(#"{"type":"connection_ack"}"#)
        _ = taken()
    }
}
