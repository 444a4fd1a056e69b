import Synchronization

/// Carries out one publish after another.
///
/// The steps of a publish are here in their order. It takes its turn and is fitted to the newest version. It is merged
/// into that version together with the results of layers, and is noted in the journal. Finally the subscribers that
/// read changed fields are notified. Layers and other code of the application run while no lock is held.
///
/// State: the turn, guarded by a lock of its own, which is taken before the locks of the records and of the
/// subscriptions.
final class PublishQueue: Sendable {
    private let turn: Guarded<PublishTurn>
    let newest: NewestRecords
    let journal: Journal
    let subscriptions: Subscriptions
    /// The listeners for invalidations.
    let invalidationWatch = InvalidationWatch()
    let updates: RunningUpdates
    let updatePriority = UpdatePriority()
    let names: NameTable
    let handlers: [FieldHandler]
    /// The changes that a running collection has to know.
    let inbox = ChangeInbox()
    /// The counts and limits that make a collection worth its cost.
    let growth = GrowthCount()

    init(
        _ newest: NewestRecords, _ names: NameTable, handlers: [FieldHandler], journal: Journal,
        subscriptions: Subscriptions
    ) {
        self.newest = newest
        self.names = names
        self.handlers = handlers
        self.journal = journal
        self.subscriptions = subscriptions
        updates = RunningUpdates(names)
        turn = Guarded(
            PublishTurn(
                newest: newest, names: names, inbox: inbox, growth: growth, handlers: handlers, updates: updates),
            .publishing)
    }

    /// Calls `body` while no other thread publishes.
    @inline(__always)
    func inTurn<Result>(_ body: (inout sending PublishTurn) -> sending Result) -> sending Result {
        turn.withLock(body)
    }

    /// The newest version.
    var records: Records { newest.records }

    /// An estimate of the memory of the records, their names and the subscriptions, in bytes.
    var memoryUse: Int { records.memoryUse + names.memoryUse + subscriptions.memoryUse }

    // MARK: - The steps

    /// Lands a change of the base, of the layers, or of both, and notifies the subscribers that read changed fields.
    ///
    /// Records below `roots` are not counted as changed: they belong to the response of one call, and nothing else
    /// reads them. `announce` is called when the change has landed and before any subscriber is notified.
    @discardableResult
    func publish(
        _ publication: consuming Publication, _ change: LayerChange = .none, by writer: Writer = .other,
        privateTo roots: [RecordID] = [], announce: ((PublishSummary) -> Void)? = nil
    ) -> PublishSummary {
        publishUnlessOvertaken(consume publication, change, by: writer, privateTo: roots, announce: announce) ?? refusal
    }

    /// Publishes like `publish`. Returns nil and changes nothing if the data that an update read has changed since.
    func publishUnlessOvertaken(
        _ publication: consuming Publication, _ change: LayerChange = .none, by writer: Writer = .other,
        privateTo roots: [RecordID] = [], announce: ((PublishSummary) -> Void)?
    ) -> PublishSummary? {
        let source = change.source(of: publication.source)
        let landed: PublishEffect
        switch land(consume publication, change, by: writer) {
        case .published(let result): landed = result
        case .refused: return refusal
        case .overtaken: return nil
        }
        journal.notePublish(by: source, at: landed.epoch, landed.changes)
        journal.noteLeftOut(landed.leftOut, at: landed.epoch)
        let summary = tell(landed, privateTo: roots, announce: announce)
        if landed.hasStaleLayers, !LayerRun.isInside { runStaleLayers(after: change, announce: announce) }
        growth.tellIfDue()
        return summary
    }

    /// The summary of a publish that did not land.
    private var refusal: PublishSummary {
        var summary = PublishSummary(
            epoch: newest.epoch, recordsWritten: 0, recordsChanged: 0, subscriptionsAffected: 0)
        summary.isLanded = false
        return summary
    }

