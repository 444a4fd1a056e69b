/// The pauses between fetches because of lost fields. Two queries that take each other's fields away would otherwise
/// fetch for ever.
struct LossPause: Equatable {
    static let shortest = Duration.seconds(1)
    static let longest = Duration.seconds(64)

    private var last: Duration?
    private var pause = shortest

    /// Returns the time of the next fetch; nil stands for now, and the fetch is counted.
    mutating func nextTime(at now: Duration) -> Duration? {
        guard let last else {
            self.last = now
            return nil
        }
        if now < last + pause { return last + pause }
        // A quiet time as long as the pause that is over begins anew.
        pause = now < last + pause + pause ? min(pause + pause, Self.longest) : Self.shortest
        self.last = now
        return nil
    }
}

/// The pauses that the queries of one handle share.
///
/// State: guarded by a lock of its own, a leaf.
final class LossPauses: Sendable {
    private let pause = Guarded(LossPause())

    /// Returns the time of the next fetch; nil stands for now, and the fetch is counted.
    func nextTime(at now: Duration) -> Duration? { pause.withLock { $0.nextTime(at: now) } }
}
