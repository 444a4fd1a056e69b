/// A handle or caller that waits for a request and may stop waiting at any time.
///
/// `receive` is called while no lock is held, after the answer is in the store. State: guarded by a lock of its own,
/// which is taken inside that of its request.
final class Waiter: Sendable {
    private enum State {
        case idle
        case waiting(Request)
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

    /// Attaches the waiter to a request; returns false if it has stopped waiting.
    func attach(to request: Request) -> Bool {
        state.withLock { state in
            if case .over = state { return false }
            state = .waiting(request)
            return true
        }
    }

    /// Stops waiting; returns the request that the waiter was attached to.
    func stop() -> Request? {
        state.withLock { state in
            defer { state = .over }
            if case .waiting(let request) = state { return request }
            return nil
        }
    }
}
