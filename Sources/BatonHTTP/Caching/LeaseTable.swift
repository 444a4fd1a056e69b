import Baton

/// The leases of a storage in memory.
struct LeaseTable: Sendable {
    private struct Held: Sendable {
        /// Nil if nobody needs a lease.
        let token: UInt64?
        let end: Duration
    }

    private var held: [CacheKey: Held] = [:]
    private var lastToken: UInt64 = 0

    private static let sweepCount = 1024

    /// Grants a lease until a time, unless somebody has it.
    mutating func lease(_ key: CacheKey, for duration: Duration, at now: Duration) -> ResponseLease {
        if held.count > Self.sweepCount { held = held.filter { $0.value.end > now } }
        if let other = held[key], other.end > now { return other.token == nil ? .unneeded : .held }
        lastToken += 1
        held[key] = Held(token: lastToken, end: BoundedTime.end(of: duration, from: now))
        return .granted(token: lastToken)
    }

    /// Ends a lease, unless somebody else has it by now.
    mutating func release(
        _ key: CacheKey, token: UInt64, isUnneeded: Bool, for duration: Duration, at now: Duration
    ) {
        guard held[key]?.token == token else { return }
        held[key] = isUnneeded ? Held(token: nil, end: BoundedTime.end(of: duration, from: now)) : nil
    }
}
