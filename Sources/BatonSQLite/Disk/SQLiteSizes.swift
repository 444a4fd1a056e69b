import Baton

/// Decides when the size of a file is to be looked at, because a look at each write would cost more than it brings.
///
/// State: guarded by its lock, a leaf.
final class SQLiteSizes: Sendable {
    private struct State {
        /// The bytes of rows that were written since the last look.
        var written: Int64 = .max
        /// The time of the last eviction, in seconds since 1970; nil before the first one.
        var lastEviction: Int64?
        /// True if all that is left is needed, so that the next look comes later.
        var isExhausted = false
    }

    /// How often rows that are too old are looked for, in seconds.
    private static let pause: Int64 = 3600
    /// A look comes after writes of these parts of the size limit.
    private static let usualPart: Int64 = 64
    private static let rarePart: Int64 = 8

    private let state = Guarded(State())

    func noteWritten(_ count: Int) {
        state.withLock { state in if state.written < .max { state.written += Int64(count) } }
    }

    /// Returns true if it is time, and begins to count anew.
    func mustLook(_ limits: SQLiteLimits, at now: Int64) -> Bool {
        state.withLock { state in
            let isOld = limits.age != nil && state.lastEviction.map { now - $0 >= Self.pause || now < $0 } ?? true
            let part = state.isExhausted ? Self.rarePart : Self.usualPart
            let isMuch = limits.size.map { state.written >= $0 / part } ?? false
            guard isOld || isMuch else { return false }
            state.written = 0
            return true
        }
    }

    func noteLook(isEnough: Bool, at now: Int64) {
        state.withLock { state in
            state.isExhausted = !isEnough
            state.lastEviction = now
        }
    }
}
