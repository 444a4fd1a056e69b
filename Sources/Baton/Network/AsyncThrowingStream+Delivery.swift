import Synchronization

extension AsyncThrowingStream where Element == NetworkResponse, Failure == any Error {
    /// Makes a stream of the responses that `work` delivers. The stream ends when `work` returns, and fails with an
    /// error of `work`.
    ///
    /// `work` runs in a task of its own, which begins with the first read. One response is on its way at a time:
    /// `deliver` returns when the reader has taken it. The task is cancelled when the reading task is cancelled or the
    /// stream is no longer used; a `deliver` that waits then throws `CancellationError`.
    public static func delivering(
        _ work: @escaping @Sendable (_ deliver: @escaping NetworkInterceptor.Deliver) async throws -> Void
    ) -> Self {
        let source = DeliverySource { deliver, _ in try await work(deliver) }
        return AsyncThrowingStream { try await source.next() }
    }

    /// Makes a stream as the other method does. `giveUp` may be called at any time by any thread. The stream then fails
    /// at once: the task is cancelled, and nobody waits for its end.
    package static func delivering(
        _ work:
            @escaping @Sendable (
                _ deliver: @escaping NetworkInterceptor.Deliver, _ giveUp: @escaping @Sendable (any Error) -> Void
            ) async throws -> Void
    ) -> Self {
        let source = DeliverySource(work)
        return AsyncThrowingStream { try await source.next() }
    }
}

/// Owns the task that delivers the responses of a stream. The task is cancelled when this object ends, which ends with
/// the stream.
private final class DeliverySource: Sendable {
    typealias Work =
        @Sendable (
            @escaping NetworkInterceptor.Deliver, @escaping @Sendable (any Error) -> Void
        ) async throws -> Void

    private let delivery = DeliveryTask()
    private let work: Work
    /// The stream is made in the scope of its request and read outside of it.
    private let owner = RequestScope.owner
    /// True while the reader works on a response.
    private let isReaderBusy = Atomic(false)

    init(_ work: @escaping Work) {
        self.work = work
    }

    deinit {
        delivery.stop(CancellationError())
        noteReaderIsDone()
    }

    func next() async throws -> NetworkResponse? {
        noteReaderIsDone()
        try Task.checkCancellation()
        delivery.start(work, countedIn: owner)
        let response = try await withTaskCancellationHandler {
            try await delivery.handover.take()
        } onCancel: {
            delivery.stop(CancellationError())
        }
        if response != nil { isReaderBusy.store(true, ordering: .relaxed) }
        return response
    }

    /// Ends the count of the response that the reader has taken before.
    private func noteReaderIsDone() {
        if isReaderBusy.exchange(false, ordering: .relaxed) { owner?.activity.handoverEnded() }
    }
}

/// The delivering task and its handover. The task keeps this object alive, and not the stream.
private final class DeliveryTask: Sendable {
    let handover = ResponseHandover()
    private let task = Guarded<Task<Void, Never>?>(nil)

    /// Starts the task, unless it has been started before.
    func start(_ work: @escaping DeliverySource.Work, countedIn owner: RequestScope.Owner?) {
        task.withLock { task in
            guard task == nil else { return }
            task = RequestScope.run(countedIn: owner) {
                Task { [handover, self] in
                    do {
                        try await work({ try await handover.give($0, countedIn: owner) }, { self.stop($0) })
                        handover.end(.success(()))
                    } catch {
                        handover.end(.failure(error))
                    }
                }
            }
        }
    }

    /// Fails the stream, unless it has ended, and cancels the task.
    func stop(_ error: any Error) {
        // The stream ends before the task is cancelled. Otherwise it would fail with the task's own error.
        handover.end(.failure(error))
        task.withLock(\.self)?.cancel()
    }
}

extension ResponseHandover {
    /// Gives a response that is counted until its reader asks for another.
    fileprivate func give(_ response: NetworkResponse, countedIn owner: RequestScope.Owner?) async throws {
        guard let activity = owner?.activity else { return try await give(response) }
        activity.handoverStarted()
        do {
            try await give(response)
        } catch {
            activity.handoverEnded()
            throw error
        }
    }
}
