/// A result for which one caller waits. The first call of `set` counts.
///
/// The state is in an object that is not generic. When a generic class is freed, it requests the metadata of its state,
/// which costs a small request some thousand instructions (benchmark `small.fetch-us`).
struct AwaitedResult<Value: Sendable>: Sendable {
    private let state = AwaitedState()

    /// Sets the result; only the first call counts.
    func set(_ result: Result<Value, RelayError>) {
        switch result {
        case .success(let value): state.set(.success(value))
        case .failure(let error): state.set(.failure(error))
        }
    }

    /// Waits for the result. Only one caller may wait.
    var value: Result<Value, RelayError> {
        get async {
            switch await state.value {
            case .success(let value):
                guard let value = value as? Value else { preconditionFailure("a result of another type") }
                return .success(value)
            case .failure(let error): return .failure(error)
            }
        }
    }
}

/// State: guarded by its own lock, a leaf.
private final class AwaitedState: Sendable {
    typealias Erased = Result<any Sendable, RelayError>

    private enum State {
        case open
        // The state makes sure that the continuation is resumed once, so the continuation needs no check of its own.
        case awaited(UnsafeContinuation<Erased, Never>)
        case known(Erased)
    }

    private let state = Guarded(State.open)

    func set(_ result: Erased) {
        let continuation = state.withLock { state -> UnsafeContinuation<Erased, Never>? in
            switch state {
            case .open:
                state = .known(result)
                return nil
            case .awaited(let continuation):
                state = .known(result)
                return continuation
            case .known: return nil
            }
        }
        continuation?.resume(returning: result)
    }

    var value: Erased {
        get async {
            await withUnsafeContinuation { continuation in
                let result = state.withLock { state -> Erased? in
                    if case .known(let result) = state { return result }
                    state = .awaited(continuation)
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        }
    }
}
