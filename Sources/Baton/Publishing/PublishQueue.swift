import Synchronization

/// Takes one publish after the other from "read" to "visible".
///
/// A publish goes through these steps, which stand here in their order: it takes its turn, is made to fit the newest
/// version, is merged into it, with what layers make of it, and is noted in the journal; then everybody is told who
/// reads what has changed. Layers and other code of the application run outside every lock.
///
/// State: the turn, guarded by a lock of its own, outside of those of the records and of the subscriptions.
final class PublishQueue: Sendable {
    private let turn: Guarded<PublishTurn>
    let newest: NewestRecords
    let journal: StoreJournal
    let subscriptions: Subscriptions
    /// Those who want to know what was invalidated.
    let invalidationWatch = InvalidationWatch()
    let updates: RunningUpdates
    let updatePriority = UpdatePriority()
    let names: NameTable
    let handlers: [FieldHandler]
    private let triggers: CollectionTriggers

    init(
        _ newest: NewestRecords, _ names: NameTable, handlers: [FieldHandler], journal: StoreJournal,
        subscriptions: Subscriptions, inbox: CollectionInbox, triggers: CollectionTriggers
    ) {
        self.newest = newest
        self.names = names
        self.handlers = handlers
        self.journal = journal
        self.subscriptions = subscriptions
        self.triggers = triggers
        updates = RunningUpdates(names)
        turn = Guarded(
            PublishTurn(
                newest: newest, names: names, inbox: inbox, triggers: triggers, handlers: handlers, updates: updates),
            .publishing)
    }

    /// Runs the body while nobody else publishes.
    @inline(__always)
    func inTurn<Result>(_ body: (inout sending PublishTurn) -> sending Result) -> sending Result {
        turn.withLock(body)
    }

    /// The newest version.
    var records: Records { newest.records }

    // MARK: - The steps

    /// Lands a change of the base, of the layers, or of both, and tells whose fields changed.
    ///
    /// Records below roots that no other operation shares are not counted as changed: they are the answer of one call,
    /// and nothing else reads them. `announce` is called when the change has landed and nobody was told of it yet.
    @discardableResult
    func publish(
        _ publication: consuming Publication, _ change: LayerChange = .none, by writer: Writer = .other,
        privateTo roots: [RecordID] = [], announce: (PublishSummary) -> Void
    ) -> PublishSummary {
        publishUnlessOvertaken(consume publication, change, by: writer, privateTo: roots, announce: announce) ?? refusal
    }

    /// The same; nil, and nothing is done, if what an update read has changed since.
    func publishUnlessOvertaken(
        _ publication: consuming Publication, _ change: LayerChange = .none, by writer: Writer = .other,
        privateTo roots: [RecordID] = [], announce: (PublishSummary) -> Void
    ) -> PublishSummary? {
        let source = change.source(of: publication.source)
        let landed: Landed
        switch land(consume publication, change, by: writer) {
        case .landed(let result): landed = result
        case .refused: return refusal
        case .overtaken: return nil
        }
        journal.notePublish(by: source, at: landed.epoch, landed.changes)
        journal.noteLeftOut(landed.leftOut, at: landed.epoch)
        let summary = tell(landed, privateTo: roots, announce: announce)
        if landed.hasStaleLayers, !LayerRun.isInside { runStaleLayers(after: change, announce: announce) }
        triggers.wantIfGrown()
        return summary
    }

    /// What is said of a publish that did not land.
    private var refusal: PublishSummary {
        var summary = PublishSummary(
            epoch: newest.epoch, recordsWritten: 0, recordsChanged: 0, subscriptionsAffected: 0)
        summary.isLanded = false
        return summary
    }

    /// Lands a publication in its turn: at once, or in several turns if layers have to run between them.
    private func land(_ publication: consuming Publication, _ change: LayerChange, by writer: Writer) -> PublishOutcome
    {
        let generation = publication.generation
        var publication = Optional(consume publication)
        // What was staged, and the versions that it goes with, are let go of when no lock is held: values of the
        // application may go then.
        var kept: (staged: StagedRecords, base: Records?)?
        var check: UpdateCheck?
        defer { withExtendedLifetime((kept, check)) {} }
        let landing = inTurn { turn -> PublishOutcome? in
            var work = publication.take() ?? Publication(generation: generation)
            let now = newest.version
            kept = keep(work.records)
            guard work.generation == now.generation else { return .refused }
            let isCurrent = work.check?.isCurrent(at: now.epoch) ?? false
            if !isCurrent, let reads = work.check {
                check = reads
                guard newest.look({ reads.holds(in: $0, names) }) else { return .overtaken }
            }
            // Layers may have to run, and others publish meanwhile: then it is looked at and prepared again.
            var asItCame = turn.layers.isEmpty ? nil : work
            turn.prepare(&work, by: writer)
            if turn.concernsLayers(work.records, change) {
                publication = asItCame ?? work
                return nil
            }
            // A merge in place needs the version for itself. It is the newest, so that nothing goes with it.
            asItCame = nil
            if isCurrent { work.check?.letGo() }
            work.check = nil
            turn.noteNewer(work.records, by: writer)
            let leftOut = work.leftOut
            let (changes, epoch) = turn.merge(work.takeRecords())
            return .landed(Landed(changes: changes, epoch: epoch, leftOut: leftOut))
        }
        if let landing { return landing }
        return landThroughLayers(publication.take() ?? Publication(generation: generation), change, by: writer)
    }

    /// Tells the log, those who hear of invalidations, the layers that failed, and the subscribers, in this order.
    private func tell(
        _ landed: Landed, privateTo roots: [RecordID], announce: (PublishSummary) -> Void
    ) -> PublishSummary {
        let changes = landed.changes
        let (subscribers, checked) = subscriptions.affected(by: changes)
        var changed = changes.changes.count - changes.repeated
        if !roots.isEmpty { changed -= names.count(changes.changes.map(\.record), below: roots) }
        var summary = PublishSummary(
            epoch: landed.epoch, recordsWritten: changes.recordsWritten, recordsChanged: changed,
            subscriptionsAffected: subscribers.count)
        summary.typeChanges = changes.typeChanges
        summary.subscriptionsChecked = checked
        announce(summary)
        if changes.invalidates { invalidationWatch.notify() }
        for failure in landed.failures { failure.layer.failed(failure.error) }
        for subscriber in subscribers { subscriber.storeDidChange(at: landed.epoch) }
        return summary
    }

    /// Tries once more to run the layers that could not be run; gives up after that.
    private func runStaleLayers(after change: LayerChange, announce: (PublishSummary) -> Void) {
        if case .rerun = change { return }
        publish(nothing, .rerun, announce: announce)
    }

    /// A change of the base that does nothing.
    var nothing: Publication { Publication(generation: newest.version.generation) }

    /// What has to outlive a publish of what is staged, besides its check. Not the version that it was compared with,
    /// if nothing goes with that: what is held would be copied when it is changed (benchmark `small.write-us`).
    private func keep(_ staged: borrowing StagedRecords) -> (staged: StagedRecords, base: Records?) {
        var kept = copy staged
        let base = kept.base
        kept.base = nil
        guard let base, !newest.look({ base.sharesValues(with: $0) }) else { return (kept, nil) }
        return (kept, base)
    }
}
