/// The records of a snapshot, in an order that depends only on the content of the store.
///
/// Records come in the order of a walk from the root along the links, with a record's fields in the order of their
/// keys. Records that the walk does not reach follow in the order of their texts. So only few identities have to be
/// sorted. Neighbouring records in the store are neighbours in the snapshot, and again in a restored store.
struct SnapshotWalk {
    /// A record of the snapshot.
    struct Included {
        let record: RecordID
        /// The position in `layouts`; below 0 if the record is deleted.
        let layout: Int
    }

    /// The type and the fields that records have in common.
    struct Form: Hashable {
        let type: TypeID
        /// The keys, in the order of their texts.
        let keys: [StorageKeyID]
    }

    /// The mapping from records of one type and shape to a form.
    struct Layout {
        /// The position of the form in `forms`.
        let form: Int
        /// The positions in a row of the form's fields.
        let places: [Int]
    }

    private let records: Records
    private let names: NameTable
    /// For each storage key, its rank in the order of the texts.
    private let ranks: [Int]
    /// The identities by their positions in the snapshot. The parent of a place comes before the place.
    private(set) var identities: [RecordID] = []
    private(set) var included: [Included] = []
    private(set) var layouts: [Layout] = []
    private(set) var forms: [Form] = []
    /// For each record number, one more than its position.
    private var positions: [UInt32]
    private var known = RecordSet()
    private var usesKey: [Bool]
    /// For each block, one more than the position of its layout.
    private var layoutOfBlock: [UInt32]
    private var layoutNumbers: [BlockDirectory.Key: Int] = [:]
    private var formNumbers: [Form: Int] = [:]
    /// The number of records in `included` whose links were followed.
    private var done = 0

    init(_ records: Records, _ names: NameTable, keys: [String]) {
        self.records = records
        self.names = names
        var order = ByteOrder()
        for key in keys { order.append(key) }
        var ranks = Array(repeating: 0, count: keys.count)
        for (rank, key) in order.positions().enumerated() { ranks[key] = rank }
        self.ranks = ranks
        usesKey = Array(repeating: false, count: keys.count)
        positions = Array(repeating: 0, count: records.capacity)
        layoutOfBlock = Array(repeating: 0, count: records.blocks.count)
        if records.state(of: .root) != .unknown { include(.root) }
        walk()
        includeUnreached()
    }

    /// Returns the position of an identity; -1 if it is not in the snapshot.
    @inline(__always)
    func position(of record: RecordID) -> Int {
        let index = Int(record.index)
        return index < positions.count ? Int(positions[index]) &- 1 : -1
    }

    /// Returns true if the snapshot has the record and not only its identity.
    func includes(_ record: RecordID) -> Bool { known.contains(record) }

    /// The storage keys that the snapshot mentions, in the order of their texts.
    var keys: [StorageKeyID] {
        usesKey.indices.filter { usesKey[$0] }.sorted { ranks[$0] < ranks[$1] }
            .map { StorageKeyID(index: UInt32(truncatingIfNeeded: $0)) }
    }

    // MARK: - Along the links

    /// Adds a record. If nothing was ever written to it, adds only its identity.
    @inline(__always)
    private mutating func include(_ record: RecordID) {
        let slot = records.slot(of: record)
        if slot.state == .unknown { return place(record) }
        guard known.insert(record) else { return }
        place(record)
        included.append(Included(record: record, layout: slot.state == .existing ? layout(at: slot) : -1))
    }

    private mutating func walk() {
        while done < included.count {
            let item = included[done]
            done += 1
            guard item.layout >= 0 else { continue }
            let values = records.values(at: records.slot(of: item.record))
            for place in layouts[item.layout].places { include(linksOf: values[place]) }
        }
    }

    private mutating func include(linksOf value: Value) {
        switch value {
        case .link(let target): include(target)
        case .links(let targets): for target in targets where target != .none { include(target) }
        case .list(let values): for value in values { include(linksOf: value) }
        default: break
        }
    }

    /// Gives an identity a position, after the positions of its parents.
    @inline(__always)
    private mutating func place(_ record: RecordID) {
        if position(of: record) < 0 { addIdentity(record) }
    }

    private mutating func addIdentity(_ record: RecordID) {
        guard let own = names.place(of: record) else { return append(record) }
        usesKey[Int(own.key.index)] = true
        if position(of: own.parent) < 0 { addPath(to: own.parent) }
        append(record)
    }

