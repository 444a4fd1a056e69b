// A record that is kept would keep every field that it ever had: the query root one for each query, and a chat one for each page of its messages.

/// Finds the records with so many fields with arguments that it pays to see which of them are reached.
struct WideRecords: Sendable {
    /// How many fields with arguments a record may have without being looked at.
    static let arguments = 16
    /// The most records that are looked at in a collection; there are more only where wide records are the rule.
    static let limit = 4096

    /// The number of fields with arguments by shape, of those with many fields. The shapes are held, or another might come to stand at the same place.
    private var shapes: [ObjectIdentifier: (shape: Shape, arguments: Int)] = [:]
    private var found: [(record: RecordID, arguments: Int)] = []
    /// Records with fewer are left for another time.
    private var fewest = Self.arguments + 1

    var records: [RecordID] { found.map(\.record) }

    /// Counts the arguments of the shapes of a version; false if it has no wide record but the root.
    mutating func begin(_ records: borrowing Records, _ names: NameTable) -> Bool {
        let root = records.shape(of: .root)
        for block in records.blocks where block.width > Self.arguments && block.shape !== root {
            let shape = block.shape
            guard shapes[ObjectIdentifier(shape)] == nil else { continue }
            shapes[ObjectIdentifier(shape)] = (shape, names.haveArguments(shape.keys).count { $0 })
        }
        return shapes.values.contains { $0.arguments >= fewest }
    }

    /// Looks at the records of some pages.
    mutating func look(at pages: Range<Int>, of records: borrowing Records) {
        for page in pages {
            for (index, slot) in records.pages[page].enumerated() where slot.state == .existing {
                let block = records.block(at: slot)
                guard block.width > Self.arguments, let known = shapes[ObjectIdentifier(block.shape)],
                    known.arguments >= fewest
                else { continue }
                let record = RecordID(UInt32(truncatingIfNeeded: page * Records.pageSize + index))
                found.append((record, known.arguments))
            }
        }
        while found.count > Self.limit {
            fewest *= 2
            found.removeAll { $0.arguments < fewest }
        }
    }
}

extension Store {
    /// Looks for wide records in a piece of the store; nothing is marked before all of it was looked at.
    func findWide(_ collection: inout GarbageCollection, _ records: borrowing Records, _ work: Collector.Work) {
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

    /// Drops what nothing reaches of the fields of some records. Nobody publishes meanwhile; what was published since the last slice is marked first.
    func narrow(_ collection: inout GarbageCollection, _ garbage: inout Garbage, _ work: Collector.Work) {
        guard case .narrowing(var waiting) = collection.phase else { return }
        writer.withLock { order in
            takeInbox(&collection)
            if !collection.marker.isDone { collection.marker.run(over: records, work: work.marking) }
            guard collection.marker.isDone else { return }
            state.withLock { records in
                var left = work.narrowing
                while left > 0, let record = waiting.popLast() {
                    left -= 1 + records.shape(of: record).keys.count
                    if order.layers.isUsed(record) { continue }
                    let read = subscriptions.withLock { $0.keys(readFrom: record) }
                    let kept = collection.marker.keys(of: record).union(read)
                    collection.fieldsDropped += narrow(record, to: kept, &records, &garbage)
                }
            }
        }
        collection.phase = waiting.isEmpty && collection.marker.isDone ? .sweeping(next: 0) : .narrowing(waiting)
    }

    /// Drops the fields of a record that are not to be kept: of the query root all, of others those with arguments. Gives the number of them.
    private func narrow(
        _ record: RecordID, to kept: Set<StorageKeyID>, _ records: inout Records, _ garbage: inout Garbage
    ) -> Int {
        let shape = records.shape(of: record)
        guard shape.keys.contains(where: { !kept.contains($0) }) else { return 0 }
        // What has no arguments cannot be more than the schema has.
        let hasArguments = record == .root ? shape.keys.map { _ in true } : names.haveArguments(shape.keys)
        let isKept = zip(shape.keys, hasArguments).map { kept.contains($0) || !$1 }
        guard isKept.contains(false) else { return 0 }
        var keys: [StorageKeyID] = []
        var values: [Value] = []
        for ((key, isKept), value) in zip(zip(shape.keys, isKept), records.values(of: record)) {
            if isKept {
                keys.append(key)
                values.append(value)
            } else {
                garbage.values.append(value)
                if !records.fieldErrors.isEmpty { _ = records.fieldErrors.set(nil, record, key) }
            }
        }
        records.epoch += 1
        records.replace(record, records.type(of: record), names.shape(keys), values, changed: records.epoch)
        records.stamps.narrow(record, to: keys)
        return shape.keys.count - keys.count
    }
}

extension NameTable {
    /// Says of each key whether it has arguments.
    func haveArguments(_ keys: [StorageKeyID]) -> [Bool] {
        names.withLock { names in keys.map(names.keys.hasArguments) }
    }
}

extension FetchStamps {
    /// Forgets the fields of a record that it has no more.
    mutating func narrow(_ record: RecordID, to keys: [StorageKeyID]) {
        guard let fields = separated[record] else { return }
        let keys = Set(keys)
        separated[record] = fields.filter { keys.contains($0.key) }
    }
}
