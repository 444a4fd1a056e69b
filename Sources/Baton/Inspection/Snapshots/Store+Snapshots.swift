extension Store {
    /// Returns the whole store as data, without optimistic layers. Responses of mutations and events are left out
    /// unless another record links to them.
    ///
    /// Takes time linear in the store and blocks no other thread.
    package func snapshot(at now: Duration = .zero) -> [UInt8] {
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        var writer = SnapshotWriter(records, names, operations.fetched, at: now)
        return writer.bytes()
    }

    /// Replaces the content of the store by a snapshot in one publish, and notifies the subscribers whose fields have
    /// changed.
    ///
    /// If the restore throws, nothing has changed. It takes time linear in the store and in the snapshot. `elapsed` is
    /// the time since the snapshot was made, which is added to the ages in it.
    @discardableResult
    package func restore(
        _ bytes: [UInt8], at now: Duration = .zero, elapsed: Duration = .zero, report: PublishReport? = nil
    ) throws(SnapshotError) -> PublishSummary {
        let snapshot = try SnapshotReader.read(bytes)
        let hold = NumberHold(names)
        defer { withExtendedLifetime(hold) {} }
        let records = try snapshot.intern(names, bytes)
        let taken = now - BoundedTime.of(elapsed)
        let landed = queue.inTurn {
            turn -> (changes: ChangeSet, epoch: Epoch, old: Records, keys: [FetchRecord])? in
            guard turn.layers.isEmpty else { return nil }
            let old = turn.records
            var next = old
            let changes = next.restore(snapshot, records, names, at: taken)
            turn.replaceUnwritten(by: &next)
            let fetched = snapshot.operations.map { operation in
                OperationTable.Restored(
                    name: operation.name, variables: operation.variables,
                    fetch: FetchRecord(
                        key: operation.keys.keys.isEmpty ? nil : operation.keys, time: taken - operation.age,
                        epoch: old.epoch + 1 + Epoch(operation.moment),
                        isRevoked: operation.isRevoked))
            }
            let retired = operations.restore(fetched)
            let epoch = next.epoch
            // The restored records do not count as growth, which would cause a collection.
            queue.growth.setGrowthLimit(after: next.rowCount)
            queue.growth.setCount(of: next)
            queue.inbox.addChanges(changes)
            turn.change { $0 = next }
            // The old version is freed while no lock is held.
            return (changes, epoch, old, retired)
        }
        guard let landed else { throw .changesInFlight }
        let changes = landed.changes
        let (subscribers, _) = subscriptions.affected(by: changes)
        let summary = PublishSummary(
            epoch: landed.epoch, recordsWritten: changes.recordsWritten,
            recordsChanged: changes.changes.count - changes.repeated, subscriptionsAffected: subscribers.count)
        journal.notePublish(by: .restore, at: landed.epoch, changes)
        return tell(Landing(ofEverything: summary, for: subscribers), report: report)
    }
}
