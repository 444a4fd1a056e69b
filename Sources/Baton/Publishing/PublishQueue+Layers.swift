// Layers run outside every lock, between two turns.

extension PublishQueue {
    /// How often layers are run again because of other publishes before they are left as they are until the next.
    private static let maximumAttempts = 64

    /// Lands a change of the base, of the layers or of both where layers are concerned.
    ///
    /// Layers run against a version and the layers of one moment. If somebody else has published meanwhile what matters
    /// to them, they run again, a bounded number of times; then, and inside of an updater, they stay as they are until
    /// the next publish. What runs no layer lands at once.
    func landThroughLayers(_ publication: Publication, _ change: LayerChange, by author: Writer) -> PublishOutcome {
        let hold = NumberHold(names)
        var change = change
        // They may be the last to hold what others have taken away meanwhile.
        var replays: [LayerReplay] = []
        defer { withExtendedLifetime((hold, replays)) {} }
        for _ in 0..<(LayerRun.isInside ? 0 : Self.maximumAttempts) {
            let (replay, landing) = inTurn { turn -> (LayerReplay?, PublishOutcome?) in
                if let refusal = turn.refusal(of: publication) { return (nil, refusal) }
                let replay = turn.begin(publication, change, by: author)
                return (replay, replay.run(.notYet) ? .landed(turn.land(replay, by: author)) : nil)
            }
            if let replay { replays.append(replay) }
            if let landing { return landing }
            guard let replay else { continue }
            _ = replay.run(.now)
            if let landing = inTurn({ $0.commit(replay, by: author) }) { return landing }
            if case .put(let layer) = change, let run = replay.redone.first(where: { $0.id == layer.id }) {
                change = .put(run)
            }
            replays = [replay]
        }
        return inTurn { turn in
            if let refusal = turn.refusal(of: publication) { return refusal }
            let replay = turn.begin(publication, change, by: author)
            replays.append(replay)
            _ = replay.run(.never)
            return .landed(turn.land(replay, by: author))
        }
    }
}

extension PublishTurn {
    /// Why nothing of what is staged may land.
    fileprivate func refusal(of publication: Publication) -> PublishOutcome? {
        let records = newest.records
        guard publication.generation == records.generation else { return .refused }
        return publication.check?.holds(in: records, names) == false ? .overtaken : nil
    }

    /// Prepares what is staged for the newest version, and finds out which layers have to run.
    fileprivate func begin(_ publication: Publication, _ change: LayerChange, by author: Writer) -> LayerReplay {
        var ready = publication
        prepare(&ready, by: author, isToLast: true)
        return LayerReplay(layers, records, ready, change, names, handlers: handlers)
    }

    /// Lands a replay if it is what it would be now; nil if something else was published meanwhile that matters.
    fileprivate mutating func commit(_ replay: LayerReplay, by author: Writer) -> PublishOutcome? {
        if let refusal = refusal(of: replay.publication) { return refusal }
        if case .query = author, newer.newest > replay.epoch { return nil }
        if hasMoved(replay.publication, since: replay.epoch) { return nil }
        guard newest.look({ replay.holds(with: layers, $0) }) else { return nil }
        return .landed(land(replay, by: author))
    }

    /// Merges what layers make of a publication, and what of it they leave alone.
    fileprivate mutating func land(_ replay: LayerReplay, by author: Writer) -> Landed {
        var publication = replay.takePublication()
        noteNewer(publication.records, by: author)
        let (targets, leftOut) = (replay.targets, publication.leftOut)
        let changedBases = replay.stagedHere.map { publication.records.entries[$0].record } + targets.map(\.record)
        for target in targets {
            if let position = publication.records.position(of: target.record) { publication.records.skip(position) }
        }
        let now = newest.epoch
        // What is held is copied when it is changed. Of the newest version nothing goes with it.
        if now == replay.epoch {
            if let check = publication.check, check.isCurrent(at: now) { check.letGo() }
            publication.fit = nil
            replay.letGoOfVersion()
        }
        let checks = [publication.check, publication.fit]
        if layers.version == replay.stack.version || replay.isNewest { replay.letGoOfStack() }
        var (changes, epoch) = merge(publication.takeRecords(), targets)
        for layer in replay.redone where layer.id == replay.coming {
            changes.recordsWritten += layer.outcome.entries.count
        }
        let retired = layers.apply(replay, changedBases)
        return Landed(
            changes: changes, epoch: epoch, retired: retired, checks: checks, failures: replay.failures,
            hasStaleLayers: !layers.stale.isEmpty, leftOut: leftOut)
    }
}
