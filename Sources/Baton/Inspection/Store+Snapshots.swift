extension Store {
    /// The whole store as data, without optimistic layers and without the answers of mutations and events that nothing links to.
    ///
    /// Takes time linear in the store; nobody waits for it.
    package func snapshot(at now: Duration = .zero) -> [UInt8] {
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        var writer = SnapshotWriter(records, names, operations.withLock { $0.fetched }, at: now)
        return writer.bytes()
    }

    /// Puts what a snapshot holds in the place of everything, in one publish, and tells those whose fields are different then.
    ///
    /// Whole or not at all: if it throws, nothing has changed. Takes time linear in the store and in the snapshot. `elapsed` is the time since the snapshot was taken,
    /// which the ages in it do not count.
    @discardableResult
    package func restore(
        _ bytes: [UInt8], at now: Duration = .zero, elapsed: Duration = .zero,
        announce: (PublishSummary) -> Void = { _ in }
    ) throws(SnapshotError) -> PublishSummary {
        let snapshot = try SnapshotReader.read(bytes)
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        let records = try snapshot.intern(names)
        let taken = now - max(elapsed, .zero)
        let landed = writer.withLock {
            order -> (changes: ChangeSet, epoch: Epoch, old: Records, keys: [FetchRecord])? in
            guard order.layers.isEmpty else { return nil }
            let old = state.withLock { $0 }
            var next = old
            let changes = next.restore(snapshot, records, names, at: taken)
            let fetched = snapshot.operations.map { operation in
                OperationTable.Restored(
                    name: operation.name, variables: operation.variables,
                    fetch: FetchRecord(
                        key: operation.keys.keys.isEmpty ? nil : operation.keys, time: taken - operation.age,
                        epoch: old.epoch + 1 + Epoch(operation.moment),
                        isRevoked: operation.isRevoked))
            }
            let retired = operations.withLock { operations in
                operations.restore(fetched)
                return operations.takeRetired()
            }
            let epoch = next.epoch
            collector.noteRestore(changes, next.rowCount)
            state.withLock { $0 = next }
            // The old version goes when no lock is held.
            return (changes, epoch, old, retired)
        }
        guard let landed else { throw .changesInFlight }
        let changes = landed.changes
        let subscribers = changes.isEmpty ? [] : subscriptions.withLock { $0.affected(by: changes) }
        let summary = PublishSummary(
            epoch: landed.epoch, recordsWritten: changes.recordsWritten,
            recordsChanged: changes.changes.count - changes.repeated, subscriptionsAffected: subscribers.count)
        note(.restore, at: landed.epoch, changes)
        announce(summary)
        invalidationWatch.notify()
        for subscriber in subscribers { subscriber.storeDidChange(at: landed.epoch) }
        return summary
    }
}

extension DecodedSnapshot {
    /// The numbers of the identities.
    fileprivate func intern(_ names: NameTable) throws(SnapshotError) -> [RecordID] {
        var records: [RecordID] = []
        records.reserveCapacity(ids.count)
        var known = RecordSet()
        for id in ids {
            let record =
                switch id {
                case .text(let text): names.record(chosen: DataID(text))
                case .place(let parent, let key, let index):
                    names.record(parent: records[parent], key: names.key(key), index: index)
                }
            guard record == .none || known.insert(record) else {
                throw .notASnapshot("identity \(records.count) is there twice")
            }
            records.append(record)
        }
        return records
    }

    fileprivate static func value(_ value: Value, _ records: [RecordID]) -> Value {
        switch value {
        case .link(let target): .link(records[Int(target.index)])
        case .links(let targets): .links(targets.map { $0 == .none ? .none : records[Int($0.index)] })
        case .list(let values) where value.holdsLinks: .list(values.map { self.value($0, records) })
        default: value
        }
    }
}

/// The form of records in a store.
private struct RestoredForm {
    let type: TypeID
    let keys: [StorageKeyID]
    /// Nil if the keys are not distinct.
    let shape: Shape?

    init(_ form: DecodedSnapshot.Form, _ names: NameTable) {
        type = names.type(form.type)
        keys = form.keys.map { names.key($0) }
        shape = Set(keys).count == keys.count ? names.shape(keys) : nil
    }
}

