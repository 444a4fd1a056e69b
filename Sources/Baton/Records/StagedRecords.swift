/// What an answer or an update is about to write, beside the store.
///
/// Values stand in blocks like those of the store, which takes over whole ones where it can.
struct StagedRecords: Sendable {
    /// What happens to one record.
    struct Entry: Sendable {
        let record: RecordID
        /// Nil keeps the type.
        var type: TypeID?
        /// The row of its values; below 0 it has none.
        var block: Int32 = -1
        var row: UInt16 = 0
        /// What was there before goes away first.
        var isReplaced = false
        var isDeleted = false
        /// Others take care of the record.
        fileprivate(set) var isSkipped = false

        @inline(__always)
        fileprivate mutating func place(_ block: Int32, _ row: Int) {
            self.block = block
            self.row = UInt16(truncatingIfNeeded: row)
        }
    }

    private(set) var entries: [Entry] = []
    var blocks: [RecordBlock] = []
    /// The block of a shape that has room.
    private var open: [BlockKey: Int32] = [:]
    var facts: [Records.TypeFact: Bool] = [:]
    /// What the server said of fields that this answer brought without a value.
    var fieldErrors = FieldErrors()
    /// What is made stale.
    var invalidations = StagedInvalidations()
    /// When an answer was fetched; nil for what no answer brought.
    var fetch: FetchMark?
    /// What missing-field handlers found, to be written where it is still missing.
    var found: [FoundField] = []

    /// Records of `base` of which the answer says in full what they say themselves.
    private(set) var confirmed: [RecordID] = []
    /// A bit for each of them, by number, in pages as below.
    private var marks: [[UInt64]] = []
    /// Records of `base` of which the answer says no more than their ID, one by one and as beginnings of lists of
    /// `base`.
    var confirmedIDs: [ConfirmedID] = []
    var confirmedLinks: [ConfirmedLinks] = []
    var base: Records?
    /// Records of which the answer says at one place that they are of another type than at a place before.
    var typeChanges: [TypeChange] = []
    /// An update has given a record an `id` that is not its data ID.
    var idsMayDiffer = false

    struct ConfirmedID: Sendable {
        let record: RecordID
        let key: StorageKeyID
    }

    /// The first links of the list that a record has under a key.
    struct ConfirmedLinks: Sendable {
        let record: RecordID
        let key: StorageKeyID
        let count: Int
        let id: StorageKeyID
    }

    private struct BlockKey: Hashable {
        let type: TypeID
        let shape: ObjectIdentifier
    }

    /// By the number of the record: its position in `entries` plus one in the low half, its type in the high half; 0
    /// where there is none. In pages, because an answer mostly touches few parts of a large store.
    private var pages: [[UInt64]] = []
    private static let pageBits = 10

    var isEmpty: Bool {
        entries.isEmpty && !isConfirming && facts.isEmpty && fieldErrors.isEmpty
            && invalidations.isEmpty && found.isEmpty
    }

    /// What the answer says depends on what `base` says.
    var isConfirming: Bool { !confirmed.isEmpty || !confirmedIDs.isEmpty || !confirmedLinks.isEmpty }

    // MARK: - Finding

    /// The position of a record's entry.
    func position(of record: RecordID) -> Int? {
        let word = word(record)
        return word == 0 ? nil : Int(truncatingIfNeeded: word & 0xFFFF_FFFF) &- 1
    }

    @inline(__always)
    private func word(_ record: RecordID) -> UInt64 {
        let page = Int(record.index) >> Self.pageBits
        let index = Int(record.index) & (1 << Self.pageBits - 1)
        guard page < pages.count, index < pages[page].count else { return 0 }
        return pages[page][index]
    }

    /// Says whether a record was confirmed.
    func isConfirmed(_ record: RecordID) -> Bool {
        let index = Int(record.index)
        let page = index >> Self.pageBits
        guard page < marks.count, !marks[page].isEmpty else { return false }
        return marks[page][(index & (1 << Self.pageBits - 1)) >> 6] & (1 << UInt64(index & 63)) != 0
    }

    /// Notes a record of which the answer says in full what the base says.
    @inline(__always)
    mutating func confirm(_ record: RecordID) {
        let index = Int(record.index)
        let page = index >> Self.pageBits
        if page >= marks.count { marks.append(contentsOf: repeatElement([], count: page + 1 - marks.count)) }
        if marks[page].isEmpty { marks[page] = Array(repeating: 0, count: 1 << Self.pageBits / 64) }
        let word = (index & (1 << Self.pageBits - 1)) >> 6
        let bit: UInt64 = 1 << UInt64(index & 63)
        guard marks[page][word] & bit == 0 else { return }
        marks[page][word] |= bit
        confirmed.append(record)
    }

    /// Says whether something was written to a record.
    @inline(__always)
    func contains(_ record: RecordID) -> Bool { word(record) != 0 }

