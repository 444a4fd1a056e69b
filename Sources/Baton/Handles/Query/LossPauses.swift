/// The pauses that the queries of one handle share.
///
/// State: guarded by a lock of its own, a leaf.
final class LossPauses: Sendable {
    private let pause = Guarded(LossPause())

    /// Returns the time of the next fetch; nil stands for now, and the fetch is counted.
    func nextTime(at now: Duration) -> Duration? { pause.withLock { $0.nextTime(at: now) } }
}
