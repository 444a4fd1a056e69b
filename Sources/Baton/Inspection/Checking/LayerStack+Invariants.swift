// The invariants of optimistic layers and of the records below them.

extension LayerStack {
    /// Every record that a layer writes.
    var writtenRecords: Set<RecordID> {
        var written: Set<RecordID> = []
        for layer in layers.values {
            for entry in layer.outcome.entries { entry.forEachWrite { _ in written.insert(entry.record) } }
        }
        return written
    }

    /// Checks that the index of layers agrees with the fields that they read and write.
    func violations(_ names: NameTable) -> [String] {
        var found: [String] = []
        var readers: [UpdateReads.Read: Set<LayerID>] = [:]
        var writers: [UpdateReads.Read: Set<LayerID>] = [:]
        for (id, layer) in layers {
            for read in layer.reads { readers[read, default: []].insert(id) }
            for entry in layer.outcome.entries {
                entry.forEachWrite { key in
                    writers[UpdateReads.Read(record: entry.record, key: key), default: []].insert(id)
                }
            }
            if layer.readsAll != readingAll.contains(id) { found.append("layer \(id.number) is listed wrongly") }
            if layer.usesTypeFacts != readingFacts.contains(id) {
                found.append("layer \(id.number) hears wrongly of facts")
            }
        }
        for (record, tracks) in tracks {
            if tracks.isEmpty { found.append("\(names.label(of: record)) is listed for no layer") }
            if tracks.stamp > version { found.append("\(names.label(of: record)) has a stamp of the future") }
            var count = 0
            for key in tracks.keys {
                let field = UpdateReads.Read(record: record, key: key)
                let track = tracks[key]
                let isRight =
                    track?.readers == (readers.removeValue(forKey: field) ?? []).sorted()
                    && track?.writers == (writers.removeValue(forKey: field) ?? []).sorted()
                if !isRight { found.append("the layers of a field of \(names.label(of: record)) are listed wrongly") }
                count += track?.writers.count ?? 0
            }
            if count != tracks.writes { found.append("the writers of \(names.label(of: record)) are counted wrongly") }
        }
        if !readers.isEmpty || !writers.isEmpty { found.append("a field that layers touch is listed nowhere") }
        if order.ids != layers.keys.sorted() { found.append("the layers are not in order") }
        return found
    }
}
