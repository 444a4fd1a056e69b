/// Computes the effect of a change of the base, of layers, or of both.
///
/// The change moves upwards from its place. A layer that reads a changed field runs again, once, and its own changes
/// then move upwards too.
///
/// A replay does not change the stack or the version, so it can be discarded when another publish comes in between. It
/// is a class because the sources of its layers refer to it. It belongs to one thread at a time.
final class LayerReplay {
    typealias Read = UpdateReads.Read

    /// The permission to run layers.
    enum Mode {
        /// Layers must not run now. The caller holds a lock and can try again without it.
        case notYet
        case now
        /// Layers must not run; they keep the result of their last run.
        case never
    }

    /// An updater's run that threw.
    struct Failure {
        let layer: Layer
        let error: any Error
    }

    private(set) var stack: LayerStack
    private(set) var records: Records
    /// The change that lands together with the layers, fitted to the version.
    private(set) var publication: Publication
    var staged: StagedRecords { _read { yield publication.records } }
    private let names: NameTable
    private let handlers: [FieldHandler]
    /// What layers read of the file; nil if there is none.
    private let disk: LowerDisk?
    /// The base with the staged changes.
    private(set) var ground: UpdatedRecords
    let epoch: Epoch
    /// True if only the topmost layer has changed. It sees the same records as readers, and no layer is above it.
    let isNewest: Bool
    /// The layers to remove, in order.
    let gone: [LayerID]
    /// The layer to add or to replace.
    private let newLayer: Layer?
    /// The number of the new layer, unless it replaces another.
    let added: LayerID?
    private let readersOfAll: [LayerID]

    /// The layers that ran again, in order.
    private(set) var redone: [Layer] = []
    private(set) var failures: [Failure] = []
    /// The layers that should have run but were not allowed to.
    private(set) var stale: Set<LayerID> = []
    /// The positions of the staged records that layers read or write.
    private(set) var stagedHere: [Int] = []
    private var waiting = LayerQueue()
    /// For each field, the layers among the rerun ones that write it, in order.
    private var written: [Read: [LayerID]] = [:]
    private(set) var writtenKeys: [RecordID: [StorageKeyID]] = [:]
    /// For each record, the change in the number of fields that have a writer.
    private(set) var writerChanges: [RecordID: Int] = [:]
    /// For each field, the last writer below a level, from the newest search. The levels of later searches are higher.
    private var found: [Read: (level: LayerID, writer: LayerID?)] = [:]
    /// The fields that may differ for readers.
    private(set) var touched: [RecordID: Touch] = [:]
    private(set) var targets: [Target] = []

    struct Touch {
        /// True if the existence, the type or any field may differ.
        var isWhole = false
        var keys: [StorageKeyID] = []
    }

    init(
        _ stack: borrowing LayerStack, _ records: Records, _ publication: consuming Publication, _ change: LayerChange,
        _ names: NameTable, handlers: [FieldHandler] = [], disk: LowerDisk? = nil
    ) {
        self.disk = disk
        self.records = records
        self.names = names
        self.handlers = handlers
        let staged = publication.records
        self.publication = publication
        epoch = records.epoch
        let hasNewFacts = staged.hasNewFacts(in: records)
        var (gone, coming, added): ([LayerID], Layer?, LayerID?) = ([], nil, nil)
        switch change {
        case .drop(let ids): gone = ids.filter { stack[$0] != nil }
        case .put(let layer):
            let isKnown = stack[layer.id] != nil
            coming = isKnown || !layer.isReplacement ? layer : nil
            added = isKnown ? nil : coming?.id
        case .none, .rerun: break
        }
        if gone.count > 1 { gone = Set(gone).sorted() }
        (self.gone, newLayer, self.added) = (gone, coming, added)
        isNewest =
            added.map { added in stack.order.ids.last.map { $0 < added } ?? true } ?? false
            && staged.entries.isEmpty && stack.stale.isEmpty && !(hasNewFacts && !stack.readingFacts.isEmpty)
        readersOfAll = isNewest ? [] : stack.readingAll.ids
        self.stack = isNewest ? LayerStack() : copy stack
        ground = UpdatedRecords(records, response: staged, isTop: isNewest)
        begin(hasNewFacts)
    }

