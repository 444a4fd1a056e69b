extension PublishTurn {
    /// Returns the reason why a publication may not land; nil if it may land.
    func refusal(of publication: borrowing Publication) -> PublishResult? {
        let records = newest.records
        guard publication.generation == records.generation else { return .refused }
        return publication.check?.holds(in: records, names) == false ? .overtaken : nil
    }

    /// Prepares a publication for the newest version, and finds the layers that have to run.
    func begin(_ publication: borrowing Publication, _ change: LayerChange, by author: Writer, _ disk: LowerDisk?)
        -> LayerReplay
    {
        var ready = publication.copy()
        prepare(&ready, by: author, isToLast: true)
        return LayerReplay(layers, records, ready, change, names, handlers: handlers, disk: disk)
    }

    /// Lands a replay if a new replay would have the same result. Returns nil if a publish in between has changed data
    /// that the replay depends on.
    mutating func commit(_ replay: LayerReplay, by author: Writer) -> PublishResult? {
        if let refusal = refusal(of: replay.publication) { return refusal }
        if case .query = author, newer.newest > replay.epoch { return nil }
        if hasMoved(replay.publication, since: replay.epoch) { return nil }
        guard newest.look({ replay.holds(with: layers, $0) }) else { return nil }
        return .published(land(replay, by: author))
    }

    /// Merges the results of a replay, and the records of its publication that no layer reads or writes.
    mutating func land(_ replay: LayerReplay, by author: Writer) -> PublishEffect {
        var publication = replay.takePublication()
        noteNewer(publication.records, by: author)
        let (targets, leftOut) = (replay.targets, publication.leftOut)
        let changedBases = replay.stagedHere.map { publication.records.entries[$0].record } + targets.map(\.record)
        for target in targets {
            if let position = publication.records.position(of: target.record) { publication.records.skip(position) }
        }
        let now = newest.epoch
        // A held version is copied when it changes, so the holders of this version release it. If it is the newest
        // version, no value is freed with it.
        if now == replay.epoch {
            if let check = publication.check, check.isCurrent(at: now) { check.letGo() }
            publication.fit = nil
            replay.letGoOfVersion()
        }
        let checks = [publication.check, publication.fit]
        if layers.version == replay.stack.version || replay.isNewest { replay.letGoOfStack() }
        var (changes, epoch) = merge(publication.records.take(), targets)
        for layer in replay.redone where layer.id == replay.coming {
            changes.recordsWritten += layer.outcome.entries.count
        }
        let retired = layers.apply(replay, changedBases)
        inbox.addChanges(of: replay.redone)
        return PublishEffect(
            changes: changes, epoch: epoch, retired: retired, checks: checks, failures: replay.failures,
            hasStaleLayers: !layers.stale.isEmpty, leftOut: leftOut)
    }
}
