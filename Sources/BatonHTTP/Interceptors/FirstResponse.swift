import Baton

/// Passes responses on, and holds the first one back if it is a refusal, so that the request may be sent again.
///
/// State: guarded by a lock of its own, a leaf.
final class FirstResponse: Sendable {
    private enum State {
        case waiting
        case passed
        case held(NetworkResponse)
    }

    /// Ends the request whose response is held back. This error never leaves the interceptor.
    private struct Held: Error {}

    private let state = Guarded(State.waiting)
    private let isRefusal: @Sendable (NetworkResponse) -> Bool
    private let deliver: NetworkInterceptor.Deliver

    init(
        to deliver: @escaping NetworkInterceptor.Deliver,
        holding isRefusal: @escaping @Sendable (NetworkResponse) -> Bool
    ) {
        self.deliver = deliver
        self.isRefusal = isRefusal
    }

    /// Takes a response from the network. Throws once a response is held back.
    func take(_ response: NetworkResponse) async throws {
        if case .waiting = state.withLock(\.self), isRefusal(response) {
            state.withLock { $0 = .held(response) }
        }
        let isHeld = state.withLock { state in
            if case .held = state { return true }
            state = .passed
            return false
        }
        if isHeld { throw Held() }
        try await deliver(response)
    }

    /// True after a response went to the caller.
    var isPassed: Bool {
        if case .passed = state.withLock(\.self) { true } else { false }
    }

    /// The refusal that was held back.
    var held: NetworkResponse? {
        if case .held(let response) = state.withLock(\.self) { response } else { nil }
    }
}
