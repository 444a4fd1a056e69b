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
            apply(
                .response(response.takeForLayer(), handled: response.handled), root: response.root, failed: failed,
                announce: announce)
        }
    }

    private func apply(
        _ change: OptimisticLayer.Change, root: RecordID? = nil, failed: @escaping @Sendable (any Error) -> Void,
        announce: (PublishSummary) -> Void
    ) -> LayerID {
        let id = writer.withLock { $0.layers.nextID() }
        let layer = OptimisticLayer(id: id, change: change, root: root, failed: failed)
        var publication = nothing
        if case .response(let records, _) = change {
            // What answers show of types stays, also when the layer goes.
            let known = self.records.facts
            publication.records.facts = records.facts.filter { known[$0.key] == nil }
        }
        publish(publication, .put(layer), privateTo: root.map { [$0] } ?? [], announce: announce)
        return id
    }

    /// Puts another updater in the place of a layer; does nothing if the layer is gone.
    package func replace(
        _ id: LayerID, with change: @escaping @Sendable (RecordSourceProxy) throws -> Void,
        failed: @escaping @Sendable (any Error) -> Void = { _ in },
        announce: (PublishSummary) -> Void = { _ in }
    ) {
        guard writer.withLock({ $0.layers[id] != nil }) else { return }
        let layer = OptimisticLayer(id: id, change: .updater(change), isReplacement: true, failed: failed)
        publish(nothing, .put(layer), announce: announce)
    }

    /// Takes a layer away; false if it was gone already.
    @discardableResult
    package func drop(_ id: LayerID, announce: (PublishSummary) -> Void = { _ in }) -> Bool {
        drop([id], announce: announce)
    }

    /// Takes layers away in one publish; false if all were gone already.
    @discardableResult
    package func drop(_ ids: [LayerID], announce: (PublishSummary) -> Void = { _ in }) -> Bool {
        let layers = writer.withLock { order in ids.compactMap { order.layers[$0] } }
        guard !layers.isEmpty else { return false }
        publish(nothing, .drop(ids), privateTo: layers.compactMap(\.root), announce: announce)
        return true
    }

    /// A change of the base that does nothing.
    var nothing: Publication { Publication(generation: version.generation) }

    /// The number of layers.
    package var layerCount: Int { writer.withLock { $0.layers.count } }

    /// Every record that a layer read or wrote, and every record to which one of them links without layers: what a
    /// collection has to keep.
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
        fileprivate(set) var checks: [UpdateCheck?] = []
        var failures: [LayerReplay.Failure] = []
        /// Layers were left as they are although something has changed below them.
        var hasStaleLayers = false
        /// What of an answer came too late.
        var leftOut: [LeftOut] = []
    }

    /// Lands a change of the base, of the layers or of both where layers are concerned.
    ///
    /// Layers run against a version and the layers of one moment. If somebody else has published meanwhile what matters
    /// to them, they run again, a bounded number of times; then, and inside of an updater, they stay as they are until
    /// the next publish. What runs no layer lands at once.
    func landThroughLayers(_ publication: Publication, _ change: LayerChange, by author: Writer) -> Landing {
        let hold = NumberHold(names)
        var change = change
        // They may be the last to hold what others have taken away meanwhile.
        var replays: [LayerReplay] = []
        defer { withExtendedLifetime((hold, replays)) {} }
        for _ in 0..<(LayerRun.isInside ? 0 : Self.maximumAttempts) {
            let (replay, landing) = writer.withLock { order -> (LayerReplay?, Landing?) in
                if let refusal = refusal(of: publication) { return (nil, refusal) }
                let replay = begin(publication, change, author, order)
                return (replay, replay.run(.notYet) ? .landed(land(replay, author, &order)) : nil)
            }
            if let replay { replays.append(replay) }
            if let landing { return landing }
            guard let replay else { continue }
            _ = replay.run(.now)
            if let landing = writer.withLock({ commit(replay, author, &$0) }) { return landing }
            if case .put(let layer) = change, let run = replay.redone.first(where: { $0.id == layer.id }) {
                change = .put(run)
            }
            replays = [replay]
        }
        return writer.withLock { order in
            if let refusal = refusal(of: publication) { return refusal }
            let replay = begin(publication, change, author, order)
            replays.append(replay)
            _ = replay.run(.never)
            return .landed(land(replay, author, &order))
        }
    }

    /// Why nothing of what is staged may land; for those who hold `writer`.
    private func refusal(of publication: Publication) -> Landing? {
        let records = state.withLock { $0 }
        guard publication.generation == records.generation else { return .refused }
        return publication.check?.holds(in: records, names) == false ? .overtaken : nil
    }

    /// Prepares what is staged for the newest version, and finds out which layers have to run; for those who hold
    /// `writer`.
    private func begin(
        _ publication: Publication, _ change: LayerChange, _ author: Writer, _ order: borrowing PublishOrder
    ) -> LayerReplay {
        var ready = publication
        prepare(&ready, author, order, isToLast: true)
        return LayerReplay(order.layers, records, ready, change, names, handlers: options.fieldHandlers)
    }

    /// Lands a replay if it is what it would be now; nil if something else was published meanwhile that matters.
    private func commit(_ replay: LayerReplay, _ author: Writer, _ order: inout PublishOrder) -> Landing? {
        if let refusal = refusal(of: replay.publication) { return refusal }
        if case .query = author, order.notes.newest > replay.epoch { return nil }
        if hasMoved(replay.publication, since: replay.epoch) { return nil }
        guard state.withLock({ replay.holds(with: order.layers, $0) }) else { return nil }
        return .landed(land(replay, author, &order))
    }

    /// For those who hold `writer`.
    private func land(_ replay: LayerReplay, _ author: Writer, _ order: inout PublishOrder) -> Landed {
        var publication = replay.takePublication()
        if order.notes.isNoting { note(publication.records, author, &order) }
        let (targets, leftOut) = (replay.targets, publication.leftOut)
        let changedBases = replay.stagedHere.map { publication.records.entries[$0].record } + targets.map(\.record)
        for target in targets {
            if let position = publication.records.position(of: target.record) { publication.records.skip(position) }
        }
        let now = version.epoch
        // What is held is copied when it is changed. Of the newest version nothing goes with it.
        if now == replay.epoch {
            if let check = publication.check, check.isCurrent(at: now) { check.letGo() }
            publication.fit = nil
            replay.letGoOfVersion()
        }
        let checks = [publication.check, publication.fit]
        if order.layers.version == replay.stack.version || replay.isNewest { replay.letGoOfStack() }
        var (changes, epoch) = merge(publication.takeRecords(), targets)
        for layer in replay.redone where layer.id == replay.coming {
            changes.recordsWritten += layer.outcome.entries.count
        }
        let retired = order.layers.apply(replay, changedBases)
        return Landed(
            changes: changes, epoch: epoch, retired: retired, checks: checks, failures: replay.failures,
            hasStaleLayers: !order.layers.stale.isEmpty, leftOut: leftOut)
    }
}
