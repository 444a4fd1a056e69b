import Synchronization

/// Carries out one publish after another.
///
/// The steps of a publish are here in their order. It takes its turn and is fitted to the newest version. It is merged
/// into that version together with the results of layers, and is noted in the journal. Finally the subscribers are
/// found that read changed fields. The queue calls none of them: it returns a ``Landing``. Layers and other code of the
/// application run while no lock is held.
///
/// State: the turn, guarded by a lock of its own, which is taken before the locks of the records and of the
/// subscriptions.
final class PublishQueue: Sendable {
    private let turn: Guarded<PublishTurn>
    let newest: NewestRecords
    let journal: Journal
    let subscriptions: Subscriptions
    let updates: RunningUpdates
    let updatePriority = UpdatePriority()
    let names: NameTable
    let handlers: [FieldHandler]
    /// The changes that a running collection has to know.
    let inbox = ChangeInbox()
    /// The counts and limits that make a collection worth its cost.
    let growth = GrowthCount()
    /// The file under the store; nil for most stores.
    let disk: StoreDisk?
    /// The time since the environment was made.
    let now: @Sendable () -> Duration
    let writing = WriteSignal()
    /// Held by the thread that writes the file.
    private let writer = Guarded((), .writing)

    init(
        _ newest: NewestRecords, _ names: NameTable, handlers: [FieldHandler], journal: Journal,
        subscriptions: Subscriptions, disk: StoreDisk? = nil, now: @escaping @Sendable () -> Duration = { .zero }
    ) {
        self.disk = disk
        self.now = now
        self.newest = newest
        self.names = names
        self.handlers = handlers
        self.journal = journal
        self.subscriptions = subscriptions
        updates = RunningUpdates(names)
        turn = Guarded(
            PublishTurn(
                newest: newest, names: names, inbox: inbox, growth: growth, handlers: handlers, updates: updates,
                disk: disk, unwritten: disk == nil ? nil : UnwrittenChanges(), writing: writing),
            .publishing)
    }

    /// Calls `body` while no other thread publishes.
    @inline(__always)
    func inTurn<Result>(_ body: (inout sending PublishTurn) -> sending Result) -> sending Result {
        turn.withLock(body)
    }

    /// Calls `body` while no other thread writes the file.
    func whileWriting(_ body: () -> Result<Void, PersistenceError>) -> Result<Void, PersistenceError> {
        writer.withLock { _ in body() }
    }

    /// The newest version.
    var records: Records { newest.records }

    /// An estimate of the memory of the records, their names and the subscriptions, in bytes.
    var memoryUse: Int { records.memoryUse + names.memoryUse + subscriptions.memoryUse }

    // MARK: - The steps

    /// Lands a change of the base, of the layers, or of both, and returns what it has done, for those who are to know.
    ///
    /// Records below `roots` are not counted as changed: they belong to the response of one call, and nothing else
    /// reads them.
    func publish(
        _ publication: consuming Publication, _ change: LayerChange = .none, by writer: Writer = .other,
        privateTo roots: [RecordID] = []
    ) -> Landing {
        publishUnlessOvertaken(consume publication, change, by: writer, privateTo: roots)
            ?? Landing(refusedAt: newest.epoch)
    }

    /// Publishes like `publish`. Returns nil and changes nothing if the data that an update read has changed since.
    func publishUnlessOvertaken(
        _ publication: consuming Publication, _ change: LayerChange = .none, by writer: Writer = .other,
        privateTo roots: [RecordID] = []
    ) -> Landing? {
        let source = change.source(of: publication.source)
        let pins = disk == nil || publication.handled.isEmpty ? [] : pinPages(of: publication.handled)
        defer { if !pins.isEmpty { unpin(pins) } }
        let effect: PublishEffect
        switch land(consume publication, change, by: writer) {
        case .published(let result): effect = result
        case .overtaken: return nil
        case .refused: return Landing(refusedAt: newest.epoch)
        }
        journal.notePublish(by: source, at: effect.epoch, effect.changes)
        journal.noteLeftOut(effect.leftOut, at: effect.epoch)
        return landing(of: effect, privateTo: roots)
    }

    /// Lands a publication in one turn, or in several turns if layers have to run in between.
    func land(_ publication: consuming Publication, _ change: LayerChange, by writer: Writer) -> PublishResult {
        var passage = Passage(consume publication)
        return switch inTurn({ turn in turn.land(&passage, change, by: writer) }) {
        case .ended(let result): result
        case .layersMustRun: landThroughLayers(passage.publication, change, by: writer)
        }
    }

    /// Finds those who read changed fields, and counts for the log.
    private func landing(of effect: PublishEffect, privateTo roots: [RecordID]) -> Landing {
        let changes = effect.changes
        let (subscribers, checked) = subscriptions.affected(by: changes)
        var changed = changes.changes.count - changes.repeated
        if roots.contains(where: { $0 != .root }) {
            changed -= names.count(changes.changes.map(\.record), below: roots)
        }
        var summary = PublishSummary(
            epoch: effect.epoch, recordsWritten: changes.recordsWritten, recordsChanged: changed,
            subscriptionsAffected: subscribers.count)
        summary.typeChanges = changes.typeChanges
        summary.subscriptionsChecked = checked
        return Landing(summary, effect, for: subscribers)
    }

    /// What an update reads of the file; nil if there is none.
    var lowerDisk: LowerDisk? {
        disk.map { disk in LowerDisk(disk) { [self] in readFromDisk($0, disk) } }
    }

    /// An empty change of the base.
    var nothing: Publication { Publication(generation: newest.version.generation) }
}
