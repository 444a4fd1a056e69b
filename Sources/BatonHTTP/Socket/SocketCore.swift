import Baton

/// Runs a `SocketMachine`: takes events from any thread, and performs the machine's actions in order.
///
/// State: guarded by one lock, a leaf. Actions are performed outside of the lock by one thread at a time: the first to
/// find that no other one is doing so. This may be any thread that calls `handle`, or any task of a connection. No
/// action waits.
final class SocketCore: Sendable {
    /// An operation whose action `end` has not been performed.
    private struct Entry {
        let request: NetworkRequest
        let mailbox: SocketMailbox
    }

    private struct State {
        var machine: SocketMachine
        /// The actions that have not been performed, in order.
        var actions: [SocketMachine.Action] = []
        var isPerforming = false
        var lastNumber = 0
        var entries: [Int: Entry] = [:]
        var links: [Int: SocketLink] = [:]
        var timers: [SocketMachine.Timer.Kind: (timer: SocketMachine.Timer, task: Task<Void, Never>)] = [:]
        var lastListener = 0
        var listeners: [Int: AsyncStream<WebSocketState>.Continuation] = [:]
    }

    private let state: Guarded<State>
    private let dialing: SocketDialing
    private let clock: any Clock<Duration>

    init(_ machine: SocketMachine, _ dialing: SocketDialing, _ clock: any Clock<Duration>) {
        state = Guarded(State(machine: machine))
        self.dialing = dialing
        self.clock = clock
    }

    // MARK: - Operations

    func newNumber() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    func start(_ id: Int, _ request: NetworkRequest, payload: [UInt8], _ mailbox: SocketMailbox) {
        request.sentCredentials.follow(dialing.sent)
        state.withLock { $0.entries[id] = Entry(request: request, mailbox: mailbox) }
        handle(
            .start(
                id,
                SocketOperation(
                    kind: request.kind, payload: payload, hasKey: request.idempotencyKey != nil)))
    }

    func stop(_ id: Int) {
        state.withLock { $0.entries[id] = nil }
        handle(.stop(id))
    }

    // MARK: - Events and actions

    func handle(_ event: SocketMachine.Event) {
        let isFirst = state.withLock { state in
            state.actions += state.machine.handle(event)
            defer { state.isPerforming = true }
            return !state.isPerforming
        }
        guard isFirst else { return }
        while let actions = nextActions() {
            for action in actions { perform(action) }
        }
    }

    private func nextActions() -> [SocketMachine.Action]? {
        state.withLock { state in
            guard !state.actions.isEmpty else {
                state.isPerforming = false
                return nil
            }
            defer { state.actions = [] }
            return state.actions
        }
    }

    private func perform(_ action: SocketMachine.Action) {
        switch action {
        case .connect(let number):
            let link = SocketLink(number, self, dialing, clock)
            state.withLock { $0.links[number] = link }
            link.start()
        case .send(let number, let text): link(number)?.send(text)
        case .read(let number): link(number)?.read()
        case .close(let number, let code, let reason): removeLink(number)?.close(code, reason)
        case .drop(let number): removeLink(number)?.drop()
        case .deliver(let id, let response): state.withLock { $0.entries[id] }?.mailbox.put(response)
        case .end(let id, let error):
            state.withLock { $0.entries.removeValue(forKey: id) }?.mailbox.end(error.map(wrapped))
        case .report(let id, let transportState): state.withLock { $0.entries[id] }?.request.report(transportState)
        case .state(let new):
            for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(new) }
        case .startTimer(let timer, let duration):
            let task = Deadline.timer(duration, on: clock) { [weak self] in
                self?.handle(.fired(timer))
                return false
            }
            state.withLock { $0.timers[timer.kind] = (timer, task) }
        case .cancelTimer(let timer):
            let task = state.withLock { state -> Task<Void, Never>? in
                state.timers[timer.kind]?.timer == timer ? state.timers.removeValue(forKey: timer.kind)?.task : nil
            }
            task?.cancel()
        }
    }

    private func link(_ number: Int) -> SocketLink? { state.withLock { $0.links[number] } }

    private func removeLink(_ number: Int) -> SocketLink? { state.withLock { $0.links.removeValue(forKey: number) } }

    /// The error that an operation gets, without the values of credentials.
    private func wrapped(_ error: any Error) -> any Error {
        switch error {
        case is RelayError: dialing.sent.credentials.struck(from: error)
        case is CancellationError: RelayError.cancelled
        default: RelayError.transport(dialing.sent.credentials.struck(from: error))
        }
    }

    // MARK: - State

    var current: WebSocketState { state.withLock { $0.machine.state } }

    func states() -> AsyncStream<WebSocketState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: WebSocketState.self, bufferingPolicy: .bufferingNewest(1))
        let (number, now) = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = continuation
            return (state.lastListener, state.machine.state)
        }
        continuation.yield(now)
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[number] = nil }
        }
        return stream
    }

    /// Ends every sequence of states.
    func endStates() {
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