    /// Says whether something was written to a record, for this type.
    @inline(__always)
    func contains(_ record: RecordID, _ type: TypeID) -> Bool {
        let word = word(record)
        return word != 0 && word >> 32 == UInt64(type.index)
    }

    /// The position of a record's entry, made if there is none, for a type; without one it is kept.
    @inline(__always)
    mutating func positionAdding(_ record: RecordID, _ type: TypeID? = nil) -> Int {
        let page = Int(record.index) >> Self.pageBits
        let index = Int(record.index) & (1 << Self.pageBits - 1)
        let typeBits = UInt64(type?.index ?? .max) << 32
        if page < pages.count, index < pages[page].count {
            let word = pages[page][index]
            if word != 0 {
                let position = Int(truncatingIfNeeded: word & 0xFFFF_FFFF) &- 1
                if let type, word >> 32 != UInt64(type.index) {
                    note(record, TypeID(index: UInt32(truncatingIfNeeded: word >> 32)), type)
                    entries[position].type = type
                    pages[page][index] = typeBits | word & 0xFFFF_FFFF
                }
                return position
            }
        } else {
            addPage(page)
        }
        entries.append(Entry(record: record, type: type))
        pages[page][index] = typeBits | UInt64(truncatingIfNeeded: entries.count)
        return entries.count &- 1
    }

    /// Notes that an answer gives one record two types.
    @inline(never)
    private mutating func note(_ record: RecordID, _ old: TypeID, _ new: TypeID) {
        if old != .none { typeChanges.append(.init(record: record, old: old, new: new)) }
    }

    private mutating func addPage(_ page: Int) {
        if page >= pages.count { pages.append(contentsOf: repeatElement([], count: page + 1 - pages.count)) }
        pages[page] = Array(repeating: 0, count: 1 << Self.pageBits)
    }

    /// Nothing was written to the entry yet.
    @inline(__always)
    func isNew(_ position: Int) -> Bool { entries[position].block < 0 }

    /// The keys that were written to an entry.
    func shape(_ position: Int) -> Shape {
        let entry = entries[position]
        return entry.block < 0 ? .empty : blocks[Int(entry.block)].shape
    }

    /// The values that were written to an entry, in the order of its shape.
    func values(_ position: Int) -> [Value] {
        let entry = entries[position]
        return entry.block < 0 ? [] : Array(blocks[Int(entry.block)].row(Int(entry.row)))
    }

    /// What was written under a key.
    func value(_ position: Int, _ key: StorageKeyID) -> Value? {
        let entry = entries[position]
        guard entry.block >= 0, let place = blocks[Int(entry.block)].shape.position(of: key) else { return nil }
        return blocks[Int(entry.block)][Int(entry.row), place]
    }

    // MARK: - Writing

    @inline(__always)
    private func isOpen(_ index: Int32, _ type: TypeID, _ shape: Shape) -> Bool {
        guard index >= 0, Int(index) < blocks.count else { return false }
        let block = blocks[Int(index)]
        return block.shape === shape && block.type == type && !block.isFull
    }

    private mutating func openBlock(_ type: TypeID, _ shape: Shape) -> Int32 {
        let key = BlockKey(type: type, shape: ObjectIdentifier(shape))
        if let block = open[key], !blocks[Int(block)].isFull { return block }
        blocks.append(RecordBlock(type, shape))
        let index = Int32(truncatingIfNeeded: blocks.count - 1)
        open[key] = index
        return index
    }

    /// Takes over the values of a record that is new, without copying them. `hint` is the block that the last one of
    /// its kind went to.
    @inline(__always)
    mutating func fill(
        _ position: Int, _ type: TypeID, _ shape: Shape, _ values: inout FieldBuffer, hint: inout Int32
    ) {
        let old = entries[position].block
        if old >= 0 { blocks[Int(old)].clear(Int(entries[position].row)) }
        if !isOpen(hint, type, shape) { hint = openBlock(type, shape) }
        entries[position].place(hint, blocks[Int(hint)].addRow(moving: values.takeAll(shape.keys.count)))
    }

    /// Says whether an entry has no key that a shape does not have, so that values of the shape replace all of its own.
    @inline(__always)
    func hasOnly(_ position: Int, keysOf shape: Shape) -> Bool {
        let own = self.shape(position)
        if own === shape { return true }
        guard own.keys.count <= shape.keys.count else { return false }
        for key in own.keys where shape.position(of: key) == nil { return false }
        return true
    }

    /// Sets one field.
    mutating func set(_ position: Int, _ key: StorageKeyID, _ value: Value, _ names: NameTable) {
        let entry = entries[position]
        if entry.block >= 0, let place = blocks[Int(entry.block)].shape.position(of: key) {
            own(entry.block)
            blocks[Int(entry.block)][Int(entry.row), place] = value
        } else {
            extend(position, [key], names)
            let entry = entries[position]
            let block = blocks[Int(entry.block)]
            block[Int(entry.row), block.width - 1] = value
        }
    }

