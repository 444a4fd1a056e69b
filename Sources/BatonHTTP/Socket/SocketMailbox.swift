import Baton

/// The responses of one operation that its consumer has not taken yet. `SocketMachine` bounds their number.
///
/// State: guarded by a lock of its own, a leaf; continuations are resumed outside of it.
final class SocketMailbox: Sendable {
    private struct State {
        var responses: [NetworkResponse] = []
        var reader: CheckedContinuation<NetworkResponse?, any Error>?
        /// Set when no more responses come. The error is thrown once.
        var end: Result<Void, any Error>?
    }

    private let state = Guarded(State())

    /// Waits for a response and takes it; nil after the last one. One task at a time may wait.
    func take() async throws -> NetworkResponse? {
        try await withCheckedThrowingContinuation { continuation in
            let act: (@Sendable () -> Void)? = state.withLock { state in
                if !state.responses.isEmpty {
                    let response = state.responses.removeFirst()
                    return { continuation.resume(returning: response) }
                }
                if let end = state.end {
                    state.end = .success(())
                    return { continuation.resume(with: end.map { nil }) }
                }
                if state.reader != nil { return { continuation.resume(returning: nil) } }
                state.reader = continuation
                return nil
            }
            act?()
        }
    }

    func put(_ response: NetworkResponse) {
        let reader = state.withLock { state -> CheckedContinuation<NetworkResponse?, any Error>? in
            guard state.end == nil else { return nil }
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            state.responses.append(response)
            return nil
        }
        reader?.resume(returning: response)
    }

    /// Ends the stream after the responses in the mailbox. Only the first end counts.
    func end(_ error: (any Error)?) {
        let reader = state.withLock { state -> CheckedContinuation<NetworkResponse?, any Error>? in
            guard state.end == nil else { return nil }
            defer { state.reader = nil }
            let reader = state.reader
            state.end = reader == nil ? error.map { .failure($0) } ?? .success(()) : .success(())
            return reader
        }
        if let error { reader?.resume(throwing: error) } else { reader?.resume(returning: nil) }
    }
}