    /// Adds a record without a position, after those of its parents that have no position either. The parents wait in a
    /// list, because a hand-made snapshot may have many.
    private mutating func addPath(to record: RecordID) {
        var path: [RecordID] = []
        var next: RecordID? = record
        while let current = next, position(of: current) < 0 {
            path.append(current)
            let own = names.place(of: current)
            if let own { usesKey[Int(own.key.index)] = true }
            next = own?.parent
        }
        for record in path.reversed() { append(record) }
    }

    private mutating func append(_ record: RecordID) {
        let index = Int(record.index)
        if index >= positions.count {
            positions.append(contentsOf: repeatElement(0, count: index + 1 - positions.count))
        }
        identities.append(record)
        positions[index] = UInt32(truncatingIfNeeded: identities.count)
    }

    // MARK: - Unreached records

    /// Adds the records that the walk has not reached. The root records of mutations and events are left out, because
    /// no later operation can read them.
    private mutating func includeUnreached() {
        var roots: [RecordID] = []
        var places: [RecordID] = []
        for index in 0..<records.capacity {
            let record = RecordID(UInt32(truncatingIfNeeded: index))
            guard records.state(of: record) != .unknown, !known.contains(record), !names.isBelowCall(record) else {
                continue
            }
            if names.parent(of: record) == nil { roots.append(record) } else { places.append(record) }
        }
        for record in sorted(roots) {
            include(record)
            walk()
        }
        places.removeAll { known.contains($0) }
        if !places.isEmpty { include(places: places) }
    }

    private func sorted(_ records: [RecordID]) -> [RecordID] {
        var order = ByteOrder()
        for record in records { order.append(names.dataID(of: record).rawValue) }
        return order.positions().map { records[$0] }
    }

    /// Adds records that are identified by their place, level by level, so that parents get their positions first.
    private mutating func include(places: [RecordID]) {
        var wanted = RecordSet()
        var found = RecordSet()
        var levels: [[RecordID]] = [[]]
        for record in places { wanted.insert(record) }
        for record in places {
            var chain: [RecordID] = []
            var current: RecordID? = record
            while let next = current {
                chain.append(next)
                current = names.parent(of: next)
            }
            while levels.count < chain.count { levels.append([]) }
            for (depth, record) in chain.reversed().enumerated() where found.insert(record) {
                if position(of: record) < 0 || wanted.contains(record) { levels[depth].append(record) }
            }
        }
        for record in sorted(levels[0]) { place(record) }
        for level in levels.dropFirst() {
            let items = level.compactMap { record in
                names.place(of: record).map { (record: record, parent: position(of: $0.parent), place: $0) }
            }
            let ordered = items.sorted { left, right in
                if left.parent != right.parent { return left.parent < right.parent }
                let (first, second) = (ranks[Int(left.place.key.index)], ranks[Int(right.place.key.index)])
                return first != second ? first < second : left.place.index < right.place.index
            }
            for item in ordered {
                if wanted.contains(item.record) { include(item.record) } else { place(item.record) }
                walk()
            }
        }
    }

    // MARK: - Forms

    @inline(__always)
    private mutating func layout(at slot: Records.Slot) -> Int {
        let known = layoutOfBlock[Int(slot.block)]
        return known > 0 ? Int(known) &- 1 : addLayout(at: slot)
    }

    private mutating func addLayout(at slot: Records.Slot) -> Int {
        let block = records.block(at: slot)
        let key = BlockDirectory.Key(block.type, block.shape)
        let number = layoutNumbers[key] ?? addLayout(of: block)
        layoutNumbers[key] = number
        layoutOfBlock[Int(slot.block)] = UInt32(truncatingIfNeeded: number + 1)
        return number
    }

    private mutating func addLayout(of block: RecordBlock) -> Int {
        let keys = block.shape.keys
        for key in keys { usesKey[Int(key.index)] = true }
        let places = keys.indices.sorted { ranks[Int(keys[$0].index)] < ranks[Int(keys[$1].index)] }
        let form = Form(type: block.type, keys: places.map { keys[$0] })
        let number = formNumbers[form] ?? forms.count
        if number == forms.count {
            forms.append(form)
            formNumbers[form] = number
        }
        layouts.append(Layout(form: number, places: places))
        return layouts.count - 1
    }
}
