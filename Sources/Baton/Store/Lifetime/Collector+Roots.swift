// The roots of a collection: records that it keeps together with all records that they lead to.

extension Collector {
    /// Adds the roots at the beginning of a collection: retained operations, the records of layers, and the query root.
    func addRoots(to collection: inout GarbageCollection) {
        for (plan, root) in operations.roots { collection.marker.addOperation(plan, at: root) }
        addLayers(to: &collection.marker)
        collection.marker.addAlone(.root)
    }

    /// Adds the records that layers read and write, and the links that layers hide from readers.
    ///
    /// A record that a layer reads or writes stays. A hidden link, of the base or of a lower layer, shows again when a
    /// layer is dropped, so operations are followed through it too. A live subscription may have no operation any more.
    /// Therefore all records behind the hidden links of its records stay.
    private func addLayers(to marker: inout Marker) {
        let (layers, records) = queue.inTurn { turn in (turn.layers, turn.records) }
        if layers.isEmpty { return }
        for record in layers.records { marker.addAlone(record) }
        let base = records.hiddenLinks
        var ofLayers: [RecordID: [(key: StorageKeyID, value: Value)]] = [:]
        layers.forEachWrite { record, key, value in
            if value.linksToRecords { ofLayers[record, default: []].append((key, copy value)) }
        }
        subscriptions.look { subscriptions in
            for (record, links) in base where subscriptions.hasReaders(record) {
                for (_, value) in links { value.forEachLink { marker.addRecord($0) } }
            }
            for (record, links) in ofLayers where subscriptions.hasReaders(record) {
                for (key, value) in links where records.value(key, of: record)?.isIdentical(to: value) != true {
                    value.forEachLink { marker.addRecord($0) }
                }
            }
        }
        // Another layer may hide a shown link before the walk reaches it.
        marker.addHidden(base.merging(ofLayers) { $0 + $1 })
    }

    /// Adds the changes since the last slice. They must be taken before the version in which they are examined.
    func takeInbox(_ collection: inout GarbageCollection) {
        let inbox = inbox.take()
        if collection.phase.isAboutNumbers { return addKnown(inbox, &collection, records) }
        for record in inbox.read { collection.marker.addAlone(record) }
        for (plan, root) in inbox.operations { collection.marker.addOperation(plan, at: root) }
        for record in inbox.records { collection.marker.addRecord(record) }
        for (record, key, from) in inbox.fields { collection.marker.addField(key, of: record, from: from) }
    }
}
