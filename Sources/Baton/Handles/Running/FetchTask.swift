/// A refetch or pages that a handle has begun to load. The caller can wait for the load, or cancel it.
///
/// The task need not be kept. The load belongs to its handle, whose `fetchError` has the error of a failure too.
public struct FetchTask: Sendable {
    /// The end of the load; nil if nothing has begun.
    let completion: Completion?
    private let cancelBody: @Sendable () -> Void
    /// The reason why nothing was begun; nil if there was nothing to load.
    private let refusal: RelayError?
    /// What the wait does if nothing could begin yet.
    private let later: (@Sendable () async -> RelayError?)?

    /// Makes a task for a load that has begun.
    init(_ completion: Completion, cancel: @escaping @Sendable () -> Void) {
        (self.completion, cancelBody, refusal, later) = (completion, cancel, nil, nil)
    }

    /// Makes a task for a load that begins when somebody waits for it.
    init(later: @escaping @Sendable () async -> RelayError?) {
        (completion, cancelBody, refusal, self.later) = (nil, {}, nil, later)
    }

    /// Makes a task for a load that has not begun.
    init(refusal: RelayError? = nil) {
        (completion, cancelBody, self.refusal, later) = (nil, {}, refusal, nil)
    }

    /// Makes a task for loads that follow each other.
    ///
    /// - Parameter next: Waits until a load may begin, and begins it; nil if there is nothing more to load.
    init(loads next: @escaping @Sendable () async throws(RelayError) -> FetchTask?) {
        let completion = Completion()
        let current = CurrentLoad()
        let task = Task {
            do throws(RelayError) {
                while let load = try await next() {
                    current.set(load)
                    if Task.isCancelled { load.cancel() }
                    try await load.finished()
                }
                completion.finish(nil)
            } catch {
                completion.finish(error)
            }
        }
        self.init(completion) {
            task.cancel()
            current.cancel()
        }
    }

    /// Returns when the data is in the store and the handle shows it, or when there was nothing to load.
    ///
    /// Throws the error of a failure, and ``RelayError/cancelled`` if the load was cancelled or ended by another call,
    /// such as a refetch. If the waiting task is cancelled, the wait ends and the load continues.
    public func finished() async throws(RelayError) {
        if let later {
            if let error = await later() { throw error }
        } else if let error = await completion?.wait() ?? refusal {
            throw error
        }
    }

    /// True if the load is over.
    public var isFinished: Bool { completion?.isOver ?? true }

    /// Ends the load for all callers that wait for it through this handle; does nothing if it is over. The handle
    /// continues to show its data.
    public func cancel() { cancelBody() }
}

/// The load that is under way, of several that follow each other.
///
/// State: guarded by a lock of its own, a leaf.
private final class CurrentLoad: Sendable {
    private let load = Guarded<FetchTask?>(nil)

    func set(_ load: FetchTask) { self.load.withLock { $0 = load } }

    func cancel() { load.withLock { $0 }?.cancel() }
}
