// The contents of layers, for collections.

extension LayerStack {
    /// Calls a function with every field that a layer writes: in its result, and in its optimistic response.
    func forEachWrite(_ body: (RecordID, StorageKeyID, borrowing Value) -> Void) {
        for layer in layers.values {
            for entry in layer.outcome.entries {
                for (key, value) in zip(entry.shape.keys, entry.values) { body(entry.record, key, value) }
            }
            guard case .response(let staged, let handled, let updater) = layer.change else { continue }
            // Without work for its fields, the result has all of the response.
            if handled.isEmpty, updater == nil { continue }
            for (position, entry) in staged.entries.enumerated() {
                for (key, value) in zip(staged.shape(position).keys, staged.values(position)) {
                    body(entry.record, key, value)
                }
            }
        }
    }

    /// The records whose numbers are in layers. Takes time linear in the reads and writes of the layers.
    var numbers: Set<RecordID> {
        var found = Set(tracks.keys)
        forEachWrite { record, _, value in
            found.insert(record)
            value.forEachLink { found.insert($0) }
        }
        for layer in layers.values {
            if let root = layer.root { found.insert(root) }
            guard case .response(let staged, let handled, _) = layer.change else { continue }
            found.formUnion(staged.fieldErrors.records.keys)
            found.formUnion(handled.map(\.record))
        }
        return found
    }

    /// The storage keys whose numbers are in layers without a reference to the key. Shapes have references.
    var keys: Set<StorageKeyID> {
        var found: Set<StorageKeyID> = []
        for tracks in tracks.values { found.formUnion(tracks.keys) }
        for layer in layers.values {
            guard case .response(let staged, let handled, _) = layer.change else { continue }
            found.formUnion(staged.fieldErrors.records.values.flatMap(\.keys))
            for call in handled {
                switch call.work {
                case .copy(let handle): found.formUnion([handle.source, handle.storageKey])
                case .mutation(let mutation): found.insert(mutation.source)
                }
            }
        }
        found.subtract([UpdateReads.Read.existence, UpdateReads.Read.keys])
        return found
    }

    /// Returns the storage keys that layers read or write in a record.
    func keys(of record: RecordID) -> [StorageKeyID] { tracks[record]?.keys ?? [] }
}
