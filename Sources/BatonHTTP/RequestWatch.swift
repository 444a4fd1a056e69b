import Synchronization

/// Knows how far a request is, for the timers that may end it.
///
/// State: a set of flags, which change at once. A request notes its progress too often for a lock.
final class RequestWatch: Sendable {
    /// What the end of a time means.
    enum Verdict: Sendable {
        /// The request is given up.
        case over
        /// The time begins again.
        case again
        /// The request has no such limit any more.
        case never
    }

    private struct Flags: OptionSet, AtomicRepresentable {
        var rawValue: UInt8

        static let hasProgressed = Flags(rawValue: 1)
        /// The caller has a response and has not taken it yet, so nothing is expected of the server.
        static let isDelivering = Flags(rawValue: 2)
        static let isAnswered = Flags(rawValue: 4)
        static let isLate = Flags(rawValue: 8)
    }

    /// The start of the request counts as progress.
    private let flags = Atomic(Flags.hasProgressed)

    /// Changes the flags in one step; returns what they were before.
    @discardableResult
    private func change(_ body: (inout Flags) -> Void) -> Flags {
        var old = flags.load(ordering: .acquiring)
        while true {
            var new = old
            body(&new)
            let (exchanged, found) = flags.weakCompareExchange(
                expected: old, desired: new, ordering: .acquiringAndReleasing)
            if exchanged { return old }
            old = found
        }
    }

    /// Bytes have arrived or were sent.
    func progress() { change { $0.insert(.hasProgressed) } }

    /// The first answer is there, so the total timeout counts no longer. Throws if it was over before.
    func answered() throws {
        let old = change { if !$0.contains(.isLate) { $0.insert(.isAnswered) } }
        if old.contains(.isLate) { throw CancellationError() }
    }

    /// Runs `deliver`, while the server is not watched.
    func delivering(_ deliver: () async throws -> Void) async rethrows {
        change { $0.insert(.isDelivering) }
        defer {
            change { flags in
                flags.remove(.isDelivering)
                flags.insert(.hasProgressed)
            }
        }
        try await deliver()
    }

    /// What the end of the total timeout means.
    func totalTimeIsOver() -> Verdict {
        let old = change { if !$0.contains(.isAnswered) { $0.insert(.isLate) } }
        return old.contains(.isAnswered) ? .never : .over
    }

    /// What the end of the idle timeout means.
    func idleTimeIsOver() -> Verdict {
        let old = change { if !$0.contains(.isDelivering) { $0.remove(.hasProgressed) } }
        return old.contains(.isDelivering) || old.contains(.hasProgressed) ? .again : .over
    }
}