    private func begin(_ hasNewFacts: Bool) {
        for id in gone { waiting.insert(id) }
        if let newLayer { waiting.insert(newLayer.id) }
        for id in stack.stale.ids { waiting.insert(id) }
        if hasNewFacts { for id in stack.readingFacts.ids { waiting.insert(id) } }
        if !staged.isEmpty, !isNewest { for id in readersOfAll { waiting.insert(id) } }
        if staged.entries.count < stack.tracks.count {
            for (position, entry) in staged.entries.enumerated() where stack.isUsed(entry.record) {
                noteBase(position)
            }
        } else {
            for record in stack.tracks.keys {
                if let position = staged.position(of: record) { noteBase(position) }
            }
        }
    }

    /// The number of the layer to add or to replace.
    var coming: LayerID? { newLayer?.id }

    /// Releases the version, so that the publish can change it in place. Must be called only if the version is the
    /// newest, so that no value is freed with it.
    func letGoOfVersion() {
        ground = UpdatedRecords(.nothing)
        records = .nothing
    }

    func letGoOfStack() { stack = LayerStack() }

    /// Returns the change that lands together with the layers.
    func takePublication() -> Publication {
        ground = UpdatedRecords(records)
        var result = Publication(generation: publication.generation)
        swap(&result, &publication)
        return result
    }

    // MARK: - Running

    /// Runs the waiting layers, the lowest first; returns false if a layer is left that must not run yet.
    func run(_ mode: Mode) -> Bool {
        while let id = waiting.first {
            if gone.firstPlace(of: id) != nil {
                waiting.removeFirst()
                replace(id, by: nil)
                continue
            }
            guard var layer = newLayer?.id == id ? newLayer : stack[id] else {
                waiting.removeFirst()
                continue
            }
            if mode == .notYet, layer.runsCode { return false }
            waiting.removeFirst()
            if mode == .never, layer.runsCode {
                stale.insert(id)
                layer.outcome.computeEffects(over: { existence(of: $0, below: id) }, names)
            } else {
                run(&layer)
            }
            replace(id, by: layer)
        }
        targets = findTargets()
        return true
    }

    private func source(
        for layer: Layer, _ own: StagedRecords = StagedRecords(), payloadRoot: RecordID? = nil
    ) -> RecordSourceProxy {
        RecordSourceProxy(
            base: records, response: staged, level: isNewest ? nil : LayerLevel(replay: self, id: layer.id),
            isTop: isNewest, own: own, disk: disk, names: names, payloadRoot: payloadRoot, isLayer: true)
    }

    private func run(_ layer: inout Layer) {
        switch layer.change {
        case .updater(let body): run(&layer, source(for: layer), body)
        case .response(let response, let handled, let updater):
            if handled.isEmpty, updater == nil {
                let id = layer.id
                layer.setChanges(LayerChanges(response, over: { existence(of: $0, below: id) }, names), nil)
            } else {
                // The optimistic response includes the work for its fields.
                let root = updater == nil ? nil : layer.root
                run(&layer, source(for: layer, response, payloadRoot: root)) {
                    try $0.runHandlers(handled, handlers)
                    try updater?($0)
                    try $0.deleteNamesakes()
                }
            }
        }
    }

    /// Runs code of the application.
    private func run(
        _ layer: inout Layer, _ source: RecordSourceProxy, _ body: (RecordSourceProxy) throws -> Void
    ) {
        let id = layer.id
        var outcome = LayerChanges()
        do {
            let mark = LayerRun()
            try LayerRun.$current.withValue(mark) {
                defer { mark.end() }
                try source.run(body)
            }
            // A layer takes only records, because its removal must leave no trace in the store.
            let done = source.finish()
            outcome = LayerChanges(done, over: { existence(of: $0, below: id) }, names)
        } catch {
            failures.append(Failure(layer: layer, error: error))
        }
        layer.setChanges(outcome, source.reads)
        source.end()
    }

    // MARK: - Changes upwards

