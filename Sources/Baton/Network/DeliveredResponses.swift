extension AsyncThrowingStream where Element == NetworkResponse, Failure == any Error {
    /// Makes a stream of the responses that `work` delivers; it ends when `work` returns, or fails with what it throws.
    ///
    /// `work` runs in a task of its own, which begins with the first read. One response is on its way at a time:
    /// `deliver` returns when the reader has taken it. The task is cancelled when the reading task is cancelled or the
    /// stream is no longer used; a `deliver` that waits then throws `CancellationError`.
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
    /// The stream is made in the scope of its request and read outside of it.
    private let activity = RequestScope.activity
    private let task = Guarded<Task<Void, Never>?>(nil)

    init(_ work: @escaping @Sendable (@escaping NetworkInterceptor.Deliver) async throws -> Void) {
        self.work = work
    }

    deinit { stop() }

    func next() async throws -> NetworkResponse? {
        try Task.checkCancellation()
        start()
        return try await withTaskCancellationHandler {
            try await handover.take()
        } onCancel: {
            stop()
        }
    }

    private func start() {
        let (work, handover, activity) = (work, handover, activity)
        task.withLock { task in
            guard task == nil else { return }
            task = RequestScope.$activity.withValue(activity) {
                Task {
                    do {
                        try await work { try await handover.give($0) }
                        handover.end(.success(()))
                    } catch {
                        handover.end(.failure(error))
                    }
                }
            }
        }
    }

    private func stop() {
        task.withLock(\.self)?.cancel()
        handover.end(.failure(CancellationError()))
    }
}
