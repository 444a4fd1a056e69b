/// Sleeps on the continuous clock that share the system's timers.
///
/// A task that sleeps by itself keeps its timer until the end of the sleep, even if it is cancelled (Swift on Linux and
/// on Apple's systems). Each request has a time limit that is cancelled when the request ends, so ten thousand requests
/// that failed at once held several megabytes for a minute. Here a cancelled sleep is gone at once. Another timer of
/// the system is taken only for a sleep that ends before all timers that run. A timer whose sleepers are gone still
/// runs to its time, and does nothing then.
///
/// State: the sleeping tasks, guarded by a lock of its own, a leaf. Tasks are resumed while it is not held.
final class SharedTimer: Sendable {
    static let shared = SharedTimer()

    private struct State {
        var queue = SleepQueue<Sleep>()
        var sleeps: UInt64 = 0
        var timers = 0
    }

    private let state = Guarded(State())
    private let clock = ContinuousClock()

    /// The number of sleeps under way.
    var count: Int { state.withLock { $0.queue.count } }
    /// The numbers of sleeps and of timers of the system that were begun so far.
    var begun: (sleeps: Int, timers: Int) { state.withLock { (Int(truncatingIfNeeded: $0.sleeps), $0.timers) } }
    /// The number of ends that are kept.
    var endCount: Int { state.withLock { $0.queue.endCount } }

    /// Sleeps for a duration. Throws `CancellationError` if the task is cancelled before the end.
    func sleep(for duration: Duration) async throws {
        let end = clock.now.advanced(by: BoundedTime.of(duration))
        let sleep = Sleep()
        let number = state.withLock { state in
            state.sleeps += 1
            return state.sleeps
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                sleep.begin(continuation)
                add(sleep, number, until: end)
            }
        } onCancel: {
            sleep.end(.failure(CancellationError()))
            remove(number)
        }
    }

    private func add(_ sleep: Sleep, _ number: UInt64, until end: ContinuousClock.Instant) {
        if sleep.hasEnded { return }
        let timer = state.withLock { state in
            let timer = state.queue.insert(sleep, number, until: end)
            if timer != nil { state.timers += 1 }
            return timer
        }
        if let timer { start(timer) }
        // A cancellation that came in between has found nothing to remove.
        if sleep.hasEnded { remove(number) }
    }

    private func remove(_ number: UInt64) {
        state.withLock { $0.queue.remove(number) }
    }

    private func start(_ timer: ContinuousClock.Instant) {
        // The tasks that it wakes may have any priority.
        Task.detached(priority: .high) { [self] in
            try? await clock.sleep(until: timer, tolerance: nil)
            fire(timer)
        }
    }

    private func fire(_ timer: ContinuousClock.Instant) {
        let now = max(clock.now, timer)
        let (due, next) = state.withLock { state in
            let fired = state.queue.fire(timer, at: now)
            if fired.next != nil { state.timers += 1 }
            return fired
        }
        if let next { start(next) }
        for sleep in due { sleep.end(.success(())) }
    }
}

/// A sleeping task, which is resumed once, whatever ends it first.
private final class Sleep: Sendable {
    private enum State {
        case new
        case sleeping(CheckedContinuation<Void, any Error>)
        case ended(Result<Void, any Error>)
    }

    private let state = Guarded(State.new)

    var hasEnded: Bool {
        state.withLock { state in
            if case .ended = state { return true }
            return false
        }
    }

    func begin(_ continuation: CheckedContinuation<Void, any Error>) {
        let early = state.withLock { state -> Result<Void, any Error>? in
            if case .ended(let result) = state { return result }
            state = .sleeping(continuation)
            return nil
        }
        if let early { continuation.resume(with: early) }
    }

    func end(_ result: Result<Void, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            switch state {
            case .new:
                state = .ended(result)
                return nil
            case .sleeping(let continuation):
                state = .ended(result)
                return continuation
            case .ended: return nil
            }
        }
        continuation?.resume(with: result)
    }
}
