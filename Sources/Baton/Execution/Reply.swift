/// The result of a wait. The first call of `give` sets it.
///
/// State: guarded by its own lock, a leaf.
final class Reply<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Result<Value, RelayError>, Never>)
        case given(Result<Value, RelayError>)
    }

    private let state = Guarded(State.open)

    /// Sets the result; only the first call counts.
    func give(_ result: Result<Value, RelayError>) {
        let continuation = state.withLock { state -> CheckedContinuation<Result<Value, RelayError>, Never>? in
            switch state {
            case .open:
                state = .given(result)
                return nil
            case .awaited(let continuation):
                state = .given(result)
                return continuation
            case .given:
                return nil
            }
        }
        continuation?.resume(returning: result)
    }

    /// Waits for the result. Only one caller may wait.
    var value: Result<Value, RelayError> {
        get async {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state -> Result<Value, RelayError>? in
                    if case .given(let result) = state { return result }
                    state = .awaited(continuation)
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        }
    }
}