    /// Sets fields; of two with the same key the last wins.
    mutating func set(_ position: Int, _ keys: [StorageKeyID], _ values: [Value], _ names: NameTable) {
        let shape = shape(position)
        var added: [StorageKeyID] = []
        for key in keys where shape.position(of: key) == nil && !added.contains(key) { added.append(key) }
        if !added.isEmpty { extend(position, added, names) }
        let entry = entries[position]
        guard entry.block >= 0 else { return }
        own(entry.block)
        let block = blocks[Int(entry.block)]
        for (index, key) in keys.enumerated() {
            if let place = block.shape.position(of: key) { block[Int(entry.row), place] = values[index] }
        }
    }

    /// Moves an entry's values to where there is room for more keys, which are null.
    private mutating func extend(_ position: Int, _ keys: [StorageKeyID], _ names: NameTable) {
        let entry = entries[position]
        let index = openBlock(entry.type ?? .none, names.shape(shape(position).keys + keys))
        own(index)
        let block = blocks[Int(index)]
        let row = block.addRow()
        if entry.block >= 0 {
            own(entry.block)
            let old = blocks[Int(entry.block)]
            for place in 0..<old.width { swap(&block[row, place], &old[Int(entry.row), place]) }
            old.clear(Int(entry.row))
        }
        entries[position].block = index
        entries[position].row = UInt16(truncatingIfNeeded: row)
    }

    private mutating func own(_ index: Int32) {
        if !isKnownUniquelyReferenced(&blocks[Int(index)]) { blocks[Int(index)] = blocks[Int(index)].copy() }
    }

    /// Forgets what was written to an entry.
    mutating func reset(_ position: Int, type: TypeID? = nil, isReplaced: Bool = false, isDeleted: Bool = false) {
        let old = entries[position]
        if old.block >= 0 {
            own(old.block)
            blocks[Int(old.block)].clear(Int(old.row))
        }
        entries[position] = Entry(record: old.record, type: type, isReplaced: isReplaced, isDeleted: isDeleted)
    }

    /// Leaves an entry out of the merge.
    mutating func skip(_ position: Int) { entries[position].isSkipped = true }

    /// The record is no longer deleted, and of this type if there is one.
    private mutating func restore(_ position: Int, _ type: TypeID?) {
        entries[position].isDeleted = false
        entries[position].type = type ?? entries[position].type
    }

    /// Stages what was confirmed and has changed since, because the answer says otherwise, and lets go of the base.
    mutating func settle(against current: Records, _ names: NameTable) {
        guard let base else { return }
        self.base = nil
        guard current.epoch != base.epoch else { return }
        for record in confirmed where current.isOtherwise(record, since: base.epoch) { add(record, of: base, names) }
        confirmed.removeAll { current.isOtherwise($0, since: base.epoch) }
        for link in confirmedIDs { settle(link.record, id: link.key, base, current, names) }
        for list in confirmedLinks {
            guard case .links(let links)? = base.value(list.key, of: list.record) else { continue }
            for link in links.prefix(list.count) { settle(link, id: list.id, base, current, names) }
        }
    }

    /// Stages what a record of the base says; what the answer said later stays.
    mutating func add(_ record: RecordID, of base: Records, _ names: NameTable) {
        let position = positionKeeping(record, base)
        let later = shape(position)
        for (key, value) in zip(base.shape(of: record).keys, base.values(of: record))
        where later.position(of: key) == nil {
            set(position, key, value, names)
        }
    }

    /// The position of a record's entry, made with the type of the base if there is none.
    private mutating func positionKeeping(_ record: RecordID, _ base: Records) -> Int {
        position(of: record) ?? positionAdding(record, base.type(of: record))
    }

    private mutating func settle(
        _ record: RecordID, id: StorageKeyID, _ base: Records, _ current: Records, _ names: NameTable
    ) {
        guard record != .none, current.isOtherwise(record, since: base.epoch) else { return }
        let position = positionKeeping(record, base)
        guard let value = base.value(id, of: record), shape(position).position(of: id) == nil else { return }
        set(position, id, value, names)
    }

    /// The number of records that were brought.
    var count: Int { entries.count + confirmed.count }

    /// Takes over the content of a later piece of work, whose values win.
    mutating func append(_ later: StagedRecords, _ names: NameTable) {
        for (index, entry) in later.entries.enumerated() {
            let position = positionAdding(entry.record)
            if entry.isReplaced || entry.isDeleted {
                reset(position, type: entry.type, isReplaced: entry.isReplaced, isDeleted: entry.isDeleted)
            } else {
                restore(position, entry.type)
            }
            set(position, later.shape(index).keys, later.values(index), names)
            if !fieldErrors.isEmpty { fieldErrors.drop(overwrittenBy: later, at: index) }
        }
        fieldErrors.take(later.fieldErrors)
        facts.merge(later.facts) { $1 }
        idsMayDiffer = idsMayDiffer || later.idsMayDiffer
        invalidations.append(later.invalidations)
    }
}
