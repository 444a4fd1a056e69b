// Reconnecting has several owners, this one for WebSockets; ReadingTheDesign.md names the others.

import Baton

/// The protocol of a WebSocket with many operations, as a value: events go in, and actions come out.
///
/// The machine knows no transport, no task and no clock, and it calls no code of the application. Its owner gives it
/// every event in turn and performs the returned actions in order. Connections, operations and timers have numbers.
/// An event of a connection or timer that the machine has given up is ignored.
///
/// - An operation that was started ends once: with `.end`, or with the event `.stop`. Its responses come before its
///   end.
/// - An operation is sent once on each acknowledged connection, under its number.
/// - The machine asks for one message at a time, with `.read`. It asks for none while an operation has too many
///   responses in front of its consumer, or while too many messages wait to be sent. The options set the number of
///   responses.
/// - A connection without operations closes after a while, and then no timer runs.
struct SocketMachine: Sendable {
    /// An event of the application, a connection or a timer.
    enum Event {
        case start(Int, SocketOperation)
        /// The consumer of the operation has gone.
        case stop(Int)
        /// The consumer of the operation has taken one response.
        case consumed(Int)
        case pause
        case resume
        /// The network is no longer used, and everything ends.
        case shutDown
        /// The connection is open. The payload belongs to its first message.
        case opened(connection: Int, subprotocol: String?, payload: [UInt8]?)
        case message(connection: Int, [UInt8])
        /// The transport has taken a message.
        case sent(connection: Int)
        case closed(connection: Int, code: Int, reason: String)
        case broke(connection: Int, any Error)
        case fired(Timer)
    }

    /// A step for the owner of the machine, who performs all steps in order.
    enum Action {
        case connect(connection: Int)
        case send(connection: Int, [UInt8])
        /// Waits for one message, which becomes an event.
        case read(connection: Int)
        /// Sends the waiting messages, closes the connection, and releases it.
        case close(connection: Int, code: Int, reason: String)
        /// Releases a connection, or the attempt to make one.
        case drop(connection: Int)
        case deliver(Int, NetworkResponse)
        /// The operation is over, with an error if it failed.
        case end(Int, (any Error)?)
        case report(Int, TransportState)
        case state(WebSocketState)
        case startTimer(Timer, Duration)
        case cancelTimer(Timer)
    }

    /// One use of a timer. The number distinguishes it from earlier uses of the same timer.
    struct Timer: Hashable {
        enum Kind: Hashable, CaseIterable {
            case connection
            case acknowledgement
            case ping
            case pong
            case silence
            case lingering
            case settling
            case backoff
        }

        let kind: Kind
        let number: Int
    }

    /// The connection, open or in the making.
    struct Link {
        enum Stage {
            case connecting
            case opened
            case ready
        }

        let number: Int
        var stage = Stage.connecting
        var subprotocol = WebSocketOptions.Subprotocol.graphqlTransportWS
        /// Whether a message was asked for.
        var isReading = false
        /// Whether reading has stopped because of a slow consumer.
        var isHeld = false
        /// The number of messages that the transport has not taken yet.
        var unsent = 0
        var awaitsPong = false
        /// Whether a message arrived since the timer for silence was started; nil if that timer does not run.
        var hasHeard: Bool?
        /// Operations with a complete response for which the server has not sent `complete` so far.
        var answered: Set<Int> = []
    }

    /// The number of messages waiting to be sent at which reading stops, so that a peer that does not read cannot fill
    /// the memory.
    static let maximumUnsent = 256
    /// The number of operations that may lack the server's `complete`. Beyond this number, operations are stopped
    /// instead.
    static let maximumDelivered = 1_024
    /// The lifetime of a connection after which a new row of attempts begins.
    static let settlingTime = Duration.seconds(5)