    /// Notes a change of the base that layers read or write.
    private func noteBase(_ position: Int) {
        let entry = staged.entries[position]
        if entry.isSkipped { return }
        stagedHere.append(position)
        let record = entry.record
        let before = records.existence(of: record)
        if entry.isDeleted {
            if before.state != .deleted { touch(record, above: .base) }
            return
        }
        if before.state != .existing, entry.type == nil, record != .root { return }
        guard before.state == .existing, !entry.isReplaced, entry.type.map({ $0 == before.type }) ?? true else {
            return touch(record, above: .base)
        }
        let hasErrors = !records.fieldErrors.isEmpty || !staged.fieldErrors.isEmpty
        for (key, value) in zip(staged.shape(position).keys, staged.values(position)) {
            let old = records.valueOfBase(key, of: record)
            if let old, old.isIdentical(to: value) {
                guard hasErrors, records.fieldErrors[record, key] != nil || staged.fieldErrors[record, key] != nil
                else { continue }
            }
            touch(record, key, above: .base, changesKeys: old == nil)
        }
    }

    /// Replaces the result of a layer, and queues the layers that read a changed field.
    private func replace(_ id: LayerID, by new: Layer?) {
        let old = stack[id]?.outcome.entries ?? []
        let entries = new?.outcome.entries ?? []
        var (left, right) = (0, 0)
        var isSame = true
        while left < old.count || right < entries.count {
            let isOld =
                left < old.count && (right >= entries.count || old[left].record.index <= entries[right].record.index)
            let isNew =
                right < entries.count && (left >= old.count || entries[right].record.index <= old[left].record.index)
            let before = isOld ? old[left] : nil
            let after = isNew ? entries[right] : nil
            left += isOld ? 1 : 0
            right += isNew ? 1 : 0
            if !compare(before, after, at: id) { isSame = false }
        }
        for entry in old { entry.forEachWrite { _ in writerChanges[entry.record, default: 0] -= 1 } }
        for entry in entries {
            entry.forEachWrite { key in
                writerChanges[entry.record, default: 0] += 1
                if written[Read(record: entry.record, key: key), default: []].append(layer: id) {
                    writtenKeys[entry.record, default: []].append(key)
                }
            }
        }
        if !isSame { for other in readersOfAll where other > id { waiting.insert(other) } }
        if let new { redone.append(new) }
    }

    /// Compares the old and the new result of a layer for a record; returns false if they differ for the layers above.
    private func compare(_ old: LayerChanges.Entry?, _ new: LayerChanges.Entry?, at id: LayerID) -> Bool {
        guard let record = old?.record ?? new?.record else { return true }
        let (before, after) = (old?.effect ?? .none, new?.effect ?? .none)
        if before.hides || after.hides, before != after {
            touch(record, above: id)
            return false
        }
        var isSame = true
        for key in new?.keys ?? [] {
            let known = before == .none ? nil : old?.value(key)
            if let known, let value = new?.value(key), value.isIdentical(to: known) { continue }
            isSame = false
            touch(record, key, above: id, changesKeys: known == nil)
        }
        for key in old?.keys ?? [] where after == .none || new?.shape.position(of: key) == nil {
            // The layer no longer writes the field. If it writes the whole record, the field is missing now; otherwise
            // the field has the value below.
            let below = after.hides ? nil : value(key, of: record, below: id)
            if let below, let known = old?.value(key), below.isIdentical(to: known) { continue }
            isSame = false
            touch(record, key, above: id, changesKeys: below == nil)
        }
        return isSame
    }

    /// Notes that a field differs above a layer.
    private func touch(_ record: RecordID, _ key: StorageKeyID, above id: LayerID, changesKeys: Bool) {
        touched[record, default: Touch()].keys.append(key)
        guard let tracks = stack.tracks[record] else { return }
        let limit = tracks[Read.existence]?.writers.first(above: id)
        wake(tracks[key], above: id, upTo: limit)
        if changesKeys { wake(tracks[Read.keys], above: id, upTo: limit) }
    }

    /// Notes that all fields of a record may differ above a layer.
    private func touch(_ record: RecordID, above id: LayerID) {
        touched[record, default: Touch()].isWhole = true
        guard let tracks = stack.tracks[record] else { return }
        let limit = tracks[Read.existence]?.writers.first(above: id)
        for key in tracks.keys { wake(tracks[key], above: id, upTo: limit) }
    }

    /// Queues the layers that read a field above a layer, up to the next layer that writes the field or the whole
    /// record.
    private func wake(_ track: LayerTrack?, above id: LayerID, upTo limit: LayerID?) {
        guard let track, let last = track.readers.last, last > id else { return }
        let end = min(track.writers.first(above: id) ?? .top, limit ?? .top)
        var place = track.readers.firstPlace(notBelow: LayerID(number: id.number &+ 1))
        while place < track.readers.count, track.readers[place] <= end {
            waiting.insert(track.readers[place])
            place += 1
        }
    }

