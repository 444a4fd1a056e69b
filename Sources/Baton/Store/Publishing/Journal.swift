/// The remembered publishes of a store, as many as ``StoreOptions/history`` asks for.
///
/// State: the journal, guarded by a lock of its own. It is written outside the locks of the records, before any
/// subscriber is notified.
final class Journal: Sendable {
    private let journal: Guarded<PublishHistory>
    private let history: StoreOptions.History
    private let now: @Sendable () -> Duration

    init(_ history: StoreOptions.History, now: @escaping @Sendable () -> Duration) {
        self.history = history
        self.now = now
        journal = Guarded(PublishHistory(history), .journal)
    }

    /// False if nothing is remembered.
    var isKept: Bool { history.publishes > 0 }
    /// A copy of the journal.
    var current: PublishHistory { journal.withLock { $0 } }

    /// Notes the cause of a publish.
    func notePublish(by source: WriteSource, at epoch: Epoch, _ changes: ChangeSet = ChangeSet()) {
        guard isKept else { return }
        let entry = PublishHistory.Entry(epoch: epoch, time: now(), source: source)
        journal.withLock { $0.notePublish(entry, changes) }
    }

    /// Notes the records and numbers that a slice of a collection removed.
    func noteGarbage(_ garbage: borrowing Garbage) {
        guard isKept, garbage.version > 0 || !garbage.numbers.isEmpty || !garbage.keys.isEmpty else { return }
        let entry = PublishHistory.Entry(epoch: garbage.version, time: now(), source: .collection)
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

    /// Notes the reason why an operation is no longer retained. Must be called before a collection is asked for.
    func noteRelease(
        of artifact: GeneratedCode.OperationArtifact, _ key: OperationKey, _ reason: ReleaseReason,
        since released: Duration
    ) {
        guard isKept else { return }
        let note = ReleaseNote(artifact: artifact, key: key, reason: reason, released: released, ended: now())
        journal.withLock { $0.collections.noteRelease(note) }
    }

    /// Notes the records and fields of a response that came too late.
    func noteLeftOut(_ leftOut: [LeftOut], at epoch: Epoch) {
        guard isKept, !leftOut.isEmpty else { return }
        journal.withLock { $0.collections.noteLeftOut(leftOut, at: epoch) }
    }

    /// Empties the journal.
    func empty() { journal.withLock { [history] in $0 = PublishHistory(history) } }
}
