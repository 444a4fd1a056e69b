// The invariants of optimistic layers and of the records below them.

extension Records {
    /// Checks that exactly the records that layers write are covered, each by its whole base record.
    func coverViolations(_ layers: borrowing LayerStack, _ names: NameTable) -> [String] {
        var found: [String] = []
        let written = layers.writtenRecords
        let replay = LayerReplay(layers, self, Publication(generation: generation), .none, names)
        for record in written where layers.stale.isEmpty {
            let (expected, known) = (replay.whole(record, below: .top), whole(record))
            let isSame =
                expected.state == known.state && expected.type == known.type
                && Set(expected.shape.keys) == Set(known.shape.keys)
                && known.shape.keys.allSatisfy { key in
                    guard let left = expected.value(key), let right = known.value(key) else { return false }
                    return left.isIdentical(to: right)
                }
            if !isSame { found.append("\(names.label(of: record)) is not what the layers make of it") }
        }
        for record in written where covered[record] == nil {
            found.append("a layer writes \(names.label(of: record)), and the base does not have it apart")
        }
        for (record, base) in covered {
            if !written.contains(record) { found.append("\(names.label(of: record)) is covered by no layer") }
            if base.shape.count != base.values.count {
                found.append("the base of \(names.label(of: record)) has not as many values as keys")
            }
            if base.state != .existing, !base.values.isEmpty {
                found.append("the base of \(names.label(of: record)) does not exist and has values")
            }
        }
        return found
    }

    /// Checks that errors stand only at fields without a value, of records that exist.
    func errorViolations(recordCount: Int, _ names: NameTable) -> [String] {
        var found: [String] = []
        for (record, keys) in fieldErrors.records {
            if Int(record.index) >= recordCount { found.append("a record without a name has errors") }
            if keys.isEmpty { found.append("\(names.label(of: record)) has a list of no errors") }
            // A record that a layer deleted still has the errors of the base.
            let base = base(of: record)
            if base.state != .existing {
                found.append("\(names.label(of: record)) has errors and does not exist")
                continue
            }
            for (key, errors) in keys {
                if errors.isEmpty { found.append("a field of \(names.label(of: record)) has no errors and an entry") }
                if let value = base.value(key), !value.hasNull {
                    found.append("a field of \(names.label(of: record)) has a value and errors")
                }
            }
        }
        return found
    }
}

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
