/// Hands responses, one at a time and in order, from the delivering tasks to the reading task.
///
/// State: guarded by a lock of its own, a leaf; continuations are resumed outside of it.
final class ResponseHandover: Sendable {
    private struct Giver {
        let id: Int
        let response: NetworkResponse
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// The state of the stream. A reader and a giver never wait at the same time.
    private struct State {
        var lastID = 0
        var givers: [Giver] = []
        var reader: CheckedContinuation<NetworkResponse?, any Error>?
        /// The result with which the stream ended; an error is given to one reader.
        var end: Result<Void, any Error>?
    }

    private let state = Guarded(State())

    /// Waits for a response and takes it; nil after the last one. A second reader at the same time gets nil.
    func take() async throws -> NetworkResponse? {
        if let giver = firstGiver() {
            giver.continuation.resume()
            return giver.response
        }
        return try await withCheckedThrowingContinuation { continuation in
            let act: (@Sendable () -> Void)? = state.withLock { state in
                if let giver = state.givers.first {
                    state.givers.removeFirst()
                    return {
                        continuation.resume(returning: giver.response)
                        giver.continuation.resume()
                    }
                }
                if let end = state.end {
                    state.end = .success(())
                    return { continuation.resume(with: end.map { nil }) }
                }
                guard state.reader == nil else { return { continuation.resume(returning: nil) } }
                state.reader = continuation
                return nil
            }
            act?()
        }
    }

    /// Waits until a response is taken. Throws `CancellationError`, and withdraws the response, if the calling task is
    /// cancelled or the stream ends before that.
    func give(_ response: NetworkResponse) async throws {
        // Usually the reader waits already, and the call need not wait.
        if let reader = try waitingReader() { return reader.resume(returning: response) }
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let act: (@Sendable () -> Void)? = state.withLock { state in
                    // The cancellation handler may have run already.
                    guard state.end == nil, !Task.isCancelled else {
                        return { continuation.resume(throwing: CancellationError()) }
                    }
                    if let reader = state.reader {
                        state.reader = nil
                        return {
                            reader.resume(returning: response)
                            continuation.resume()
                        }
                    }
                    state.givers.append(Giver(id: id, response: response, continuation: continuation))
                    return nil
                }
                act?()
            }
        } onCancel: {
            let giver = state.withLock { state in
                state.givers.firstIndex { $0.id == id }.map { state.givers.remove(at: $0) }
            }
            giver?.continuation.resume(throwing: CancellationError())
        }
    }

    private func firstGiver() -> Giver? {
        state.withLock { $0.givers.isEmpty ? nil : $0.givers.removeFirst() }
    }

    private func waitingReader() throws -> CheckedContinuation<NetworkResponse?, any Error>? {
        try Task.checkCancellation()
        return state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
    }

    /// Ends the stream, unless it has ended. Responses that were not taken are dropped.
    func end(_ result: Result<Void, any Error>) {
        let act: (@Sendable () -> Void)? = state.withLock { state in
            guard state.end == nil else { return nil }
            let (reader, givers) = (state.reader, state.givers)
            state.reader = nil
            state.givers = []
            state.end = reader == nil ? result : .success(())
            return {
                reader?.resume(with: result.map { nil })
                for giver in givers { giver.continuation.resume(throwing: CancellationError()) }
            }
        }
        act?()
    }
}
