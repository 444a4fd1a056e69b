// The steps of a publish that has the turn.

extension PublishTurn {
    /// The greatest number of records that are merged in place while a thread holds the version. The row of each record
    /// is then copied, and readers wait.
    private static let smallMerge = 64
    /// The greatest number of records that are merged in place while no thread holds the version. Nothing is copied,
    /// and readers wait for less than a millisecond.
    private static let largestInPlace = 1024
    /// The greatest number of confirmed records that are stamped in place.
    private static let smallConfirmation = 4096

    /// Lands a publication, unless layers have to run first.
    mutating func land(_ passage: inout Passage, _ change: LayerChange, by author: Writer) -> TurnResult {
        passage.keepValues(besides: newest)
        let now = newest.version
        guard passage.publication.generation == now.generation else { return .ended(.refused) }
        guard passage.passesCheck(in: newest, at: now.epoch, names) else { return .ended(.overtaken) }
        if !layers.isEmpty { passage.keepCopy() }
        prepare(&passage.publication, by: author)
        if concernsLayers(passage.publication.records, change) {
            passage.beginAgain()
            return .layersMustRun
        }
        passage.letGo(at: now.epoch)
        noteNewer(passage.publication.records, by: author)
        let (changes, epoch) = merge(passage.publication.records.take())
        return .ended(
            .published(PublishEffect(changes: changes, epoch: epoch, leftOut: passage.publication.leftOut)))
    }

    /// Fits a publication to the newest version, on which it lands if no other publish comes first.
    ///
    /// If `isToLast` is true, the publication keeps the reads that it depends on after the turn too, for `hasMoved`.
    func prepare(_ publication: inout Publication, by author: Writer, isToLast: Bool = false) {
        if let base = publication.records.base?.epoch {
            // Most responses were compared with the version that is still the newest. Then no value has to be staged.
            if base == newest.epoch {
                publication.records.base = nil
            } else {
                publication.records.stageConfirmed(against: newest.records, names)
            }
        }
        if newer.isNoting { leaveNewer(&publication, by: author) }
        if !publication.records.growths.isEmpty {
            publication.records.compareGrowths(with: listsInStep)
            settleGrowths(of: &publication.records)
        }
        guard
            !publication.records.found.isEmpty || !publication.handled.isEmpty || !publication.records.underlaid.isEmpty
        else { return }
        let records = records
        var reads = UpdateReads()
        if !publication.records.underlaid.isEmpty {
            publication.records.stageUnderlaid(
                over: records, names, &reads, clears: disk?.clearing.count ?? 0)
        }
        if !publication.records.found.isEmpty, !layers.isEmpty {
            for field in publication.records.found { reads.noteField(field.key, of: field.record) }
            publication.records.stageFound(under: records, names)
        }
        if !publication.handled.isEmpty {
            let calls = publication.handled.filter(\.isPage)
            publication.handled = []
            reads.add(publication.records.runConnectionHandlers(calls, over: records, names, listsInStep))
            if !publication.records.growths.isEmpty {
                publication.records.compareGrowths(with: listsInStep)
                if !layers.isEmpty { settleGrowths(of: &publication.records) }
            }
        }
        if isToLast { publication.fit = UpdateCheck(reads, [], last: records) }
    }

    /// Stages whole lists for layers, which look at values, and for handlers where the lists were changed by others.
    private func settleGrowths(of staged: inout StagedRecords) {
        let hasLayers = !layers.isEmpty
        staged.settleGrowths(over: newest.records, names) { _, growth, current in !hasLayers && growth.fits(current) }
    }

    /// Returns true if a publication that was prepared for a version would be prepared differently for the newest one.
    func hasMoved(_ publication: borrowing Publication, since epoch: Epoch) -> Bool {
        let records = records
        guard records.epoch != epoch else { return false }
        return publication.fit?.holds(in: records, names) == false
            || publication.records.confirmed.contains { records.isOtherwise($0, since: epoch) }
            || publication.records.confirmedIDs.contains { records.changed($0.record) > epoch }
            || publication.records.confirmedLinks.contains { list in
                if records.changed(list.record) > epoch { return true }
                guard case .links(let links)? = records.value(list.key, of: list.record) else { return false }
                return links.prefix(list.count).contains { $0 != .none && records.changed($0) > epoch }
            }
    }

    /// Removes the fields from a query's response for which the store has newer data.
    private func leaveNewer(_ publication: inout Publication, by author: Writer) {
        guard case .query(let request?) = author else { return }
        let records = newest.records
        newer.leaveNewer(&publication, of: request, records, names)
    }

    /// Notes the writes that are newer than the responses of queries in flight.
    mutating func noteNewer(_ staged: borrowing StagedRecords, by author: Writer) {
        guard newer.isNoting else { return }
        if case .query(let request?) = author { newer.responseLanded(request) }
        guard case .newer = author else { return }
        let records = newest.records
        newer.noteWrites(staged, at: records.epoch + 1, in: records)
    }

    /// Returns true if a publish may change the results of layers.
    func concernsLayers(_ staged: borrowing StagedRecords, _ change: LayerChange) -> Bool {
        switch change {
        case .put: true
        case .drop, .rerun: !layers.isEmpty
        case .none: !layers.isEmpty && layers.concerns(staged, in: newest.records)
        }
    }

    /// Merges staged records and the results of layers.
    mutating func merge(
        _ staged: consuming StagedRecords, _ targets: [LayerReplay.Target] = []
    ) -> (ChangeSet, Epoch) {
        let added = staged.growths.isEmpty ? [] : newest.look { staged.marksOfGrowths(over: $0) }
        let unwritten = unwritten == nil ? nil : changesToWrite(of: staged, targets)
        let (changes, epoch) = mergeRecords(staged, targets)
        if let unwritten { noteUnwritten(changes, unwritten) }
        listsInStep.note(changes, added: added)
        return (changes, epoch)
    }

    private func mergeRecords(
        _ staged: consuming StagedRecords, _ targets: [LayerReplay.Target]
    ) -> (ChangeSet, Epoch) {
        let run = updates.calling
        let before = run == nil ? nil : newest.records
        defer { if let run, let before { run.notePublish(from: before, to: newest.records) } }
        var staged = staged
        let count = staged.entries.count + targets.count
        if count <= Self.largestInPlace, staged.confirmed.count <= Self.smallConfirmation {
            var held = Optional(consume staged)
            let merged = change { records -> (ChangeSet, Epoch)? in
                guard count <= Self.smallMerge || records.isHeldOnce() else { return nil }
                var changes = records.merge(held.take() ?? StagedRecords(), names)
                if !targets.isEmpty {
                    records.setTargets(targets, names, &changes)
                    inbox.addTargets(targets, in: records)
                }
                inbox.addChanges(changes)
                growth.setCount(of: records)
                return (changes, records.epoch)
            }
            if let merged { return merged }
            staged = held.take() ?? StagedRecords()
        }
        var next = newest.records
        var changes = next.merge(staged, names)
        if !targets.isEmpty {
            next.setTargets(targets, names, &changes)
            inbox.addTargets(targets, in: next)
        }
        inbox.addChanges(changes)
        growth.setCount(of: next)
        let epoch = next.epoch
        // The old version is freed after the lock is released.
        change { swap(&$0, &next) }
        return (changes, epoch)
    }
}
