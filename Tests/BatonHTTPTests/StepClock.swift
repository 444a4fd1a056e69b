import Baton

/// A clock that a test moves, with a count of the tasks that sleep on it.
final class StepClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant()
        var lastID = 0
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    }

    private let state = Guarded(State())
    var minimumResolution: Swift.Duration { .zero }

    var now: Instant { state.withLock(\.now) }
    var sleepers: Int { state.withLock { $0.sleepers.count } }
    /// The time until the first sleeper wakes.
    var nextPause: Duration? {
        state.withLock { state in state.sleepers.values.map { state.now.duration(to: $0.deadline) }.min() }
    }

    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            let woken = state.sleepers.filter { $0.value.deadline <= now }
            for id in woken.keys { state.sleepers[id] = nil }
            return woken.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let early = state.withLock { state -> Result<Void, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[id] = (deadline, continuation)
                    return nil
                }
                if let early { continuation.resume(with: early) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Returns when at least this number of tasks sleeps.
    func sleeping(_ count: Int) async { await until { self.sleepers >= count } }

    /// Waits for this number of sleepers, then moves the time.
    func advance(by duration: Duration, afterSleepers count: Int) async {
        await sleeping(count)
        advance(by: duration)
    }
}

/// Lets other tasks run until a condition is true, or the test's time is over.
func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}
