/// The result of a wait. The first call of `give` sets it.
///
/// The state is in an object that is not generic. A generic class asks the runtime for the metadata of its state when
/// it is freed, which costs a small request some thousand instructions (benchmark `small.fetch-us`).
struct Reply<Value: Sendable>: Sendable {
    private let state = ReplyState()

    /// Sets the result; only the first call counts.
    func give(_ result: Result<Value, RelayError>) {
        switch result {
        case .success(let value): state.give(.success(value))
        case .failure(let error): state.give(.failure(error))
        }
    }

    /// Waits for the result. Only one caller may wait.
    var value: Result<Value, RelayError> {
        get async {
            switch await state.value {
            case .success(let value):
                guard let value = value as? Value else { preconditionFailure("a reply has a value of another type") }
                return .success(value)
            case .failure(let error): return .failure(error)
            }
        }
    }
}

/// State: guarded by its own lock, a leaf.
private final class ReplyState: Sendable {
    typealias Outcome = Result<any Sendable, RelayError>

    private enum State {
        case open
        // The state sees to it that the continuation is resumed once, so it needs no check of its own.
        case awaited(UnsafeContinuation<Outcome, Never>)
        case given(Outcome)
    }

    private let state = Guarded(State.open)

    func give(_ outcome: Outcome) {
        let continuation = state.withLock { state -> UnsafeContinuation<Outcome, Never>? in
            switch state {
            case .open:
                state = .given(outcome)
                return nil
            case .awaited(let continuation):
                state = .given(outcome)
                return continuation
            case .given: return nil
            }
        }
        continuation?.resume(returning: outcome)
    }

    var value: Outcome {
        get async {
            await withUnsafeContinuation { continuation in
                let outcome = state.withLock { state -> Outcome? in
                    if case .given(let outcome) = state { return outcome }
                    state = .awaited(continuation)
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        }
    }
}
