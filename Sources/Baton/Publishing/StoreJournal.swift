/// What a store remembers of its publishes, as much as ``StoreOptions/history`` asks for.
///
/// State: the journal, guarded by a lock of its own. It is written outside the locks of the records, before anybody is
/// told of a change.
final class StoreJournal: Sendable {
    private let journal: Guarded<PublishJournal>
    private let history: StoreHistory
    private let now: @Sendable () -> Duration

    init(_ history: StoreHistory, now: @escaping @Sendable () -> Duration) {
        self.history = history
        self.now = now
        journal = Guarded(PublishJournal(history), .journal)
    }

    /// False if nothing is to be remembered.
    var isKept: Bool { history.publishes > 0 }
    /// The journal as it is now.
    var current: PublishJournal { journal.withLock { $0 } }

    /// Notes who published.
    func notePublish(by source: WriteSource, at epoch: Epoch, _ changes: ChangeSet = ChangeSet()) {
        guard isKept else { return }
        let entry = PublishJournal.Entry(epoch: epoch, time: now(), source: source)
        journal.withLock { $0.notePublish(entry, changes) }
    }

    /// Notes what a slice of a collection took away.
    func noteGarbage(_ garbage: borrowing Garbage) {
        guard isKept, garbage.version > 0 || !garbage.numbers.isEmpty || !garbage.keys.isEmpty else { return }
        let entry = PublishJournal.Entry(epoch: garbage.version, time: now(), source: .collection)
        let (numbers, origins, names, keys) = (garbage.numbers, garbage.origins, garbage.names, garbage.keys)
        journal.withLock { journal in
            if entry.epoch > 0 {
                journal.noteCollection(entry)
                journal.collections.noteCollected(origins, at: entry.epoch)
            }
            journal.forget(numbers, names)
            if !keys.isEmpty { journal.forget(Set(keys)) }
        }
    }

    /// Notes why an operation is let go. Call it before it is.
    func noteRelease(of operation: BoundOperation, _ reason: ReleaseReason, since released: Duration) {
        guard isKept else { return }
        let note = ReleaseNote(
            artifact: operation.artifact, key: operation.key, reason: reason, released: released, ended: now())
        journal.withLock { $0.collections.noteRelease(note) }
    }

    /// Notes what of an answer came too late.
    func noteLeftOut(_ leftOut: [LeftOut], at epoch: Epoch) {
        guard isKept, !leftOut.isEmpty else { return }
        journal.withLock { $0.collections.noteLeftOut(leftOut, at: epoch) }
    }

    /// Forgets everything.
    func empty() { journal.withLock { [history] in $0 = PublishJournal(history) } }
}
