/// The misuses that were reported, each once for each place.
///
/// State: guarded by a lock of its own, a leaf.
final class SaidMisuses: Sendable {
    private let said = Guarded<Set<LogEvent.Misuse>>([])

    /// The greatest number of misuses. A place may be any number of operations.
    private static let limit = 1_000

    /// True if a misuse was reported, or if no more are.
    func contains(_ misuse: LogEvent.Misuse) -> Bool {
        said.withLock { $0.count >= Self.limit || $0.contains(misuse) }
    }

    /// Notes a misuse; returns true if it is to be reported.
    func insert(_ misuse: LogEvent.Misuse) -> Bool {
        said.withLock { $0.count < Self.limit && $0.insert(misuse).inserted }
    }
}