    // MARK: - Reading through layers

    private func entry(of record: RecordID, in id: LayerID) -> LayerChanges.Entry? {
        let place = redone.firstPlace(notBelow: id)
        if place < redone.count, redone[place].id == id { return redone[place].outcome.entry(of: record) }
        return stack.layers[id]?.outcome.entry(of: record)
    }

    private func isReplaced(_ id: LayerID) -> Bool {
        let place = redone.firstPlace(notBelow: id)
        return place < redone.count && redone[place].id == id || gone.firstPlace(of: id) != nil
    }

    /// Returns the last layer below a level that writes a field.
    private func writer(_ record: RecordID, _ key: StorageKeyID, below level: LayerID) -> LayerID? {
        let field = Read(record: record, key: key)
        let known = found[field]
        let floor = known.map { $0.level <= level ? $0.level : .base } ?? .base
        var best: LayerID?
        if let list = written[field] {
            let place = list.firstPlace(notBelow: level)
            if place > 0, list[place - 1] >= floor { best = list[place - 1] }
        }
        if let writers = stack.tracks[record]?[key]?.writers {
            var place = writers.firstPlace(notBelow: level) - 1
            while place >= 0, writers[place] >= max(floor, best ?? .base) {
                if !isReplaced(writers[place]) {
                    best = writers[place]
                    break
                }
                place -= 1
            }
        }
        if best == nil, floor > .base { best = known?.writer }
        found[field] = (level, best)
        return best
    }

    func existence(of record: RecordID, below level: LayerID) -> Records.Existence {
        switch writer(record, Read.existence, below: level).flatMap({ entry(of: record, in: $0)?.effect }) {
        case .whole(let type): .init(state: .existing, type: type)
        case .deletion: .init(state: .deleted, type: .none)
        default: ground.existence(of: record)
        }
    }

    func value(_ key: StorageKeyID, of record: RecordID, below level: LayerID) -> Value? {
        let whole = writer(record, Read.existence, below: level)
        if let own = writer(record, key, below: level), own >= whole ?? .base {
            return entry(of: record, in: own)?.value(key)
        }
        return whole == nil ? ground.value(key, of: record) : nil
    }

    func keys(of record: RecordID, below level: LayerID) -> [StorageKeyID] {
        let whole = writer(record, Read.existence, below: level)
        var keys = whole == nil ? ground.keys(of: record) : whole.flatMap { entry(of: record, in: $0)?.keys } ?? []
        var others = Set(stack.tracks[record]?.keys ?? []).union(writtenKeys[record] ?? [])
        others.subtract(keys)
        others.subtract([Read.existence, Read.keys])
        for key in others.sorted() {
            if let own = writer(record, key, below: level), own >= whole ?? .base { keys.append(key) }
        }
        return keys
    }

    func whole(_ record: RecordID, below level: LayerID) -> WholeRecord {
        let existence = existence(of: record, below: level)
        var result = WholeRecord(state: existence.state, type: existence.type)
        guard existence.state == .existing else { return result }
        let keys = keys(of: record, below: level)
        result.shape = names.shape(keys)
        result.values = keys.map { value($0, of: record, below: level) ?? .null }
        return result
    }

    /// Returns true if layers write a record or have written it.
    func concerns(_ record: RecordID) -> Bool { stack.isUsed(record) || writtenKeys[record] != nil }

    /// Every record that layers write or have written.
    var concerned: Set<RecordID> { Set(stack.tracks.keys).union(writtenKeys.keys) }

    /// Merges staged changes into a record of the base.
    func merge(_ position: Int, into base: inout WholeRecord) { _ = base.merge(staged, at: position, names) }
}

extension [LayerID] {
    fileprivate func firstPlace(of id: LayerID) -> Int? {
        let place = firstPlace(notBelow: id)
        return place < count && self[place] == id ? place : nil
    }

    /// Adds a layer to the end of a list in order, once; returns true if it is the first.
    fileprivate mutating func append(layer id: LayerID) -> Bool {
        if last != id { append(id) }
        return count == 1
    }
}

extension [Layer] {
    fileprivate func firstPlace(notBelow id: LayerID) -> Int {
        guard let last, id <= last.id else { return count }
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
