/// The condition under which an update may land: its reads must still give the same result. Otherwise the update runs
/// again.
struct UpdateCheck: Sendable {
    /// Two versions between which the data that the update read must not have changed.
    struct Span: Sendable {
        let from: Records
        let to: Records
    }

    private var reads: UpdateReads
    /// The spans between the changes that the update itself has published.
    private let spans: [Span]
    private let last: Beginning

    /// The version at the beginning of the last span.
    private final class Beginning: Sendable {
        let epoch: Epoch
        fileprivate let version: Guarded<Records?>

        init(_ version: Records) {
            epoch = version.epoch
            self.version = Guarded(version)
        }
    }

    init(_ reads: UpdateReads, _ spans: [Span], last: Records) {
        self.reads = reads
        self.spans = spans
        self.last = Beginning(last)
    }

    /// Drops the dependence of the update on the whole store. The update can then land even if parts have changed that
    /// it did not use.
    mutating func leaveRest() { reads.isEverything = false }

    /// Returns true if nothing was published since the update began.
    func isCurrent(at epoch: Epoch) -> Bool { spans.isEmpty && last.epoch == epoch }

    /// Releases the held version; the check must not be used afterwards. A held version would be copied when the store
    /// changes (benchmark `notify.publish-us`).
    func letGo() { last.version.withLock { $0 = nil } }

    /// Returns true if the update would read the same data on top of a version.
    func holds(in now: borrowing Records, _ names: NameTable) -> Bool {
        guard let last = last.version.withLock({ $0 }) else { return false }
        return spans.allSatisfy { reads.hold(from: $0.from, in: $0.to, names) }
            && reads.hold(from: last, in: now, names)
    }
}