    /// Lands a publication in one turn, or in several turns if layers have to run in between.
    private func land(_ publication: consuming Publication, _ change: LayerChange, by writer: Writer) -> PublishResult {
        let generation = publication.generation
        var publication = Optional(consume publication)
        // Staged values and their version are freed after all locks are released, because objects of the application
        // may be freed with them.
        var kept: KeptValues?
        var check: UpdateCheck?
        defer {
            withExtendedLifetime(kept) {}
            withExtendedLifetime(check) {}
        }
        let landing = inTurn { turn -> PublishResult? in
            var work = publication.take() ?? Publication(generation: generation)
            let now = newest.version
            kept = keep(work.records)
            guard work.generation == now.generation else { return .refused }
            let isCurrent = work.check?.isCurrent(at: now.epoch) ?? false
            if !isCurrent, let reads = work.check {
                check = reads
                guard newest.look({ reads.holds(in: $0, names) }) else { return .overtaken }
            }
            // If layers have to run, other publishes may land meanwhile. A copy of the unprepared publication is kept,
            // to be prepared again.
            var asItCame = turn.layers.isEmpty ? nil : work.copy()
            turn.prepare(&work, by: writer)
            if turn.concernsLayers(work.records, change) {
                publication = asItCame.take()
                if publication == nil { publication = consume work }
                return nil
            }
            // A merge in place needs the only reference to the version.
            asItCame = nil
            if isCurrent { work.check?.letGo() }
            work.check = nil
            turn.noteNewer(work.records, by: writer)
            let leftOut = work.leftOut
            let (changes, epoch) = turn.merge(work.records.take())
            return .published(PublishEffect(changes: changes, epoch: epoch, leftOut: leftOut))
        }
        if let landing { return landing }
        return landThroughLayers(publication.take() ?? Publication(generation: generation), change, by: writer)
    }

    /// Notifies the log, the listeners for invalidations, the failed layers, and the subscribers, in this order.
    private func tell(
        _ landed: PublishEffect, privateTo roots: [RecordID], announce: ((PublishSummary) -> Void)?
    ) -> PublishSummary {
        let changes = landed.changes
        let (subscribers, checked) = subscriptions.affected(by: changes)
        var changed = changes.changes.count - changes.repeated
        if roots.contains(where: { $0 != .root }) {
            changed -= names.count(changes.changes.map(\.record), below: roots)
        }
        var summary = PublishSummary(
            epoch: landed.epoch, recordsWritten: changes.recordsWritten, recordsChanged: changed,
            subscriptionsAffected: subscribers.count)
        summary.typeChanges = changes.typeChanges
        summary.subscriptionsChecked = checked
        announce?(summary)
        if changes.invalidates { invalidationWatch.notify() }
        for failure in landed.failures { failure.layer.failed(failure.error) }
        for subscriber in subscribers { subscriber.storeDidChange(at: landed.epoch) }
        return summary
    }

    /// Tries once more to run the layers that did not run.
    private func runStaleLayers(after change: LayerChange, announce: ((PublishSummary) -> Void)?) {
        if case .rerun = change { return }
        publish(nothing, .rerun, announce: announce)
    }

    /// An empty change of the base.
    var nothing: Publication { Publication(generation: newest.version.generation) }

    /// The values that are freed after the publish of staged records, besides their check.
    private struct KeptValues {
        let blocks: [RecordBlock]
        let found: [FoundField]
        let base: Records?
    }

    /// Returns the values that must be freed after the publish. The compared version is left out if the newest version
    /// shares its values, because a held version would be copied when it changes (benchmark `small.write-us`).
    private func keep(_ staged: borrowing StagedRecords) -> KeptValues {
        var base = staged.base
        if let old = base, newest.look({ old.sharesValues(with: $0) }) { base = nil }
        return KeptValues(blocks: staged.blocks, found: staged.found, base: base)
    }
}
