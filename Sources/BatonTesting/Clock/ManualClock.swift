import Baton

/// A clock whose time moves only when a test moves it.
///
/// Sleepers wake in the order of their deadlines; sleepers with the same deadline wake in the order in which they fell
/// asleep. Every method may be called from any thread. `advance(by:)` only resumes sleepers. Use `settle` to wait for
/// the work that the sleepers do next.
public final class ManualClock: Clock {
    /// A point in time, measured from the clock's start.
    public struct Instant: InstantProtocol {
        /// The time since the clock's start.
        public let offset: Duration

        /// Makes the instant at a time after the clock's start.
        public init(offset: Duration = .zero) {
            self.offset = offset
        }

        /// The instant after a duration, of which at most a hundred years count.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + max(min(duration, BoundedTime.longest), .zero - BoundedTime.longest))
        }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let schedule = Guarded(Schedule())

    /// Makes a clock at time zero.
    public init() { RequestScope.watch() }

    /// The current time: the sum of all advances.
    public var now: Instant { schedule.withLock(\.now) }

    /// Always zero: a sleep ends exactly at its deadline.
    public var minimumResolution: Duration { .zero }

    /// The number of tasks that sleep now.
    public var sleepers: Int { schedule.withLock { $0.sleepers.count } }

    /// The deadline of the sleeper that wakes next; nil if no task sleeps.
    public var nextDeadline: Instant? { schedule.withLock { $0.sleepers.first?.deadline } }

    /// Waits until the time reaches the deadline; returns at once if the deadline has passed.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let id = schedule.withLock { $0.nextIdentifier() }
        let owner = RequestScope.owner
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let sleeper = Schedule.Sleeper(
                    id: id,
                    deadline: deadline,
                    owner: owner,
                    continuation: continuation
                )
                // The cancellation handler may have run already.
                perform(schedule.withLock { $0.add(sleeper, isCancelled: Task.isCancelled) })
            }
        } onCancel: {
            perform(schedule.withLock { $0.cancel(id) })
        }
    }

    /// Moves the time forward and wakes, in order, every sleeper whose deadline is reached.
    public func advance(by duration: Duration) {
        advance(to: now.advanced(by: duration))
    }

    /// Moves the time forward to an instant and wakes, in order, every sleeper whose deadline is reached.
    ///
    /// An instant in the past changes nothing.
    public func advance(to instant: Instant) {
        perform(schedule.withLock { $0.advance(to: instant) })
    }

    /// Moves the time to the deadline of the first sleeper and wakes only this sleeper.
    ///
    /// - Returns: False if no deadline lies at or before `instant`.
    func wakeFirst(until instant: Instant) -> Bool {
        let outcome = schedule.withLock { $0.wakeFirst(until: instant) }
        perform(outcome)
        return !outcome.woken.isEmpty
    }

    /// Waits until at least this many tasks sleep; returns early if the calling task is cancelled.
    public func waitForSleepers(_ count: Int = 1) async {
        let id = schedule.withLock { $0.nextIdentifier() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let watcher = Schedule.Watcher(id: id, count: count, continuation: continuation)
                perform(schedule.withLock { $0.add(watcher, isCancelled: Task.isCancelled) })
            }
        } onCancel: {
            perform(schedule.withLock { $0.cancel(id) })
        }
    }

    /// Performs an outcome outside of the lock. The counts change before a task resumes, so that no task sees old
    /// counts.
    private func perform(_ outcome: Schedule.Outcome) {
        for sleeper in outcome.asleep { sleeper.owner?.rests() }
        for sleeper in outcome.woken + outcome.cancelled { sleeper.owner?.wakes() }
        for sleeper in outcome.woken { sleeper.continuation.resume() }
        for sleeper in outcome.cancelled { sleeper.continuation.resume(throwing: CancellationError()) }
        for watcher in outcome.satisfied { watcher.continuation.resume() }
    }
}

/// The sleepers and their deadlines. Every method returns the actions to perform once the lock is released.
private struct Schedule {
    struct Sleeper {
        let id: Int
        let deadline: ManualClock.Instant
        /// What counts the request that sleeps; nil if the sleeper is not a request.
        let owner: RequestScope.Owner?
        let continuation: CheckedContinuation<Void, any Error>
    }

    struct Watcher {
        let id: Int
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    struct Outcome {
        var woken: [Sleeper] = []
        var cancelled: [Sleeper] = []
        var satisfied: [Watcher] = []
        var asleep: [Sleeper] = []
    }

    private(set) var now = ManualClock.Instant()
    /// The sleepers, sorted by deadline. Sleepers with the same deadline stand in the order in which they fell asleep.
    private(set) var sleepers: [Sleeper] = []
    private var watchers: [Watcher] = []
    private var identifiers = 0

    mutating func nextIdentifier() -> Int {
        identifiers += 1
        return identifiers
    }

    mutating func add(_ sleeper: Sleeper, isCancelled: Bool) -> Outcome {
        if isCancelled { return Outcome(cancelled: [sleeper], asleep: [sleeper]) }
        if sleeper.deadline <= now { return Outcome(woken: [sleeper], asleep: [sleeper]) }
        let index = sleepers.firstIndex { $0.deadline > sleeper.deadline } ?? sleepers.count
        sleepers.insert(sleeper, at: index)
        let satisfied = watchers.filter { $0.count <= sleepers.count }
        watchers.removeAll { $0.count <= sleepers.count }
        return Outcome(satisfied: satisfied, asleep: [sleeper])
    }

    mutating func add(_ watcher: Watcher, isCancelled: Bool) -> Outcome {
        if isCancelled || watcher.count <= sleepers.count { return Outcome(satisfied: [watcher]) }
        watchers.append(watcher)
        return Outcome()
    }

    mutating func cancel(_ id: Int) -> Outcome {
        let cancelled = sleepers.filter { $0.id == id }
        let satisfied = watchers.filter { $0.id == id }
        sleepers.removeAll { $0.id == id }
        watchers.removeAll { $0.id == id }
        return Outcome(cancelled: cancelled, satisfied: satisfied)
    }

    mutating func advance(to instant: ManualClock.Instant) -> Outcome {
        now = max(now, instant)
        let due = sleepers.prefix { $0.deadline <= now }
        return wake(due.count)
    }

    mutating func wakeFirst(until instant: ManualClock.Instant) -> Outcome {
        guard let first = sleepers.first, first.deadline <= instant else { return Outcome() }
        now = max(now, first.deadline)
        return wake(1)
    }

    private mutating func wake(_ count: Int) -> Outcome {
        let woken = Array(sleepers.prefix(count))
        sleepers.removeFirst(count)
        return Outcome(woken: woken)
    }
}
