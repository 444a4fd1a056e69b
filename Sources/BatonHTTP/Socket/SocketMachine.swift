import Baton

/// The protocol of a WebSocket with many operations, as a value: events in, actions out.
///
/// The machine knows no transport, no task and no clock, and it calls no code of the application. Its owner gives it
/// every event in turn and performs the returned actions in order. Connections, operations and timers have numbers.
/// An event of a connection or timer that the machine has given up is ignored.
///
/// - An operation that was started ends once: with `.end`, or with the event `.stop`. Its responses come before.
/// - An operation is sent once on each acknowledged connection, under its number.
/// - One message is asked for at a time, with `.read`. None is asked for while an operation has as many responses in
///   front of its consumer as the options allow, or too many messages wait to be sent.
/// - Without operations, the connection closes after a while, and no timer runs.
struct SocketMachine: Sendable {
    /// What has happened.
    enum Event {
        case start(Int, SocketOperation)
        /// The consumer has gone.
        case stop(Int)
        /// The consumer has taken one response.
        case consumed(Int)
        case pause
        case resume
        /// Nothing may happen any more.
        case shutDown
        /// The connection is open, and this is the payload for its first message.
        case opened(connection: Int, subprotocol: String?, payload: [UInt8]?)
        case message(connection: Int, [UInt8])
        /// The transport has taken a message.
        case sent(connection: Int)
        case closed(connection: Int, code: Int, reason: String)
        case broke(connection: Int, any Error)
        case fired(Timer)
    }

    /// What is to be done.
    enum Action {
        case connect(connection: Int)
        case send(connection: Int, [UInt8])
        /// Waits for one message, which is an event.
        case read(connection: Int)
        /// Sends what was to be sent before, closes, and lets go of the connection.
        case close(connection: Int, code: Int, reason: String)
        /// Lets go of a connection, or of the attempt to make it.
        case drop(connection: Int)
        case deliver(Int, NetworkResponse)
        /// The operation is over; nil if it came to its end.
        case end(Int, (any Error)?)
        case report(Int, TransportState)
        case state(WebSocketState)
        case startTimer(Timer, Duration)
        case cancelTimer(Timer)
    }

    /// One use of a timer; its number makes it differ from earlier uses.
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

    /// The connection that is being made, or is open.
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
        /// Whether no message is asked for because of a slow consumer.
        var isHeld = false
        /// The number of messages that the transport has not taken yet.
        var unsent = 0
        var awaitsPong = false
        /// Whether anything was heard since the timer for silence was started; nil if it does not run.
        var hasHeard: Bool?
        /// Operations whose answer is complete, and of which the server has not said so yet.
        var answered: Set<Int> = []
    }

    /// As many messages may wait to be sent before reading stops: a peer that does not read cannot make them grow.
    static let maximumUnsent = 256
    /// As many operations may be answered without the server's `complete` before they are stopped instead.
    static let maximumAnswered = 1_024
    /// A connection that lasted so long begins a new row of attempts.
    static let settlingTime = Duration.seconds(5)

    let options: WebSocketOptions
    var operations: [Int: SocketOperation] = [:]
    /// The number of operations with as many undelivered responses as the options allow.
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
    /// The operation that this event has started.
    var newcomer: Int?

    init(options: WebSocketOptions, random: any RandomNumberGenerator & Sendable) {
        self.options = options
        self.random = random
    }

    /// Takes an event, and returns what is to be done, in order.
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

    /// Tells the network about a new state, and the operations that do not know it.
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
        case .connection: fail(WebSocketError.notOpened(after: options.connectionTimeout), code: 1000)
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
        startTimer(.connection, options.connectionTimeout)
    }

    /// Waits for the next attempt after an error; returns false if there is none.
    mutating func backOff(after error: any Error) -> Bool {
        attempts += 1
        let delay = options.reconnecting.delay(attempt: attempts, after: error, using: &random)
        guard let delay else { return false }
        startTimer(.backoff, delay)
        return true
    }
}
