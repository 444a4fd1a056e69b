extension Store {
    /// How often layers are run again because of other publishes before they are left as they are until the next.
    private static let maximumAttempts = 64

    // MARK: - Layers

    /// Puts a layer on top of all others.
    package func apply(
        _ change: @escaping @Sendable (RecordSourceProxy) throws -> Void,
        failed: @escaping @Sendable (any Error) -> Void = { _ in },
        announce: (PublishSummary) -> Void = { _ in }
    ) -> LayerID {
        apply(.updater(change), failed: failed, announce: announce)
    }

    /// Puts the answer that an operation is expected to have on top of all others. It can be used once.
    package func apply(
        _ response: StagedResponse, failed: @escaping @Sendable (any Error) -> Void = { _ in },
        announce: (PublishSummary) -> Void = { _ in }
    ) -> LayerID {
        withExtendedLifetime(response) {
            apply(.response(response.takeForLayer()), failed: failed, announce: announce)
        }
    }

    private func apply(
        _ change: OptimisticLayer.Change, failed: @escaping @Sendable (any Error) -> Void,
        announce: (PublishSummary) -> Void
    ) -> LayerID {
        let id = writer.withLock { $0.layers.nextID() }
        let layer = OptimisticLayer(id: id, change: change, failed: failed)
        var staged = nothing
        if case .response(let records) = change {
            // What answers show of types stays, also when the layer goes.
            let known = self.records.facts
            staged.facts = records.facts.filter { known[$0.key] == nil }
        }
        publish(staged, .put(layer), announce: announce)
        return id
    }

    /// Puts another updater in the place of a layer; does nothing if the layer is gone.
    package func replace(
        _ id: LayerID, with change: @escaping @Sendable (RecordSourceProxy) throws -> Void,
        failed: @escaping @Sendable (any Error) -> Void = { _ in },
        announce: (PublishSummary) -> Void = { _ in }
    ) {
        guard writer.withLock({ $0.layers[id] != nil }) else { return }
        let layer = OptimisticLayer(id: id, change: .updater(change), failed: failed)
        publish(nothing, .put(layer), announce: announce)
    }

    /// Takes a layer away; false if it was gone already.
    @discardableResult
    package func drop(_ id: LayerID, announce: (PublishSummary) -> Void = { _ in }) -> Bool {
        guard writer.withLock({ $0.layers[id] != nil }) else { return false }
        publish(nothing, .drop(id), announce: announce)
        return true
    }

    /// A change of the base that does nothing.
    var nothing: StagedRecords {
        var staged = StagedRecords()
        staged.generation = version.generation
        return staged
    }

    /// The number of layers.
    package var layerCount: Int { writer.withLock { $0.layers.count } }

    /// Every record that a layer read or wrote, and every record to which one of them links without layers: what a collection has to keep.
    package var recordsOfLayers: [RecordID] {
        let (touched, covered) = writer.withLock { order in
            (Array(order.layers.records), state.withLock { $0.covered })
        }
        var found = Set(touched)
        for record in covered.values {
            for value in record.values { value.forEachLink { found.insert($0) } }
        }
        return Array(found)
    }

    // MARK: - Publishing through layers

    /// What a publish did.
    struct Landed {
        var changes: ChangeSet
        var epoch: Epoch
        /// Let go of outside every lock: they may be the last to hold objects of the application.
        var retired: [OptimisticLayer] = []
        var failures: [LayerReplay.Failure] = []
        /// Layers were left as they are although something has changed below them.
        var hasStaleLayers = false
        /// What of an answer came too late.
        var leftOut: [LeftOut] = []
    }

    /// Lands a change of the base, of the layers or of both where layers are concerned.
    ///
    /// The layers run on a version that is set aside. If somebody else has published meanwhile what matters to them, they run again, a bounded number of
    /// times; then, and inside of an updater, they stay as they are until the next publish.
    func landThroughLayers(_ staged: StagedRecords, _ change: LayerChange, by author: Writer) -> Landing {
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        var change = change
        var extra = Extra()
        for _ in 0..<(LayerRun.isInside ? 0 : Self.maximumAttempts) {
            let (replay, ready) = replay(staged, change, author, extra)
            if let landing = writer.withLock({ commit(replay, ready, change, author, &$0) }) { return landing }
            extra.records.formUnion(replay.newlyTouched)
            if replay.layers.contains(where: { $0.readsAll }) { extra.readsAll = true }
            if case .put(let layer) = change, let run = replay.layers.first(where: { $0.id == layer.id }) {
                change = .put(run)
            }
        }
        return writer.withLock { order in
            if let refusal = refusal(of: staged) { return refusal }
            var ready = staged
            prepare(&ready, author, order)
            let begin = start(ready, change, extra, order)
            let replay = LayerReplay(begin, ready, runsUpdaters: false, names)
            return .landed(land(replay, ready, change, author, &order))
        }
    }

    /// Why nothing of what is staged may land; for those who hold `writer`.
    private func refusal(of staged: StagedRecords) -> Landing? {
        let records = records
        guard staged.generation == records.generation else { return .refused }
        return staged.check?.holds(in: records, names) == false ? .overtaken : nil
    }

    /// What a run of the layers has shown to matter.
    struct Extra {
        var records: Set<RecordID> = []
        var readsAll = false
    }

    /// Runs the layers on the newest version, which it does not keep; with what is staged as it would land there.
    private func replay(
        _ staged: StagedRecords, _ change: LayerChange, _ author: Writer, _ extra: Extra
    ) -> (LayerReplay, StagedRecords) {
        let (begin, ready) = writer.withLock { order in
            var ready = staged
            prepare(&ready, author, order, isToLast: true)
            return (start(ready, change, extra, order), ready)
        }
        return (LayerReplay(begin, ready, runsUpdaters: true, names), ready)
    }

    private func start(
        _ staged: StagedRecords, _ change: LayerChange, _ extra: Extra, _ order: borrowing PublishOrder
    ) -> LayerReplay.Start {
        let records = state.withLock { $0 }
        let component = order.layers.component(
            of: staged, change, and: extra.records, readsAll: extra.readsAll, in: records)
        var layers: [OptimisticLayer] = []
        var mustRun: Set<LayerID> = order.layers.stale
        var dirty: Set<RecordID> = []
        for id in component.layers {
            guard let layer = order.layers[id] else { continue }
            switch change {
            case .drop(id): dirty.formUnion(layer.outcome.entries.map(\.record))
            case .put(let new) where new.id == id: dirty.formUnion(layer.outcome.entries.map(\.record))
            default: layers.append(layer)
            }
        }
        if case .put(let layer) = change {
            mustRun.insert(layer.id)
            layers.insert(layer, at: layers.firstIndex { $0.id > layer.id } ?? layers.count)
        }
        return LayerReplay.Start(
            records: records, component: component, layers: layers, mustRun: mustRun, dirty: dirty)
    }

    /// Lands a replay if it is what it would be now; nil if something else was published meanwhile that matters.
    private func commit(
        _ replay: LayerReplay, _ staged: StagedRecords, _ change: LayerChange, _ author: Writer,
        _ order: inout PublishOrder
    ) -> Landing? {
        if let refusal = refusal(of: staged) { return refusal }
        if case .query = author, order.notes.newest > replay.epoch { return nil }
        if hasMoved(staged, since: replay.epoch) { return nil }
        let isValid = state.withLock { records -> Bool in
            let touched = replay.component.records.union(replay.newlyTouched)
            // Every publish that has to do with a layer gives it another stamp.
            let readsAll = replay.layers.contains { $0.readsAll }
            let now = order.layers.component(of: staged, change, and: touched, readsAll: readsAll, in: records)
            guard now.layers == replay.component.layers, now.stamps == replay.component.stamps else { return false }
            guard records.epoch != replay.epoch else { return true }
            if touched.contains(where: { records.changed($0) > replay.epoch }) { return false }
            let haveFactsChanged = records.factsChanged > replay.epoch
            return !replay.layers.contains { $0.readsAll || $0.usesTypeFacts && haveFactsChanged }
        }
        return isValid ? .landed(land(replay, staged, change, author, &order)) : nil
    }

    private func land(
        _ replay: LayerReplay, _ staged: StagedRecords, _ change: LayerChange, _ author: Writer,
        _ order: inout PublishOrder
    ) -> Landed {
        if order.notes.isNoting { note(staged, author, &order) }
        var staged = staged
        for target in replay.targets {
            if let position = staged.position(of: target.record) { staged.skip(position) }
        }
        var (changes, epoch) = merge(staged, replay.targets)
        var retired: [OptimisticLayer] = []
        if case .drop(let id) = change, let old = order.layers.remove(id) { retired.append(old) }
        for layer in replay.layers {
            if let old = order.layers.put(layer, isStale: replay.stale.contains(layer.id)) { retired.append(old) }
            if case .put(let new) = change, new.id == layer.id { changes.recordsWritten += layer.outcome.count }
        }
        return Landed(
            changes: changes, epoch: epoch, retired: retired, failures: replay.failures,
            hasStaleLayers: !order.layers.stale.isEmpty, leftOut: staged.leftOut)
    }
}

extension Value {
    /// Calls a function with every record to which the value links.
    func forEachLink(_ body: (RecordID) -> Void) {
        switch self {
        case .link(let record): body(record)
        case .links(let records): for record in records where record != .none { body(record) }
        case .list(let values): for value in values { value.forEachLink(body) }
        default: break
        }
    }
}
