import Baton

// The connection: handshake, keep-alive, loss, pause, and its end.
extension SocketMachine {
    /// Begins the handshake of GraphQL.
    mutating func opened(_ name: String?, _ payload: [UInt8]?) {
        guard link?.stage == .connecting else { return }
        cancelTimer(.connection)
        link?.stage = .opened
        guard let subprotocol = options.subprotocols.first(where: { $0.rawValue == name }) else {
            return fail(WebSocketError.unknownSubprotocol(name?.beginning), code: 4406)
        }
        link?.subprotocol = subprotocol
        send(SocketText.initialization(payload))
        startTimer(.acknowledgement, options.acknowledgementTimeout)
    }

    /// Sends the operations that wait.
    mutating func acknowledged() {
        guard link?.stage == .opened else { return }
        cancelTimer(.acknowledgement)
        link?.stage = .ready
        wasEverReady = true
        for id in sortedOperations { begin(id) }
        if attempts > 0 { startTimer(.settling, Self.settlingTime) }
        if link?.subprotocol == .graphqlTransportWS, let interval = options.pingInterval {
            startTimer(.ping, BoundedTime.interval(interval))
        }
    }

    mutating func send(_ text: [UInt8]) {
        guard let number = link?.number else { return }
        link?.unsent += 1
        actions.append(.send(connection: number, text))
    }

    // MARK: - Keep-alive

    /// Sends a ping, unless reading has stopped so that the response could not be read.
    mutating func ping() {
        guard let link, let interval = options.pingInterval else { return }
        startTimer(.ping, BoundedTime.interval(interval))
        guard !link.isHeld, !link.awaitsPong else { return }
        send(SocketText.ping())
        self.link?.awaitsPong = true
        startTimer(.pong, options.pongTimeout)
    }

    /// Notes that the server is alive, which any message proves.
    mutating func heard() {
        if link?.awaitsPong == true {
            link?.awaitsPong = false
            cancelTimer(.pong)
        }
        if link?.hasHeard != nil { link?.hasHeard = true }
    }

    /// Starts the timer for silence, since the server has promised to send messages.
    mutating func expectMessages() {
        guard link?.hasHeard == nil, let timeout = options.silenceTimeout else { return }
        link?.hasHeard = true
        startTimer(.silence, timeout)
    }

    /// Ends the connection if no message arrived in the period that is over.
    mutating func listen() {
        guard let link, let timeout = options.silenceTimeout else { return }
        guard link.hasHeard == true || link.isHeld else {
            return fail(WebSocketError.unresponsive(after: timeout), code: 1000)
        }
        self.link?.hasHeard = false
        startTimer(.silence, BoundedTime.interval(timeout))
    }

    /// Asks for the next message, unless a consumer is too slow or too many messages wait to be sent.
    mutating func readOn() {
        guard let link, link.stage != .connecting, !link.isReading else { return }
        let isHeld = full > 0
        if isHeld != link.isHeld {
            self.link?.isHeld = isHeld
            if isHeld {
                cancelTimer(.pong)
            } else {
                if link.awaitsPong { startTimer(.pong, options.pongTimeout) }
                if link.hasHeard != nil { self.link?.hasHeard = true }
            }
        }
        guard !isHeld, link.unsent < Self.maximumUnsent else { return }
        self.link?.isReading = true
        actions.append(.read(connection: link.number))
    }

    // MARK: - The end of a connection

    /// Ends the connection because of an error of this side.
    mutating func fail(_ error: WebSocketError, code: Int) {
        let wasReady = hangUp(code: code, reason: "\(error)".beginning)
        lost(error, wasReady: wasReady)
    }

    /// Handles the end of the connection by the other side.
    mutating func closed(_ error: any Error) {
        guard let link else { return }
        actions.append(.drop(connection: link.number))
        let wasReady = link.stage == .ready
        forgetLink()
        lost(error, wasReady: wasReady)
    }

    /// Closes the connection, or gives the attempt up. Returns whether the connection was acknowledged.
    @discardableResult
    private mutating func hangUp(code: Int, reason: String = "") -> Bool {
        guard let link else { return false }
        if link.stage == .connecting {
            actions.append(.drop(connection: link.number))
        } else {
            if link.stage == .ready, link.subprotocol == .graphqlWS { send(SocketText.termination()) }
            actions.append(.close(connection: link.number, code: code, reason: reason))
        }
        forgetLink()
        return link.stage == .ready
    }

    private mutating func forgetLink() {
        link = nil
        for kind in Timer.Kind.allCases where kind != .backoff { cancelTimer(kind) }
    }

    /// Ends the operations, or keeps them for the next connection, after a connection was lost.
    private mutating func lost(_ error: any Error, wasReady: Bool) {
        if isFatal(error) {
            endAll(error)
        } else {
            interrupt(error, wasReady: wasReady)
            if !operations.isEmpty, !backOff(after: error) { endAll(error) }
        }
        if operations.isEmpty { attempts = 0 }
    }

    private func isFatal(_ error: any Error) -> Bool {
        switch error {
        case let error as RelayError:
            switch error.reason {
            case .httpStatus(let status, _, _): ![408, 425, 429].contains(status) && status < 500
            case .transport(let error): isFatal(error)
            case .configuration, .contentType: true
            default: false
            }
        case let error as WebSocketError:
            error.isFatal && !options.retriedCloseCodes.contains(error.code ?? 0)
        case HTTPError.bodyTooLarge, HTTPError.redirectRefused, HTTPError.tooManyRedirects: true
        case HTTPError.badURL, HTTPError.unavailable, HTTPError.notWebSocket: true
        // A server that was there is perhaps being started again; a certificate that never was good stays so.
        case HTTPError.tls, HTTPError.wrongScheme: !wasEverReady
        default: false
        }
    }

    // MARK: - The application

    mutating func pause() {
        guard !isPaused, !isShut else { return }
        isPaused = true
        attempts = 0
        cancelTimer(.backoff)
        if hangUp(code: 1000) { interrupt(WebSocketError.interrupted, wasReady: true) }
    }

    mutating func resume() {
        guard isPaused, !isShut else { return }
        isPaused = false
        if !operations.isEmpty { connect() }
    }

    mutating func shutDown() {
        guard !isShut else { return }
        isShut = true
        endAll(CancellationError())
        hangUp(code: 1000)
    }

    /// Closes a connection that no operation has needed for the idle time.
    mutating func leave() {
        guard operations.isEmpty else { return }
        attempts = 0
        hangUp(code: 1000)
    }

    /// Starts or stops the timer of a connection without operations.
    mutating func restOrLinger() {
        guard operations.isEmpty else { return cancelTimer(.lingering) }
        if link == nil {
            cancelTimer(.backoff)
            attempts = 0
        } else if options.idleTime <= .zero {
            leave()
        } else if timers[.lingering] == nil {
            startTimer(.lingering, options.idleTime)
        }
    }
}
