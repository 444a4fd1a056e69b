// The roots of a collection: what it keeps with all that they lead to.

extension Collector {
    /// Adds the roots that there are when a collection begins: retained operations, the records of layers, and the
    /// query root.
    func addRoots(to collection: inout GarbageCollection) {
        for (plan, root) in operations.roots { collection.marker.addOperation(plan, at: root) }
        addLayers(to: &collection.marker)
        collection.marker.addAlone(.root)
    }

    /// Adds what layers read and write, and the links that readers do not see as long as a layer is on top of them.
    ///
    /// A record that a layer reads or writes stays as it is. A hidden link, of the base or of a layer below another,
    /// shows again when a layer is dropped, so operations are followed through it too. A live subscription may have no
    /// operation any more: all that lies behind the hidden links of its records stays.
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
        // What a layer shows now may be hidden by another one before the walk comes there.
        marker.addHidden(base.merging(ofLayers) { $0 + $1 })
    }

    /// Adds the changes since the last slice. They must be taken before the version in which they are examined.
    func takeInbox(_ collection: inout GarbageCollection) {
        let inbox = inbox.take()
        if collection.phase.isAboutNumbers { return addKnown(inbox, &collection, records) }
        for record in inbox.read { collection.marker.addAlone(record) }
        for (plan, root) in inbox.operations { collection.marker.addOperation(plan, at: root) }
        for record in inbox.records { collection.marker.addRecord(record) }
        for (record, key) in inbox.fields { collection.marker.addField(key, of: record) }
    }
}
