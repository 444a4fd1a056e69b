extension AsyncThrowingStream where Element == NetworkResponse, Failure == any Error {
    /// Makes a stream of the responses that `work` delivers; it ends when `work` returns, or fails with what it throws.
    ///
    /// `work` runs in a task of its own, which begins with the first read. One response is on its way at a time:
    /// `deliver` returns when the reader has taken it. The task is cancelled when the reading task is cancelled or the
    /// stream is no longer used.
    public static func delivering(
        _ work: @escaping @Sendable (_ deliver: @escaping NetworkInterceptor.Deliver) async throws -> Void
    ) -> Self {
        let source = DeliverySource(work)
        return AsyncThrowingStream { try await source.next() }
    }
}

/// Owns the task that delivers the responses of a stream; the end of the stream is the end of this object.
private final class DeliverySource: Sendable {
    private let handover = ResponseHandover()
    private let work: @Sendable (@escaping NetworkInterceptor.Deliver) async throws -> Void
    private let task = Guarded<Task<Void, Never>?>(nil)

    init(_ work: @escaping @Sendable (@escaping NetworkInterceptor.Deliver) async throws -> Void) {
        self.work = work
    }

    deinit { task.withLock(\.self)?.cancel() }

    func next() async throws -> NetworkResponse? {
        start()
        return try await withTaskCancellationHandler {
            try await handover.take()
        } onCancel: {
            task.withLock(\.self)?.cancel()
            handover.end(with: CancellationError())
        }
    }

    private func start() {
        let (work, handover) = (work, handover)
        task.withLock { task in
            guard task == nil else { return }
            task = Task {
                do {
                    try await work { try await handover.give($0) }
                    handover.end(with: nil)
                } catch {
                    handover.end(with: error)
                }
            }
        }
    }
}

/// Hands one response at a time from the task that delivers to the task that reads.
///
/// State: guarded by a lock of its own, a leaf; continuations are resumed outside of it.
private final class ResponseHandover: Sendable {
    private enum State {
        case empty
        case reader(CheckedContinuation<NetworkResponse?, any Error>)
        case giver(NetworkResponse, CheckedContinuation<Void, any Error>)
        case over((any Error)?)
    }

    private let state = Guarded(State.empty)

    /// Waits for a response and takes it; nil after the last one.
    func take() async throws -> NetworkResponse? {
        try await withCheckedThrowingContinuation { continuation in
            let act: @Sendable () -> Void = state.withLock { state in
                switch state {
                case .empty:
                    state = .reader(continuation)
                    return {}
                case .giver(let response, let giver):
                    state = .empty
                    return {
                        continuation.resume(returning: response)
                        giver.resume()
                    }
                case .over(let error):
                    state = .over(nil)
                    return { error.map { continuation.resume(throwing: $0) } ?? continuation.resume(returning: nil) }
                case .reader:
                    return { continuation.resume(returning: nil) }
                }
            }
            act()
        }
    }

    /// Waits until a response is taken.
    func give(_ response: NetworkResponse) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let act: @Sendable () -> Void = state.withLock { state in
                switch state {
                case .empty:
                    state = .giver(response, continuation)
                    return {}
                case .reader(let reader):
                    state = .empty
                    return {
                        reader.resume(returning: response)
                        continuation.resume()
                    }
                case .giver, .over:
                    return { continuation.resume(throwing: CancellationError()) }
                }
            }
            act()
        }
    }

    /// Ends the stream. A response that nobody has taken is dropped, and its giver gets `CancellationError`.
    func end(with error: (any Error)?) {
        let act: @Sendable () -> Void = state.withLock { state in
            switch state {
            case .empty:
                state = .over(error)
                return {}
            case .giver(_, let giver):
                state = .over(error)
                return { giver.resume(throwing: CancellationError()) }
            case .reader(let reader):
                state = .over(nil)
                return { error.map { reader.resume(throwing: $0) } ?? reader.resume(returning: nil) }
            case .over:
                return {}
            }
        }
        act()
    }
}