    let options: WebSocketOptions
    var operations: [Int: SocketOperation] = [:]
    /// The number of operations with the greatest allowed number of undelivered responses.
    var full = 0
    var link: Link?
    /// The number of failed attempts and lost connections in a row.
    var attempts = 0
    /// Whether a connection was acknowledged before.
    var wasEverReady = false
    var isPaused = false
    var isShut = false
    var timers: [Timer.Kind: Timer] = [:]
    var actions: [Action] = []
    private var random: any RandomNumberGenerator & Sendable
    private var connections = 0
    private var timersStarted = 0
    private var told = WebSocketState.disconnected
    /// The operation that the current event has started.
    var newcomer: Int?

    init(options: WebSocketOptions, random: any RandomNumberGenerator & Sendable) {
        self.options = options
        self.random = random
    }

    /// Handles an event, and returns the actions to perform, in order.
    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .start(let id, let operation): start(id, operation)
        case .stop(let id): stop(id)
        case .consumed(let id): consumed(id)
        case .pause: pause()
        case .resume: resume()
        case .shutDown: shutDown()
        case .opened(let number, let subprotocol, let payload):
            if isCurrent(number) { opened(subprotocol, payload) }
        case .message(let number, let bytes): if isCurrent(number) { received(bytes) }
        case .sent(let number): if isCurrent(number) { link?.unsent -= 1 }
        case .closed(let number, let code, let reason):
            if isCurrent(number) { closed(WebSocketError.closed(code: code, reason: reason.beginning)) }
        case .broke(let number, let error): if isCurrent(number) { closed(error) }
        case .fired(let timer): fired(timer)
        }
        restOrLinger()
        readOn()
        tell()
        defer { actions = [] }
        return actions
    }

    private func isCurrent(_ number: Int) -> Bool { link?.number == number }

    /// The state that the application sees.
    var state: WebSocketState {
        if isPaused { return .paused }
        if link?.stage == .ready { return .connected }
        if attempts > 0 { return .reconnecting(attempt: attempts) }
        return link == nil ? .disconnected : .connecting
    }

    /// Reports a new state to the network, and to the operations that have not been told.
    private mutating func tell() {
        let state = state
        var listeners = newcomer.map { [$0] } ?? []
        newcomer = nil
        if state != told {
            told = state
            actions.append(.state(state))
            listeners = sortedOperations
        }
        guard let report = state.report else { return }
        for id in listeners where operations[id] != nil { actions.append(.report(id, report)) }
    }

    var sortedOperations: [Int] { operations.keys.sorted() }

    // MARK: - Timers

    mutating func startTimer(_ kind: Timer.Kind, _ duration: Duration) {
        cancelTimer(kind)
        timersStarted += 1
        let timer = Timer(kind: kind, number: timersStarted)
        timers[kind] = timer
        actions.append(.startTimer(timer, duration))
    }

    mutating func cancelTimer(_ kind: Timer.Kind) {
        guard let timer = timers.removeValue(forKey: kind) else { return }
        actions.append(.cancelTimer(timer))
    }

    private mutating func fired(_ timer: Timer) {
        guard timers[timer.kind] == timer else { return }
        timers[timer.kind] = nil
        switch timer.kind {
        case .connection: fail(WebSocketError.notOpened(after: options.connectTimeout), code: 1000)
        case .acknowledgement: fail(WebSocketError.notAcknowledged(after: options.acknowledgementTimeout), code: 4504)
        case .ping: ping()
        case .pong: fail(WebSocketError.unresponsive(after: options.pongTimeout), code: 4499)
        case .silence: listen()
        case .lingering: leave()
        case .settling: attempts = 0
        case .backoff: connect()
        }
    }

    // MARK: - Attempts

    mutating func connect() {
        connections += 1
        link = Link(number: connections)
        actions.append(.connect(connection: connections))
        startTimer(.connection, options.connectTimeout)
    }

    /// Starts the wait before the next attempt after an error; returns false if the policy allows no attempt.
    mutating func backOff(after error: any Error) -> Bool {
        attempts += 1
        let delay = options.reconnecting.delay(attempt: attempts, after: error, using: &random)
        guard let delay else { return false }
        startTimer(.backoff, delay)
        return true
    }
}
