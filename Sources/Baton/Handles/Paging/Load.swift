/// The end of a refetch or of a page, with those who wait for it.
///
/// State: guarded by a lock of its own, a leaf.
final class LoadOutcome: Sendable {
    private enum State {
        case going([Int: CheckedContinuation<RelayError?, Never>])
        case over(RelayError?)
    }

    private let state = Guarded((State.going([:]), last: 0))

    var isOver: Bool {
        state.withLock { if case .over = $0.0 { true } else { false } }
    }

    /// Ends the wait of everyone.
    func finish(_ error: RelayError?) {
        let waiting = state.withLock { state -> [CheckedContinuation<RelayError?, Never>] in
            guard case .going(let waiting) = state.0 else { return [] }
            state.0 = .over(error)
            return waiting.sorted { $0.key < $1.key }.map(\.value)
        }
        for continuation in waiting { continuation.resume(returning: error) }
    }

    /// Returns the error when the load is over. If the task is cancelled, the wait ends and the load goes on.
    func wait() async -> RelayError? {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = state.withLock { state -> RelayError?? in
                    guard case .going(var waiting) = state.0 else {
                        if case .over(let error) = state.0 { return .some(error) }
                        return .some(nil)
                    }
                    if Task.isCancelled { return .some(.cancelled) }
                    waiting[number] = continuation
                    state.0 = .going(waiting)
                    return nil
                }
                if case .some(let error) = now { continuation.resume(returning: error) }
            }
        } onCancel: {
            state.withLock { state -> CheckedContinuation<RelayError?, Never>? in
                guard case .going(var waiting) = state.0 else { return nil }
                let found = waiting.removeValue(forKey: number)
                state.0 = .going(waiting)
                return found
            }?.resume(returning: .cancelled)
        }
    }
}

/// A refetch or a page that a handle loads.
///
/// State: the number, guarded by a lock of its own.
final class Load: Sendable {
    let kind: LoadMachine.Kind
    let operation: BoundOperation
    let policy: FetchPolicy
    /// The number of objects that a page was asked for; 0 for a refetch.
    let count: Int
    let outcome = LoadOutcome()
    /// The number that the machine has given it; 0 until then.
    var number: Int { numbered.withLock { $0 } }
    private let numbered = Guarded(0)

    init(_ kind: LoadMachine.Kind, _ operation: BoundOperation, _ policy: FetchPolicy = .networkOnly, count: Int = 0) {
        self.kind = kind
        self.operation = operation
        self.policy = policy
        self.count = count
    }

    func setNumber(_ number: Int) { numbered.withLock { $0 = number } }
}

/// A refetch or a page that a handle has begun to load: to wait for, or to cancel.
///
/// Nobody needs to keep it. The load belongs to its handle, whose `fetchError` tells of a failure too.
public struct FetchTask: Sendable {
    private let outcome: LoadOutcome?
    private let cancelBody: @Sendable () -> Void
    /// The reason why nothing was begun; nil if there was nothing to load.
    private let refusal: RelayError?
    /// What the wait does if nothing could begin yet.
    private let later: (@Sendable () async -> RelayError?)?

    /// Makes a task for a load that has begun.
    init(_ outcome: LoadOutcome, cancel: @escaping @Sendable () -> Void) {
        (self.outcome, cancelBody, refusal, later) = (outcome, cancel, nil, nil)
    }

    /// Makes a task for a load that begins when somebody waits for it.
    init(later: @escaping @Sendable () async -> RelayError?) {
        (outcome, cancelBody, refusal, self.later) = (nil, {}, nil, later)
    }

    /// Makes a task for a load that has not begun.
    init(refusal: RelayError? = nil) {
        (outcome, cancelBody, self.refusal, later) = (nil, {}, refusal, nil)
    }

    /// Returns when the data is in the store and the handle shows it, or when there was nothing to load.
    ///
    /// Throws the error of a failure, and ``RelayError/cancelled`` if the load was cancelled or ended by another call,
    /// such as a refetch. If the waiting task is cancelled, the wait ends and the load goes on.
    public func finished() async throws(RelayError) {
        if let later {
            if let error = await later() { throw error }
        } else if let error = await outcome?.wait() ?? refusal {
            throw error
        }
    }

    /// True if the load is over.
    public var isFinished: Bool { outcome?.isOver ?? true }

    /// Ends the load for everyone who waits for it through this handle; does nothing if it is over. The handle goes on
    /// showing what it shows.
    public func cancel() { cancelBody() }
}
