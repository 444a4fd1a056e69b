extension Store {
    /// A merge of at most this many records is made in place, while readers wait; if one of them holds the version,
    /// each block concerned is copied then.
    private static let smallMerge = 64
    /// So many are merged in place if nobody holds the version: nothing has to be copied, and readers wait for less
    /// than a millisecond.
    private static let largestInPlace = 1024
    /// So many records are stamped as confirmed in the same way.
    private static let smallConfirmation = 4096

    /// Reads the body of an answer beside the store, which it does not change.
    ///
    /// `fetch` says when it was fetched. `generation` is that of the store when the answer was asked for; the newest if
    /// it is nil.
    package func normalize(
        _ body: [UInt8], for operation: BoundOperation, fetch: FetchMark? = nil, generation: Int? = nil
    ) throws(ResponseError) -> StagedResponse {
        try normalize(body, for: operation, fetch, generation: generation, base: records)
    }

    /// Reads an answer that is only expected: all of it is staged, whatever the store holds.
    package func normalizeExpected(
        _ body: [UInt8], for operation: BoundOperation
    ) throws(ResponseError) -> StagedResponse {
        try normalize(body, for: operation, nil, generation: version.generation, base: Records())
    }

    private func normalize(
        _ body: [UInt8], for operation: BoundOperation, _ fetch: FetchMark?, generation: Int?, base: consuming Records
    ) throws(ResponseError) -> StagedResponse {
        if let failure = operation.failure { throw failure }
        let hold = NumberHold(names)
        let root = operation.artifact.kind == .subscription ? names.newRoot(.subscription) : operation.root
        let generation = generation ?? base.generation
        var reader = ResponseReader(
            normalizer: Normalizer(
                plan: operation.plans.write, scalars: operation.artifact.scalars, customDataID: customDataID,
                base: consume base),
            root: root)
        try reader.read(body)
        var staged = reader.takeStaged()
        staged.fetch = fetch
        let response = StagedResponse(
            records: staged, handled: reader.normalizer.handled, generation: generation,
            presence: reader.presence, errors: reader.errors,
            extensions: reader.extensions, irregularities: reader.irregularities, root: root, hold: hold)
        try checkHandlers(of: response)
        return response
    }

    /// Reads a payload beside the store; the delivery knows what came before. If it throws, the delivery is as it was.
    func normalize(
        _ body: [UInt8], into delivery: inout IncrementalDelivery, fetch: FetchMark? = nil, generation: Int? = nil
    ) throws(ResponseError) -> (response: StagedResponse, isFirst: Bool, isLast: Bool) {
        let payload = try IncrementalPayload(body)
        if let failure = delivery.operation.failure { throw failure }
        var next = delivery
        let response = try next.read(payload, body, in: self, customDataID, fetch: fetch, generation: generation)
        try checkHandlers(of: response)
        delivery = next
        return (response, payload.hasData, payload.hasNext == false)
    }

    /// Says whose handler is missing for what an answer brought.
    private func checkHandlers(of response: StagedResponse) throws(ResponseError) {
        for call in response.handled where !call.isOfStore {
            if options.fieldHandlers.contains(where: { $0.name == call.handle.name }) { continue }
            throw ResponseError(.noHandler(name: call.handle.name, field: names.name(of: call.handle.source)))
        }
    }

    /// Merges an answer into the newest version and tells whose fields changed. An answer can be published once.
    ///
    /// This and the other methods that publish call `announce`, outside every lock, when the change has landed and
    /// nobody was told of it yet. The answer lands under the optimistic layers; the one that it replaces is dropped in
    /// the same publish. With `isNewer` what queries in flight bring is older, also if the answer is one of a query
    /// itself.
    @discardableResult
    package func publish(
        _ response: StagedResponse, for operation: BoundOperation, request: Int? = nil, dropping layer: LayerID? = nil,
        isNewer: Bool = false,
        announce: (PublishSummary) -> Void = { _ in }
    ) -> PublishSummary {
        if response.root != operation.root { operations.withLock { $0.note(event: response.root, of: operation) } }
        return withExtendedLifetime(response) {
            // Not by way of a variable: that would hold the version that the answer was compared with, and what changes
            // would be copied.
            publish(
                Publication(response, source: .answer(operation.artifact, request: request ?? 0, operation.key)),
                layer.map { .drop([$0]) } ?? .none, by: isNewer ? .newer : writer(of: operation, request),
                privateTo: [response.root], announce: announce)
        }
    }

    func writer(of operation: BoundOperation, _ request: Int?) -> Writer {
        operation.artifact.kind == .query ? .query(request: request) : .newer
    }

    /// Lands a change of the base, of the layers, or of both, and tells whose fields changed.
    ///
    /// Records below roots that no other operation shares are not counted as changed: they are the answer of one call,
    /// and nothing else reads them.
    @discardableResult
    func publish(
        _ publication: consuming Publication, _ change: LayerChange = .none, by writer: Writer = .other,
        privateTo roots: [RecordID] = [], announce: (PublishSummary) -> Void
    ) -> PublishSummary {
        publishUnlessOvertaken(consume publication, change, by: writer, privateTo: roots, announce: announce) ?? refusal
    }

    /// What is said of a publish that did not land.
    private var refusal: PublishSummary {
        var summary = PublishSummary(epoch: epoch, recordsWritten: 0, recordsChanged: 0, subscriptionsAffected: 0)
        summary.isLanded = false
        return summary
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
        let (changes, epoch) = (landed.changes, landed.epoch)
        note(source, at: epoch, changes)
        if !landed.leftOut.isEmpty { note(landed.leftOut, at: epoch) }
        var changed = changes.changes.count - changes.repeated
        if !roots.isEmpty { changed -= names.count(changes.changes.map(\.record), below: roots) }
        var summary = PublishSummary(
            epoch: epoch, recordsWritten: changes.recordsWritten, recordsChanged: changed, subscriptionsAffected: 0)
        summary.typeChanges = changes.typeChanges
        let subscribers: [any StoreSubscriber]
        (subscribers, summary.subscriptionsChecked) =
            changes.isEmpty ? ([], 0) : subscriptions.withLock { ($0.affected(by: changes), $0.checked) }
        summary.subscriptionsAffected = subscribers.count
        announce(summary)
        if changes.invalidates { invalidationWatch.notify() }
        for failure in landed.failures { failure.layer.failed(failure.error) }
        for subscriber in subscribers { subscriber.storeDidChange(at: epoch) }
        if landed.hasStaleLayers, !LayerRun.isInside { runStaleLayers(after: change, announce: announce) }
        collector.wantIfGrown()
        return summary
    }

    /// Tries once more to run the layers that could not be run; gives up after that.
    private func runStaleLayers(after change: LayerChange, announce: (PublishSummary) -> Void) {
        if case .rerun = change { return }
        publish(nothing, .rerun, announce: announce)
    }

    /// What became of a publish.
    enum Landing {
        case landed(Landed)
        /// The store was emptied since the work began.
        case refused
        /// What an update read has changed since.
        case overtaken
    }

    private func land(_ publication: consuming Publication, _ change: LayerChange, by author: Writer) -> Landing {
        let generation = publication.generation
        var publication = Optional(consume publication)
        // What was staged, and the versions that it goes with, are let go of when no lock is held: values of the
        // application may go then.
        var kept: (staged: StagedRecords, base: Records?)?
        var check: UpdateCheck?
        defer { withExtendedLifetime((kept, check)) {} }
        let landing = writer.withLock { order -> Landing? in
            var work = publication.take() ?? Publication(generation: generation)
            let now = version
            kept = keep(work.records)
            guard work.generation == now.generation else { return .refused }
            let isCurrent = work.check?.isCurrent(at: now.epoch) ?? false
            if !isCurrent, let reads = work.check {
                check = reads
                guard reads.holds(in: state.withLock { $0 }, names) else { return .overtaken }
            }
            // Layers may have to run, and others publish meanwhile: then it is looked at and prepared again.
            var asItCame = order.layers.isEmpty ? nil : work
            prepare(&work, author, order)
            if concernsLayers(work.records, change, order) {
                publication = asItCame ?? work
                return nil
            }
            // A merge in place needs the version for itself. It is the newest, so that nothing goes with it.
            asItCame = nil
            if isCurrent { work.check?.letGo() }
            work.check = nil
            if order.notes.isNoting { note(work.records, author, &order) }
            let leftOut = work.leftOut
            let (changes, epoch) = merge(work.takeRecords())
            return .landed(Landed(changes: changes, epoch: epoch, leftOut: leftOut))
        }
        if let landing { return landing }
        return landThroughLayers(publication.take() ?? Publication(generation: generation), change, by: author)
    }

    /// What has to outlive a publish of what is staged, besides its check. Not the version that it was compared with,
    /// if nothing goes with that: what is held would be copied when it is changed (benchmark `small.write-us`).
    private func keep(_ staged: borrowing StagedRecords) -> (staged: StagedRecords, base: Records?) {
        var kept = copy staged
        let base = kept.base
        kept.base = nil
        guard let base, !state.withLock({ base.sharesValues(with: $0) }) else { return (kept, nil) }
        return (kept, base)
    }

    /// Makes what was staged fit the version on which it lands; for those who hold `writer`, since nothing else is
    /// published meanwhile.
    ///
    /// If it is to last beyond that, it keeps what it depends on: see `hasMoved`.
    func prepare(
        _ publication: inout Publication, _ author: Writer, _ order: borrowing PublishOrder, isToLast: Bool = false
    ) {
        if publication.records.base != nil { publication.records.settle(against: state.withLock { $0 }, names) }
        if order.notes.isNoting { leaveNewer(&publication, author, order) }
        guard !publication.records.found.isEmpty || !publication.handled.isEmpty else { return }
        let records = records
        var reads = UpdateReads()
        if !publication.records.found.isEmpty, !order.layers.isEmpty {
            for field in publication.records.found { reads.note(field.key, of: field.record) }
            publication.records.stageFound(under: records, names)
        }
        if !publication.handled.isEmpty {
            let calls = publication.handled.filter(\.isOfStore)
            publication.handled = []
            reads.add(publication.records.runConnectionHandlers(calls, over: records, names))
        }
        if isToLast { publication.fit = UpdateCheck(reads, [], last: records) }
    }

    /// Says whether what is staged, which was prepared for a version, would be prepared otherwise for the newest.
    func hasMoved(_ publication: borrowing Publication, since epoch: Epoch) -> Bool {
        let records = records
        guard records.epoch != epoch else { return false }
        return publication.fit?.holds(in: records, names) == false
            || publication.records.confirmed.contains { records.isOtherwise($0, since: epoch) }
            || publication.records.confirmedIDs.contains { records.changed($0.record) > epoch }
    }

    /// Takes out of the answer of a query what is newer; for those who hold `writer`.
    func leaveNewer(_ publication: inout Publication, _ author: Writer, _ order: borrowing PublishOrder) {
        guard case .query(let request?) = author else { return }
        let records = state.withLock { $0 }
        order.notes.leaveNewer(&publication, of: request, records, names)
    }

    /// Notes what is newer than the answers of queries in flight; for those who hold `writer`.
    func note(_ staged: borrowing StagedRecords, _ author: Writer, _ order: inout PublishOrder) {
        if case .query(let request?) = author { order.notes.land(request) }
        guard case .newer = author else { return }
        let records = state.withLock { $0 }
        order.notes.note(staged, at: records.epoch + 1, in: records)
    }

    private func concernsLayers(
        _ staged: borrowing StagedRecords, _ change: LayerChange, _ order: borrowing PublishOrder
    ) -> Bool {
        switch change {
        case .put: true
        case .drop, .rerun: !order.layers.isEmpty
        case .none: !order.layers.isEmpty && state.withLock { order.layers.concerns(staged, in: $0) }
        }
    }

    /// Merges what is staged, and makes records what layers make of them; for those who hold `writer`.
    func merge(
        _ staged: consuming StagedRecords, _ targets: [LayerReplay.Target] = []
    ) -> (ChangeSet, Epoch) {
        let run = callingUpdate
        let before = run == nil ? nil : state.withLock { $0 }
        defer { if let run, let before { run.note(from: before, to: state.withLock { $0 }) } }
        var staged = staged
        let count = staged.entries.count + targets.count
        if count <= Self.largestInPlace, staged.confirmed.count <= Self.smallConfirmation {
            var held = Optional(staged)
            let merged = state.withLock { records -> (ChangeSet, Epoch)? in
                guard count <= Self.smallMerge || records.isHeldOnce() else { return nil }
                var changes = records.merge(held.take() ?? StagedRecords(), names)
                if !targets.isEmpty {
                    records.settle(targets, names, &changes)
                    collector.note(targets)
                }
                collector.note(changes, records.rowCount)
                return (changes, records.epoch)
            }
            if let merged { return merged }
            staged = held.take() ?? StagedRecords()
        }
        var next = state.withLock { $0 }
        var changes = next.merge(staged, names)
        if !targets.isEmpty {
            next.settle(targets, names, &changes)
            collector.note(targets)
        }
        collector.note(changes, next.rowCount)
        let epoch = next.epoch
        // The old version goes after the lock is given back.
        state.withLock { swap(&$0, &next) }
        return (changes, epoch)
    }
}
