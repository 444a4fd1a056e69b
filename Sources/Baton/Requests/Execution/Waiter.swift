/// A handle or caller that waits for a request and may stop waiting at any time.
///
/// `receive` is called while no lock is held, after the payload is in the store. State: guarded by a lock of its own,
/// which is taken inside that of its request.
final class Waiter: Sendable {
    private enum State {
        case idle
        /// The caller waits for the file, which decides whether there is a request.
        case held(RequestCall)
        case waiting(RequestExecution)
        case over
    }

    private let state = Guarded(State.idle)
    let receive: @Sendable (RequestEvent) -> Void

    init(receive: @escaping @Sendable (RequestEvent) -> Void) {
        self.receive = receive
    }

    /// True if the waiter has stopped waiting.
    var isOver: Bool {
        state.withLock { if case .over = $0 { true } else { false } }
    }

    /// True from before the first payload is in the store until the waiter has got the last one.
    var isArriving: Bool {
        let request = state.withLock { state -> RequestExecution? in
            if case .waiting(let request) = state { request } else { nil }
        }
        return request?.isArriving ?? false
    }

    /// Keeps a call until the file is open again. The call goes with the waiter, so whoever lets go keeps nothing.
    func hold(_ call: RequestCall) {
        state.withLock { state in if case .idle = state { state = .held(call) } }
    }

    /// Takes the call that was kept; nil if the waiter has stopped waiting.
    func takeHeld() -> RequestCall? {
        state.withLock { state in
            guard case .held(let call) = state else { return nil }
            state = .idle
            return call
        }
    }

    /// Attaches the waiter to a request; returns false if it has stopped waiting.
    func attach(to request: RequestExecution) -> Bool {
        state.withLock { state in
            if case .over = state { return false }
            state = .waiting(request)
            return true
        }
    }

    /// Stops waiting, and ends the request if no other waiter waits for it.
    func cancel() {
        let request = state.withLock { state -> RequestExecution? in
            defer { state = .over }
            if case .waiting(let request) = state { return request }
            return nil
        }
        request?.leave(self)
    }
}
