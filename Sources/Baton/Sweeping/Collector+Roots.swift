// The roots of a collection: what it keeps with all that they lead to.

extension Collector {
    /// Adds the roots that there are when a collection begins: retained operations, the records of layers, and the
    /// query root.
    func addRoots(to collection: inout GarbageCollection) {
        for (plan, root) in operations.roots { collection.marker.addOperation(plan, at: root) }
        // Records below layers are added as they are without layers, because layers may be dropped.
        for record in recordsOfLayers { collection.marker.addRecord(record) }
        collection.marker.addAlone(.root)
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

    /// The records that a layer read or wrote, and the records that these link to without layers. A collection has to
    /// keep all of them.
    var recordsOfLayers: [RecordID] {
        let (touched, covered) = queue.inTurn { turn in
            (Array(turn.layers.records), turn.records.covered)
        }
        var found = Set(touched)
        for record in covered.values {
            for value in record.values { value.forEachLink { found.insert($0) } }
        }
        return Array(found)
    }
}
