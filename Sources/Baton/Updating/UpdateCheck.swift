/// What has to be as it was for an update to land: otherwise it has to run again.
struct UpdateCheck: Sendable {
    /// Two versions between which nobody may have changed what the update read.
    struct Span: Sendable {
        let from: Records
        let to: Records
    }

    private var reads: UpdateReads
    /// Between two of them the update has published something itself.
    private let spans: [Span]
    private let last: Beginning

    /// The beginning of the last span.
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

    /// Lets an update land that goes through the whole store although some of it has changed that it did not use.
    mutating func leaveRest() { reads.isEverything = false }

    /// Nobody has published anything since the update began.
    func isCurrent(at epoch: Epoch) -> Bool { spans.isEmpty && last.epoch == epoch }

    /// Holds no version any more, and must not be asked again: what is held would be copied when it is changed
    /// (benchmark `notify.publish-us`).
    func letGo() { last.version.withLock { $0 = nil } }

    /// Says whether the update would read the same on top of a version.
    func holds(in now: borrowing Records, _ names: NameTable) -> Bool {
        guard let last = last.version.withLock({ $0 }) else { return false }
        return spans.allSatisfy { reads.hold(from: $0.from, in: $0.to, names) }
            && reads.hold(from: last, in: now, names)
    }
}
