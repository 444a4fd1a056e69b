/// The optimistic layers of a store in order, found by the records that they read or wrote.
///
/// What a publish does here depends on the layers that have to do with what it writes, on nothing else.
struct LayerStack {
    private var layers: [LayerID: OptimisticLayer] = [:]
    /// The layers that read or wrote a record.
    private var users: [RecordID: [LayerID]] = [:]
    /// Layers that looked through the whole store.
    private var readingAll: Set<LayerID> = []
    /// Layers that read what answers have shown of abstract types.
    private var readingFacts: Set<LayerID> = []
    /// Layers that were not run although something changed below them.
    private(set) var stale: Set<LayerID> = []
    private var lastNumber: UInt64 = 0
    private var lastStamp: UInt64 = 0

    var isEmpty: Bool { layers.isEmpty }
    var count: Int { layers.count }

    /// Every record that a layer read or wrote.
    var records: some Collection<RecordID> { users.keys }

    subscript(id: LayerID) -> OptimisticLayer? { layers[id] }

    func isUsed(_ record: RecordID) -> Bool { users[record] != nil }

    /// A number above all that were given.
    mutating func nextID() -> LayerID {
        lastNumber += 1
        return LayerID(number: lastNumber)
    }

    // MARK: - What a publish meets

    /// The layers and records that a publish may concern: whatever is connected with what it writes through records that layers touch.
    struct Component {
        var records: Set<RecordID> = []
        /// In order.
        var layers: [LayerID] = []
        var stamps: [UInt64] = []

        var isEmpty: Bool { layers.isEmpty }
    }

    /// What is connected with the records that are staged, with layers that change, and with records that are known to matter; all layers if one that is not
    /// here looks through the whole store.
    func component(
        of staged: borrowing StagedRecords, _ change: LayerChange, and extra: Set<RecordID>, readsAll: Bool = false,
        in records: borrowing Records
    ) -> Component {
        var found = Search(of: self)
        if readsAll { for id in layers.keys { found.add(id) } }
        for record in extra { found.add(record) }
        switch change {
        case .none: break
        case .put(let layer): found.add(layer.id)
        case .drop(let id): found.add(id)
        case .rerun: for id in stale { found.add(id) }
        }
        if staged.entries.count < users.count {
            for entry in staged.entries where users[entry.record] != nil { found.add(entry.record) }
        } else {
            for record in users.keys where staged.position(of: record) != nil { found.add(record) }
        }
        // Another layer that comes or goes changes what they read, too.
        if !readingAll.isEmpty, !staged.isEmpty || change.isOfLayers { for id in readingAll { found.add(id) } }
        if !readingFacts.isEmpty, staged.hasNewFacts(in: records) { for id in readingFacts { found.add(id) } }
        return found.finish()
    }

    private struct Search {
        private let stack: LayerStack
        private var records: Set<RecordID> = []
        private var layers: Set<LayerID> = []
        private var pending: [RecordID] = []
        /// Many records of one layer come after each other.
        private var last: LayerID?

        init(of stack: LayerStack) { self.stack = stack }

        mutating func add(_ record: RecordID) {
            if records.insert(record).inserted { pending.append(record) }
        }

        mutating func add(_ id: LayerID) {
            guard id != last else { return }
            last = id
            guard !layers.contains(id), let layer = stack.layers[id] else { return }
            layers.insert(id)
            for record in layer.touched { add(record) }
            if layer.readsAll { for other in stack.layers.keys { add(other) } }
        }

        mutating func finish() -> Component {
            while let record = pending.popLast() {
                for id in stack.users[record] ?? [] { add(id) }
            }
            let order = layers.sorted()
            return Component(records: records, layers: order, stamps: order.map { stack.layers[$0]?.stamp ?? 0 })
        }
    }

    // MARK: - Changing

    /// Adds a layer, or puts it in the place of the one with its number; the old one.
    mutating func put(_ layer: OptimisticLayer, isStale: Bool) -> OptimisticLayer? {
        let old = remove(layer.id)
        lastStamp += 1
        var layer = layer
        layer.stamp = lastStamp
        layers[layer.id] = layer
        for record in layer.touched { users[record, default: []].append(layer.id) }
        if layer.readsAll { readingAll.insert(layer.id) }
        if layer.usesTypeFacts { readingFacts.insert(layer.id) }
        if isStale { stale.insert(layer.id) }
        return old
    }

    /// Takes all layers away; later ones still get larger numbers.
    mutating func removeAll() -> [OptimisticLayer] {
        let old = Array(layers.values)
        var empty = LayerStack()
        empty.lastNumber = lastNumber
        empty.lastStamp = lastStamp
        self = empty
        return old
    }

    /// Takes a layer away.
    mutating func remove(_ id: LayerID) -> OptimisticLayer? {
        guard let layer = layers.removeValue(forKey: id) else { return nil }
        for record in layer.touched {
            users[record]?.removeAll { $0 == id }
            if users[record]?.isEmpty == true { users[record] = nil }
        }
        readingAll.remove(id)
        readingFacts.remove(id)
        stale.remove(id)
        return layer
    }
}

extension LayerStack {
    /// Every record that a layer wrote when it ran last.
    var writtenRecords: Set<RecordID> {
        var written: Set<RecordID> = []
        for layer in layers.values { for entry in layer.outcome.entries { written.insert(entry.record) } }
        return written
    }

    /// Layers and the records that they touch know each other.
    func violations() -> [String] {
        var found: [String] = []
        var known: [RecordID: Set<LayerID>] = [:]
        for (id, layer) in layers {
            for record in layer.touched { known[record, default: []].insert(id) }
            if !layer.touched.isSuperset(of: layer.outcome.entries.map(\.record)) {
                found.append("layer \(id.number) writes a record that it does not touch")
            }
            if layer.readsAll != readingAll.contains(id) { found.append("layer \(id.number) is listed wrongly") }
            if layer.usesTypeFacts != readingFacts.contains(id) {
                found.append("layer \(id.number) hears wrongly of facts")
            }
            if layer.stamp > lastStamp { found.append("layer \(id.number) has a stamp of the future") }
        }
        for (record, list) in users where known[record] != Set(list) || list.count != Set(list).count {
            found.append("the layers of record \(record.index) are listed wrongly")
        }
        if known.count != users.count { found.append("a record that layers touch is listed nowhere") }
        return found
    }
}

extension StagedRecords {
    /// Says whether it shows something of abstract types that a version does not know.
    func hasNewFacts(in records: borrowing Records) -> Bool {
        for (fact, holds) in facts where records.facts[fact] != holds { return true }
        return false
    }
}
