extension Collector {
    /// Finds wide records in some pages. Marking begins only after all pages were examined.
    func findWide(_ collection: inout GarbageCollection, _ records: borrowing Records, _ work: CollectionWork) {
        guard case .widening(let first) = collection.phase else { return }
        let end = min(first + work.vacating, records.pages.count)
        if first > 0 || collection.wide.begin(records, names) {
            collection.wide.look(at: min(first, end)..<end, of: records)
            guard end >= records.pages.count else {
                collection.phase = .widening(page: end)
                return
            }
            collection.marker.watch(collection.wide.records)
        }
        collection.wide = WideRecords()
        collection.phase = .marking
    }

    /// Drops the unreached fields of some records. No publish can land meanwhile; the changes since the last slice are
    /// marked first.
    func narrow(_ collection: inout GarbageCollection, _ garbage: inout Garbage, _ work: CollectionWork) {
        guard case .narrowing(var waiting) = collection.phase else { return }
        queue.inTurn { turn in
            takeInbox(&collection)
            if !collection.marker.isDone { collection.marker.run(over: records, work: work.marking) }
            guard collection.marker.isDone else { return }
            let layers = turn.layers
            turn.unwritten?.fold()
            let (unwritten, pins) = (turn.unwritten, turn.pins)
            turn.change { records in
                var left = work.narrowing
                while left > 0, let record = waiting.popLast() {
                    left -= 1 + records.shape(of: record).count
                    // Only the memory has what is not written yet.
                    if pins[record] != nil || unwritten?.needs(record) == true { continue }
                    let read = subscriptions.look { $0.keys(readFrom: record) }
                    let kept = collection.marker.keys(of: record).union(read).union(layers.keys(of: record))
                    if layers.isUsed(record) { narrowBase(of: record, to: kept, &records, &garbage) }
                    collection.fieldsDropped += narrow(record, to: kept, &records, &garbage)
                }
            }
        }
        collection.phase = waiting.isEmpty && collection.marker.isDone ? .sweeping(next: 0) : .narrowing(waiting)
    }

    /// Drops the fields of a record that are not in `kept`; returns their number. The query root can lose any field,
    /// other records only fields with arguments.
    private func narrow(
        _ record: RecordID, to kept: Set<StorageKeyID>, _ records: inout Records, _ garbage: inout Garbage
    ) -> Int {
        let shape = records.shape(of: record)
        guard let isKept = areKept(shape, of: record, kept) else { return 0 }
        var keys: [StorageKeyID] = []
        var values: [Value] = []
        for ((key, isKept), value) in zip(zip(shape.keys, isKept), records.values(of: record)) {
            if isKept {
                keys.append(key)
                values.append(value)
            } else {
                garbage.retired.values.append(value)
                if !records.fieldErrors.isEmpty { _ = records.fieldErrors.set(nil, record, key) }
            }
        }
        records.epoch += 1
        if records.residence != nil { records.residence?.remove(record) }
        let type = records.type(of: record)
        records.replace(record, type, names.shape(keys), values, changed: records.epoch, &garbage.retired)
        // A layer may hide other fields of the record. The stamps of the hidden fields stay too.
        records.stamps.narrow(record, to: keys + (records.covered[record]?.shape.keys ?? []))
        return shape.count - keys.count
    }

    /// Returns, for each key of a shape, true if the field stays; nil if all fields stay.
    private func areKept(_ shape: Shape, of record: RecordID, _ kept: Set<StorageKeyID>) -> [Bool]? {
        guard shape.keys.contains(where: { !kept.contains($0) }) else { return nil }
        // Fields without arguments stay, because the schema bounds their number.
        let hasArguments = record == .root ? shape.keys.map { _ in true } : names.haveArguments(shape.keys)
        let isKept = zip(shape.keys, hasArguments).map { kept.contains($0) || !$1 }
        return isKept.contains(false) ? isKept : nil
    }

    /// Drops the fields that are not in `kept` from the base of a record that layers write.
    private func narrowBase(
        of record: RecordID, to kept: Set<StorageKeyID>, _ records: inout Records, _ garbage: inout Garbage
    ) {
        guard let base = records.covered[record], let isKept = areKept(base.shape, of: record, kept) else { return }
        var narrowed = WholeRecord(state: base.state, type: base.type)
        var keys: [StorageKeyID] = []
        for (index, key) in base.shape.keys.enumerated() {
            if isKept[index] {
                keys.append(key)
                narrowed.values.append(base.values[index])
            } else {
                garbage.retired.values.append(base.values[index])
            }
        }
        narrowed.shape = names.shape(keys)
        // A layer that runs meanwhile runs again, because the record counts as changed.
        records.epoch += 1
        if records.residence != nil { records.residence?.remove(record) }
        records.setCovered(record, narrowed, changed: records.epoch)
    }
}

extension FetchStamps {
    /// Removes the stamps of fields that a record no longer has.
    mutating func narrow(_ record: RecordID, to keys: [StorageKeyID]) {
        guard let fields = separated[record] else { return }
        var kept = FieldStamps()
        for key in keys { kept[key] = fields[key] }
        separated[record] = kept
    }
}
