import Foundation
import Synchronization

/// The points that are left in the current hour. Each request costs one.
final class RateWindow: Sendable {
    /// The names of the properties are those of the schema's type `RateLimit`.
    struct State: Sendable {
        let limit: Int
        let cost = 1
        var used = 0
        var remaining: Int
        var resetAt = Date.distantPast
    }

    private let state: Mutex<State>

    init(limit: Int) { state = Mutex(State(limit: limit, remaining: limit)) }

    var current: State { state.withLock { $0 } }

    /// Takes one point; false if there is none left.
    func take(at time: Date) -> Bool {
        state.withLock { state in
            if time >= state.resetAt {
                (state.used, state.remaining) = (0, state.limit)
                state.resetAt = Date(timeIntervalSince1970: (time.timeIntervalSince1970 + 3600).rounded())
            }
            guard state.remaining > 0 else { return false }
            (state.used, state.remaining) = (state.used + 1, state.remaining - 1)
            return true
        }
    }
}

/// Counts from any thread.
final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
