extension Store {
    /// A merge of at most this many records is made in place, while readers wait.
    private static let smallMerge = 64
    /// So many records are stamped as confirmed in the same way.
    private static let smallConfirmation = 4096

    /// Reads the body of an answer beside the store, which it does not change.
    ///
    /// `fetch` says when it was fetched. `generation` is that of the store when the answer was asked for; the newest if it is nil.
    package func normalize(
        _ body: [UInt8], for operation: BoundOperation, fetch: FetchMark? = nil, generation: Int? = nil
    ) throws(ResponseError) -> StagedResponse {
        if let failure = operation.failure { throw failure }
        let root = operation.artifact.kind == .subscription ? names.newRoot(.subscription) : operation.root
        let normalizer = Normalizer(
            plan: operation.plans.write, scalars: operation.artifact.scalars, customDataID: customDataID,
            base: records)
        var reader = ResponseReader(normalizer: normalizer, root: root)
        try reader.read(body)
        var staged = reader.takeStaged()
        if let generation { staged.generation = generation }
        staged.fetch = fetch
        return StagedResponse(
            records: staged, presence: reader.presence, errors: reader.errors,
            extensions: reader.extensions, root: root)
    }

    /// Merges an answer into the newest version and tells whose fields changed. An answer can be published once.
    ///
    /// This and the other methods that publish call `announce`, outside every lock, when the change has landed and nobody was told of it yet.
    @discardableResult
    package func publish(
        _ response: StagedResponse, for operation: BoundOperation,
        announce: (PublishSummary) -> Void = { _ in }
    ) -> PublishSummary {
        publish(response.take(), privateTo: response.root, announce: announce)
    }

    /// Merges an answer and what an updater does on top of it.
    ///
    /// The updater sees the store with the answer in it; both land together. If it throws, neither lands.
    @discardableResult
    package func publish(
        _ response: StagedResponse, for operation: BoundOperation,
        announce: (PublishSummary) -> Void = { _ in },
        updating body: (RecordSourceProxy) throws -> Void
    ) rethrows -> PublishSummary {
        var staged = response.take()
        let base = records
        staged.settle(against: base, names)
        let source = RecordSourceProxy(base: base, answer: staged, names: names, payloadRoot: response.root)
        defer { source.end() }
        source.runHandlers(staged.handled)
        staged.handled = []
        try body(source)
        staged.append(source.finish(), names)
        return publish(staged, privateTo: response.root, announce: announce)
    }

    /// Runs a local update and publishes what it did; publishes nothing if it throws.
    @discardableResult
    package func update<Result>(
        announce: (PublishSummary) -> Void = { _ in },
        _ body: (RecordSourceProxy) throws -> Result
    ) rethrows -> (Result, PublishSummary) {
        let source = RecordSourceProxy(base: records, names: names, payloadRoot: nil)
        defer { source.end() }
        let result = try body(source)
        return (result, publish(source.finish(), announce: announce))
    }

    /// Records below a root that no other operation shares are not counted as changed: they are the answer of one call, and nothing else reads them.
    @discardableResult
    func publish(
        _ staged: consuming StagedRecords, privateTo root: RecordID = .root, announce: (PublishSummary) -> Void
    ) -> PublishSummary {
        guard let (changes, epoch) = merge(staged) else {
            var summary = PublishSummary(epoch: epoch, recordsWritten: 0, recordsChanged: 0, subscriptionsAffected: 0)
            summary.isLanded = false
            return summary
        }
        var changed = changes.changes.count - changes.repeated
        if root != .root { changed -= names.count(changes.changes.map(\.record), below: root) }
        var summary = PublishSummary(
            epoch: epoch, recordsWritten: changes.recordsWritten, recordsChanged: changed, subscriptionsAffected: 0)
        summary.typeChanges = changes.typeChanges
        let subscribers: [any StoreSubscriber]
        (subscribers, summary.subscriptionsChecked) =
            changes.isEmpty ? ([], 0) : subscriptions.withLock { ($0.affected(by: changes), $0.checked) }
        summary.subscriptionsAffected = subscribers.count
        announce(summary)
        if changes.invalidates { invalidationWatch.notify() }
        for subscriber in subscribers { subscriber.storeDidChange(at: epoch) }
        return summary
    }

    /// Nil if the store was emptied since the work began.
    private func merge(_ staged: consuming StagedRecords) -> (ChangeSet, Epoch)? {
        var staged = Optional(staged)
        return writer.withLock { _ in
            var work = staged.take() ?? StagedRecords()
            guard work.generation == state.withLock({ $0.generation }) else { return nil }
            // Nothing else is published meanwhile.
            if work.base != nil { work.settle(against: state.withLock { $0 }, names) }
            if !work.handled.isEmpty { work.runConnectionHandlers(over: state.withLock { $0 }, names) }
            if work.entries.count <= Self.smallMerge, work.confirmed.count <= Self.smallConfirmation {
                var held = Optional(work)
                return state.withLock { records in
                    let changes = records.merge(held.take() ?? StagedRecords(), names)
                    return (changes, records.epoch)
                }
            }
            var next = state.withLock { $0 }
            let changes = next.merge(work, names)
            let epoch = next.epoch
            // The old version goes after the lock is given back.
            state.withLock { swap(&$0, &next) }
            return (changes, epoch)
        }
    }
}
