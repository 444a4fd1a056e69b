import Baton

/// A clock that stands still until a test moves it.
final class StepClock: Clock {
    struct Instant: InstantProtocol {
        var time = Duration.zero
        func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
        func duration(to other: Instant) -> Duration { other.time - time }
        static func < (left: Instant, right: Instant) -> Bool { left.time < right.time }
    }

    private struct State {
        var now = Instant()
        var next = 0
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Guarded(State())

    var now: Instant { state.withLock(\.now) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let act: @Sendable () -> Void = state.withLock { state in
                    if Task.isCancelled { return { continuation.resume(throwing: CancellationError()) } }
                    if deadline <= state.now { return { continuation.resume() } }
                    state.sleepers[number] = (deadline, continuation)
                    let count = state.sleepers.count
                    let ready = state.watchers.filter { $0.count <= count }.map(\.continuation)
                    state.watchers.removeAll { $0.count <= count }
                    return { for watcher in ready { watcher.resume() } }
                }
                act()
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number)?.continuation }?
                .resume(throwing: CancellationError())
        }
    }

    /// Returns when so many sleep.
    func sleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Moves the time and wakes who has slept enough.
    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let over = state.sleepers.filter { $0.value.deadline <= state.now }
            for number in over.keys { state.sleepers[number] = nil }
            return over.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }
}