extension Records {
    /// Makes the version that holds what a snapshot holds; tells what is different.
    fileprivate mutating func restore(
        _ snapshot: DecodedSnapshot, _ numbers: [RecordID], _ names: NameTable, at taken: Duration
    ) -> ChangeSet {
        var changes = ChangeSet()
        let before = epoch
        let next = before + Epoch(snapshot.moments) + 1
        var kept: Set<RecordID> = []
        let forms = snapshot.forms.map { RestoredForm($0, names) }
        for record in snapshot.records {
            let number = numbers[record.id]
            kept.insert(number)
            if let form = record.form.map({ forms[$0] }), let shape = form.shape, state(of: number) == .unknown {
                // New here: its row is what the snapshot says.
                let slot = makeRow(form.type, shape, changed: next)
                withBlock(of: slot) { block in
                    for (place, index) in record.values.enumerated() {
                        block[Int(slot.row), place] = DecodedSnapshot.value(snapshot.values[index], numbers)
                    }
                }
                setSlot(number, slot)
                changes.addWhole(number)
            } else {
                let new = whole(record, record.form.map { forms[$0] }, snapshot, numbers, names)
                settle(number, to: new, at: next, &changes)
            }
        }
        for record in known where !kept.contains(record) {
            settle(record, to: .init(state: .unknown, type: .none), at: next, &changes)
        }
        changes.recordsWritten = snapshot.records.count
        stamps = snapshot.stamps(numbers, names, at: taken, after: before)
        restoreErrors(snapshot, numbers, names, &changes)
        restoreFacts(snapshot, names, next, &changes)
        invalidated = snapshot.storeInvalidated.map { before + 1 + Epoch($0) } ?? 0
        invalidatedRecords = [:]
        for (id, moment) in snapshot.invalidatedRecords {
            let time = before + 1 + Epoch(moment)
            if time >= invalidated { invalidatedRecords[numbers[id]] = time }
        }
        invalidations = Invalidations()
        for (type, moment) in snapshot.invalidatedTypes {
            invalidations.note(.type(names.type(type)), at: before + 1 + Epoch(moment))
        }
        // Whoever has begun to fetch before cannot know what counts now.
        recordInvalidated = next
        epoch = next
        return changes
    }

    private func whole(
        _ record: DecodedSnapshot.Record, _ form: RestoredForm?, _ snapshot: DecodedSnapshot, _ numbers: [RecordID],
        _ names: NameTable
    ) -> WholeRecord {
        guard let form else { return .init(state: .deleted, type: .none) }
        let number = numbers[record.id]
        var values: [StorageKeyID: Value] = [:]
        for (key, index) in zip(form.keys, record.values) {
            values[key] = DecodedSnapshot.value(snapshot.values[index], numbers)
        }
        // In the order that the record has already, or of the snapshot, so that records that are alike share their shape.
        var keys = shape(of: number).keys.filter { values[$0] != nil }
        var known = Set(keys)
        for key in form.keys {
            if known.insert(key).inserted { keys.append(key) }
        }
        return .init(
            state: .existing, type: form.type, shape: names.shape(keys), values: keys.map { values[$0] ?? .null }
        )
    }

    private mutating func restoreErrors(
        _ snapshot: DecodedSnapshot, _ numbers: [RecordID], _ names: NameTable, _ changes: inout ChangeSet
    ) {
        guard !snapshot.errors.isEmpty || !fieldErrors.isEmpty else { return }
        var left = fieldErrors.records.mapValues { Set($0.keys) }
        func set(_ errors: [GraphQLError]?, _ record: RecordID, _ key: StorageKeyID) {
            guard fieldErrors.set(errors, record, key) else { return }
            let first = changes.keys.count
            changes.keys.append(key)
            changes.add(record, from: first)
            changes.repeated += 1
        }
        for (id, key, errors) in snapshot.errors {
            let key = names.key(key)
            left[numbers[id]]?.remove(key)
            set(errors, numbers[id], key)
        }
        for (record, keys) in left { for key in keys { set(nil, record, key) } }
    }

    private mutating func restoreFacts(
        _ snapshot: DecodedSnapshot, _ names: NameTable, _ next: Epoch, _ changes: inout ChangeSet
    ) {
        var restored: [TypeFact: Bool] = [:]
        for (type, abstractType, holds) in snapshot.facts {
            restored[TypeFact(type: names.type(type), abstractType: names.type(abstractType))] = holds
        }
        guard restored != facts else { return }
        facts = restored
        factsChanged = next
        changes.hasNewFacts = true
    }
}
