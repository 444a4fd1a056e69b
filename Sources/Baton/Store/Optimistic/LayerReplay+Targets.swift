extension LayerReplay {
    /// The result of a replay for one record.
    struct Target: Sendable {
        enum Top: Sendable {
            case unchanged
            case whole(WholeRecord)
            /// A value of nil means that the field becomes missing.
            case fields([StorageKeyID], [Value?])
        }

        enum Base: Sendable {
            /// The record is covered, and its base record has not changed.
            case unchanged
            case covered(WholeRecord)
            /// No layer writes the record.
            case uncovered
        }

        let record: RecordID
        /// The record that readers see.
        let top: Top
        /// The record without layers.
        let base: Base
    }

    /// Finds the results of all records that layers write, have written, or will write.
    func findTargets() -> [Target] {
        var found: [Target] = []
        var seen: Set<RecordID> = []
        func add(_ record: RecordID) {
            guard seen.insert(record).inserted, let target = target(record) else { return }
            found.append(target)
        }
        for record in touched.keys { add(record) }
        for record in writerChanges.keys { add(record) }
        for position in stagedHere { add(staged.entries[position].record) }
        return found
    }

    private func target(_ record: RecordID) -> Target? {
        let change = writerChanges[record] ?? 0
        let wasCovered = records.isCovered(record)
        let known = isNewest ? (wasCovered ? 1 : 0) : stack.tracks[record]?.writes ?? 0
        let isCovered = known + change > 0
        guard wasCovered || isCovered else { return nil }
        let position = staged.position(of: record).flatMap { staged.entries[$0].isSkipped ? nil : $0 }
        if position == nil, wasCovered, isCovered {
            return Target(record: record, top: top(of: record), base: .unchanged)
        }
        guard position != nil || isCovered else {
            return Target(record: record, top: top(of: record), base: .uncovered)
        }
        var base = records.base(of: record)
        if let position { merge(position, into: &base) }
        guard isCovered else { return Target(record: record, top: .whole(base), base: .uncovered) }
        // Staged changes of a record without layers have not been compared so far.
        let isNew = position != nil && !wasCovered
        return Target(
            record: record, top: isNew ? .whole(whole(record, below: .top)) : top(of: record), base: .covered(base))
    }

    private func top(of record: RecordID) -> Target.Top {
        guard let touch = touched[record] else { return .unchanged }
        if touch.isWhole { return .whole(whole(record, below: .top)) }
        let keys = touch.keys.count == 1 ? touch.keys : Set(touch.keys).sorted()
        return .fields(keys, keys.map { value($0, of: record, below: .top) })
    }

    // MARK: - Validity

    /// Returns true if a replay with the current layers and the current version would have the same result.
    func holds(with now: borrowing LayerStack, _ current: borrowing Records) -> Bool {
        let isOther = current.epoch != epoch
        let readsAll = redone.contains { $0.readsAll }
        if isOther, readsAll { return false }
        if isOther, current.facts.changed > epoch, redone.contains(where: { $0.usesTypeFacts }) { return false }
        if isNewest {
            guard let added, now.order.ids.last.map({ $0 < added }) ?? true, now.stale.isEmpty else { return false }
            if !now.readingFacts.isEmpty, staged.hasNewFacts(in: current) { return false }
            return !isOther || dependencies.allSatisfy { current.changed($0) <= epoch }
        }
        if now.version == stack.version { return !isOther || dependencies.allSatisfy { current.changed($0) <= epoch } }
        if readsAll || now.readingAll != stack.readingAll || now.stale != stack.stale { return false }
        if now.readingFacts != stack.readingFacts, staged.hasNewFacts(in: current) { return false }
        if gone.contains(where: { now[$0] == nil }) { return false }
        if let id = redone.first(where: { $0.id != added && now[$0.id] == nil })?.id, stack[id] != nil { return false }
        if let added, now[added] != nil { return false }
        let tracks = now.tracks
        let isSame = { [stack] (record: RecordID) in tracks[record]?.stamp == stack.tracks[record]?.stamp }
        for entry in staged.entries where now.isUsed(entry.record) && !isSame(entry.record) { return false }
        return dependencies.allSatisfy { isSame($0) && current.changed($0) <= epoch }
    }

    /// The records that the result depends on.
    private var dependencies: Set<RecordID> {
        var found = Set(touched.keys).union(writerChanges.keys)
        for layer in redone { for read in layer.reads { found.insert(read.record) } }
        for position in stagedHere { found.insert(staged.entries[position].record) }
        return found
    }
}
