/// The optimistic layers of a store in order, indexed by the fields that they read or write.
///
/// The cost of a publish depends only on its changes and on the layers that read or write the changed fields.
struct LayerStack: Sendable {
    private(set) var layers: [LayerID: Layer] = [:]
    private(set) var order = LayerOrder()
    /// For each record that a layer reads or writes, the layers by field.
    private(set) var tracks: [RecordID: LayerTracks] = [:]
    /// The layers that have visited the whole store.
    private(set) var readingAll = LayerOrder()
    /// The layers that evaluated conditions on abstract types.
    private(set) var readingFacts = LayerOrder()
    /// The layers that did not run although a change below them concerned them.
    private(set) var stale = LayerOrder()
    /// A number that grows with every change of the stack.
    private(set) var version: UInt64 = 0
    private var lastNumber: UInt64 = 0

    var isEmpty: Bool { layers.isEmpty }
    var count: Int { layers.count }

    /// Every record that a layer reads or writes.
    var records: some Collection<RecordID> { tracks.keys }

    subscript(id: LayerID) -> Layer? { layers[id] }

    func isUsed(_ record: RecordID) -> Bool { tracks[record] != nil }

    /// Returns a number above all numbers that were given before.
    mutating func nextID() -> LayerID {
        lastNumber += 1
        return LayerID(number: lastNumber)
    }

    /// Returns true if layers read or write a staged field.
    func concerns(_ staged: borrowing StagedRecords, in records: borrowing Records) -> Bool {
        if !readingAll.isEmpty, !staged.isEmpty { return true }
        if !readingFacts.isEmpty, staged.hasNewFacts(in: records) { return true }
        if staged.entries.count < tracks.count { return staged.entries.contains { tracks[$0.record] != nil } }
        return tracks.keys.contains { staged.position(of: $0) != nil }
    }

    // MARK: - Changing

    /// Takes over the layers of a replay and removes the dropped layers; returns the old layers.
    mutating func apply(_ replay: LayerReplay, _ changedBases: [RecordID]) -> [Layer] {
        version += 1
        var retired: [Layer] = []
        for id in replay.gone.reversed() {
            if let old = remove(id) { retired.append(old) }
        }
        for layer in replay.redone where layer.id == replay.added || layers[layer.id] != nil {
            if let old = put(layer, isStale: replay.stale.contains(layer.id)) { retired.append(old) }
        }
        for record in changedBases { tracks[record]?.stamp = version }
        return retired
    }

    /// Adds a layer, or replaces the layer with its number. Returns the replaced layer; nil if there was none.
    private mutating func put(_ layer: Layer, isStale: Bool) -> Layer? {
        let old = layers.updateValue(layer, forKey: layer.id)
        if let old {
            if old.reads != layer.reads || !old.outcome.hasSameWrites(as: layer.outcome) {
                unlist(old)
                list(layer)
            } else {
                for entry in layer.outcome.entries { tracks[entry.record]?.stamp = version }
            }
        } else {
            order.insert(layer.id)
            list(layer)
        }
        if layer.readsAll { readingAll.insert(layer.id) } else { readingAll.remove(layer.id) }
        if layer.usesTypeFacts { readingFacts.insert(layer.id) } else { readingFacts.remove(layer.id) }
        if isStale { stale.insert(layer.id) } else { stale.remove(layer.id) }
        return old
    }

    private mutating func remove(_ id: LayerID) -> Layer? {
        guard let layer = layers.removeValue(forKey: id) else { return nil }
        unlist(layer)
        order.remove(id)
        readingAll.remove(id)
        readingFacts.remove(id)
        stale.remove(id)
        return layer
    }

    private mutating func list(_ layer: Layer) {
        change(layer) { tracks, key in
            tracks.add(writer: layer.id, of: key)
        } read: { tracks, key in
            tracks.add(reader: layer.id, of: key)
        }
    }

    private mutating func unlist(_ layer: Layer) {
        change(layer) { tracks, key in
            tracks.remove(writer: layer.id, of: key)
        } read: { tracks, key in
            tracks.remove(reader: layer.id, of: key)
        }
    }

    /// Visits the fields that a layer writes and reads, record by record.
    private mutating func change(
        _ layer: Layer, write: (inout LayerTracks, StorageKeyID) -> Void,
        read: (inout LayerTracks, StorageKeyID) -> Void
    ) {
        for entry in layer.outcome.entries where entry.effect != .none {
            change(entry.record) { tracks in entry.forEachWrite { write(&tracks, $0) } }
        }
        var first = 0
        while first < layer.reads.count {
            let record = layer.reads[first].record
            var next = first
            change(record) { tracks in
                while next < layer.reads.count, layer.reads[next].record == record {
                    read(&tracks, layer.reads[next].key)
                    next += 1
                }
            }
            first = next
        }
    }

    private mutating func change(_ record: RecordID, _ body: (inout LayerTracks) -> Void) {
        let isEmpty = Self.change(&tracks[record, default: LayerTracks()], version, body)
        if isEmpty { tracks[record] = nil }
    }

    private static func change(
        _ tracks: inout LayerTracks, _ version: UInt64, _ body: (inout LayerTracks) -> Void
    ) -> Bool {
        body(&tracks)
        tracks.stamp = version
        return tracks.isEmpty
    }

    /// Removes all layers; the numbers of later layers still grow.
    mutating func removeAll() -> [Layer] {
        let old = Array(layers.values)
        var empty = LayerStack()
        empty.lastNumber = lastNumber
        empty.version = version + 1
        self = empty
        return old
    }
}

extension LayerChanges {
    /// Returns true if both results write the same fields.
    fileprivate func hasSameWrites(as other: LayerChanges) -> Bool {
        entries.elementsEqual(other.entries) { left, right in
            left.record == right.record && (left.effect == .none) == (right.effect == .none)
                && left.effect.hides == right.effect.hides
                && (left.shape === right.shape || left.shape.keys == right.shape.keys)
        }
    }
}

extension StagedRecords {
    /// Returns true if the staged changes prove a type fact that a version does not have.
    func hasNewFacts(in records: borrowing Records) -> Bool {
        for (fact, holds) in facts where records.facts[fact] != holds { return true }
        return false
    }
}

/// A sorted list of layers, for `LayerStack`.
struct LayerOrder: Sendable, Equatable {
    private(set) var ids: [LayerID] = []

    var isEmpty: Bool { ids.isEmpty }
    mutating func insert(_ id: LayerID) { _ = ids.insert(layer: id) }
    mutating func remove(_ id: LayerID) { if !ids.isEmpty { _ = ids.remove(layer: id) } }
    func contains(_ id: LayerID) -> Bool {
        let place = ids.firstPlace(notBelow: id)
        return place < ids.count && ids[place] == id
    }
}
