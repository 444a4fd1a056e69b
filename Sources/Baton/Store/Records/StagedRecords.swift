/// The changes that a response or an update is about to write into the store.
///
/// Values are in blocks like those of the store. The store adopts whole blocks where it can.
struct StagedRecords: Sendable {
    /// The change of one record.
    struct Entry: Sendable {
        let record: RecordID
        /// The record's new type; nil keeps the type.
        var type: TypeID?
        /// The block and row of the values; the block is below 0 if there are none.
        var block: Int32 = -1
        var row: UInt16 = 0
        /// True if the old record is removed first.
        var isReplaced = false
        var isDeleted = false
        /// True if the merge leaves the record out.
        fileprivate(set) var isSkipped = false

        @inline(__always)
        fileprivate mutating func place(_ block: Int32, _ row: Int) {
            self.block = block
            self.row = UInt16(truncatingIfNeeded: row)
        }
    }

    private(set) var entries: [Entry] = []
    var blocks: [RecordBlock] = []
    /// For each type and shape, a block with room; empty as long as the blocks are few.
    private var open: [BlockKey: Int32] = [:]
    var facts: [TypeFact: Bool] = [:]
    /// The lists of the base that the response continues. In the row of the entry, the value of such a list is null.
    var growths: [RecordID: [StorageKeyID: Growth]] = [:]
    /// The server's errors for fields that this response brought without a value.
    var fieldErrors = FieldErrors()
    /// The invalidations.
    var invalidations = StagedInvalidations()
    /// The time of the response's fetch; nil if there is no response.
    var fetch: FetchMark?
    /// The values of missing-field handlers, to be written if the fields are still missing.
    var found: [FoundField] = []
    /// What a file has of records, to be laid under what the store has by then.
    var underlaid: [UnderlaidRecord] = []

    /// The records of `base` for which the response brought exactly the values of the base.
    private(set) var confirmed: [RecordID] = []
    /// One bit for each confirmed record, by number, in pages; empty as long as the records are few.
    private var marks: [[UInt64]] = []
    /// The records of `base` for which the response brought only their known ID, one by one.
    var confirmedIDs: [ConfirmedID] = []
    var confirmedLinks: [ConfirmedLinks] = []
    var base: Records?
    /// The records to which the response gives two types at different places.
    var typeChanges: [TypeChange] = []
    /// True if an update has given a record an `id` that differs from its data ID.
    var idsMayDiffer = false

    struct ConfirmedID: Sendable {
        let record: RecordID
        let key: StorageKeyID
    }

    /// The first links of a record's list under a key.
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

    /// For each record number, the position in `entries` plus one in the low half and the type in the high half; 0
    /// without an entry. The numbers are in pages, because a response touches few parts of a large store. There are no
    /// pages as long as the entries are few.
    private var pages: [[UInt64]] = []
    private static let pageBits = 10
    /// The highest number of a record with an entry as long as the entries are few; 0 once there are pages. A response
    /// without new data has an entry for the root alone, while each of its records is looked up.
    private var highestOfFew: UInt32 = 0
    /// The greatest number of entries, confirmed records or blocks that are searched one by one. For a small response,
    /// pages and tables would take more time than its fields (benchmark `small.fetch-us`).
    private static let few = 8

    var isEmpty: Bool {
        entries.isEmpty && !isConfirming && facts.isEmpty && fieldErrors.isEmpty
            && invalidations.isEmpty && found.isEmpty && underlaid.isEmpty
    }

    /// True if the staged changes mean values of `base`, which may have changed in the store since.
    var isConfirming: Bool { !confirmed.isEmpty || !confirmedIDs.isEmpty || !confirmedLinks.isEmpty }

    /// Moves the records to a single owner and leaves none, so that they are not copied.
    mutating func take() -> StagedRecords {
        var taken = StagedRecords()
        swap(&taken, &self)
        return taken
    }

    // MARK: - Finding

    /// Returns the position of a record's entry; nil if there is none.
    func position(of record: RecordID) -> Int? {
        let word = word(record)
        return word == 0 ? nil : Int(truncatingIfNeeded: word & 0xFFFF_FFFF) &- 1
    }

    @inline(__always)
    private func word(_ record: RecordID) -> UInt64 {
        let page = Int(record.index) >> Self.pageBits
        let index = Int(record.index) & (1 << Self.pageBits - 1)
        guard page < pages.count else { return record.index > highestOfFew ? 0 : wordAmongFew(record) }
        return index < pages[page].count ? pages[page][index] : 0
    }

    @inline(never)
    private func wordAmongFew(_ record: RecordID) -> UInt64 {
        guard let position = entries.firstIndex(where: { $0.record == record }) else { return 0 }
        return Self.word(position, entries[position].type)
    }

    private static func word(_ position: Int, _ type: TypeID?) -> UInt64 {
        UInt64(type?.index ?? .max) << 32 | UInt64(truncatingIfNeeded: position + 1)
    }

    /// Returns true if a record was confirmed.
    func isConfirmed(_ record: RecordID) -> Bool {
        if marks.isEmpty { return confirmed.contains(record) }
        let index = Int(record.index)
        let page = index >> Self.pageBits
        guard page < marks.count, !marks[page].isEmpty else { return false }
        return marks[page][(index & (1 << Self.pageBits - 1)) >> 6] & (1 << UInt64(index & 63)) != 0
    }

    /// Notes a record for which the response brought exactly the values of the base.
    @inline(__always)
    mutating func confirm(_ record: RecordID) {
        let index = Int(record.index)
        let page = index >> Self.pageBits
        // The search among few records is needed only where a page of marks is missing.
        if page >= marks.count || marks[page].isEmpty {
            if marks.isEmpty, confirmAmongFew(record) { return }
            addMarks(page)
        }
        let word = (index & (1 << Self.pageBits - 1)) >> 6
        let bit: UInt64 = 1 << UInt64(index & 63)
        guard marks[page][word] & bit == 0 else { return }
        marks[page][word] |= bit
        confirmed.append(record)
    }

    /// Confirms a record while few records are confirmed. If there are too many now, makes pages of marks and returns
    /// false.
    @inline(never)
    private mutating func confirmAmongFew(_ record: RecordID) -> Bool {
        if confirmed.contains(record) { return true }
        if confirmed.count < Self.few {
            confirmed.append(record)
            return true
        }
        for record in confirmed {
            let page = Int(record.index) >> Self.pageBits
            addMarks(page)
            marks[page][(Int(record.index) & (1 << Self.pageBits - 1)) >> 6] |= 1 << UInt64(record.index & 63)
        }
        return false
    }

    /// Makes a page of marks if it is missing.
    @inline(never)
    private mutating func addMarks(_ page: Int) {
        if page >= marks.count { marks.append(contentsOf: repeatElement([], count: page + 1 - marks.count)) }
        if marks[page].isEmpty { marks[page] = Array(repeating: 0, count: 1 << Self.pageBits / 64) }
    }

    /// Returns true if the record has an entry.
    @inline(__always)
    func contains(_ record: RecordID) -> Bool { word(record) != 0 }

    /// Returns true if the record has an entry with this type.
    @inline(__always)
    func contains(_ record: RecordID, _ type: TypeID) -> Bool {
        let word = word(record)
        return word != 0 && word >> 32 == UInt64(type.index)
    }

    /// Returns the position of a record's entry, which is made if needed, and sets the type of the entry. Without a
    /// type the entry keeps its type.
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
                    noteTypeChange(record, TypeID(index: UInt32(truncatingIfNeeded: word >> 32)), type)
                    entries[position].type = type
                    pages[page][index] = typeBits | word & 0xFFFF_FFFF
                }
                return position
            }
        } else {
            if pages.isEmpty, let position = positionAddingToFew(record, type) { return position }
            // The call for few entries may have just made the first pages.
            if page >= pages.count || index >= pages[page].count { extendPage(page, to: index) }
        }
        entries.append(Entry(record: record, type: type))
        pages[page][index] = typeBits | UInt64(truncatingIfNeeded: entries.count)
        return entries.count &- 1
    }

    /// Does the work of `positionAdding` while the entries are few. If there are too many now, makes their pages and
    /// returns nil.
    @inline(never)
    private mutating func positionAddingToFew(_ record: RecordID, _ type: TypeID?) -> Int? {
        if let position = entries.firstIndex(where: { $0.record == record }) {
            if let type, entries[position].type != type {
                // An entry without a type keeps the type of its record.
                noteTypeChange(record, entries[position].type ?? TypeID(index: .max), type)
                entries[position].type = type
            }
            return position
        }
        if entries.count < Self.few {
            entries.append(Entry(record: record, type: type))
            highestOfFew = max(highestOfFew, record.index)
            return entries.count &- 1
        }
        highestOfFew = 0
        for (position, entry) in entries.enumerated() {
            let page = Int(entry.record.index) >> Self.pageBits
            let index = Int(entry.record.index) & (1 << Self.pageBits - 1)
            if page >= pages.count || index >= pages[page].count { extendPage(page, to: index) }
            pages[page][index] = Self.word(position, entry.type)
        }
        return nil
    }

    /// Notes that a response gives one record two types.
    @inline(never)
    private mutating func noteTypeChange(_ record: RecordID, _ old: TypeID, _ new: TypeID) {
        if old != .none { typeChanges.append(.init(record: record, old: old, new: new)) }
    }

    /// Makes room in a page for a record. The page of a small response may be short, because a whole page takes longer
    /// to make than a common response takes to read. The root is the first record of the first page.
    private mutating func extendPage(_ page: Int, to index: Int) {
        if page >= pages.count { pages.append(contentsOf: repeatElement([], count: page + 1 - pages.count)) }
        var count = 1 << Self.pageBits
        if entries.count < 16 { while count > 32, count / 2 > index { count /= 2 } }
        if pages[page].isEmpty {
            pages[page] = Array(repeating: 0, count: count)
        } else {
            pages[page].append(contentsOf: repeatElement(0, count: count - pages[page].count))
        }
    }

    /// Returns true if nothing was written to an entry yet.
    @inline(__always)
    func isNew(_ position: Int) -> Bool { entries[position].block < 0 }

    /// Returns the keys that were written to an entry.
    func shape(_ position: Int) -> Shape {
        let entry = entries[position]
        return entry.block < 0 ? .empty : blocks[Int(entry.block)].shape
    }

    /// Returns the values that were written to an entry, in the order of its shape.
    func values(_ position: Int) -> [Value] {
        let entry = entries[position]
        guard entry.block >= 0 else { return [] }
        var values = Array(blocks[Int(entry.block)].row(Int(entry.row)))
        if growths.isEmpty { return values }
        for (key, growth) in growths[entry.record] ?? [:] {
            if let place = shape(position).position(of: key) { values[place] = growth.list.whole }
        }
        return values
    }

    /// Returns the value that was written under a key.
    func value(_ position: Int, _ key: StorageKeyID) -> Value? {
        let entry = entries[position]
        guard entry.block >= 0, let place = blocks[Int(entry.block)].shape.position(of: key) else { return nil }
        if !growths.isEmpty, let growth = growths[entry.record]?[key] { return growth.list.whole }
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
        if blocks.count <= Self.few {
            let open = blocks.lastIndex { $0.shape === shape && $0.type == type && !$0.isFull }
            if let open { return Int32(truncatingIfNeeded: open) }
        } else if let block = open[key], !blocks[Int(block)].isFull {
            return block
        }
        blocks.append(RecordBlock(type, shape))
        let index = Int32(truncatingIfNeeded: blocks.count - 1)
        if blocks.count == Self.few + 1 {
            for (index, block) in blocks.enumerated() {
                let key = BlockKey(type: block.type, shape: ObjectIdentifier(block.shape))
                open[key] = Int32(truncatingIfNeeded: index)
            }
        } else if blocks.count > Self.few {
            open[key] = index
        }
        return index
    }

    /// Moves the values of a new record into an entry. `hint` is the block of the last record of the same kind.
    @inline(__always)
    mutating func fill(
        _ position: Int, _ type: TypeID, _ shape: Shape, _ values: inout FieldBuffer, hint: inout Int32
    ) {
        let old = entries[position].block
        if !growths.isEmpty { growths[entries[position].record] = nil }
        if old >= 0 { blocks[Int(old)].clear(Int(entries[position].row)) }
        if !isOpen(hint, type, shape) { hint = openBlock(type, shape) }
        entries[position].place(hint, blocks[Int(hint)].addRow(moving: values.takeAll(shape.count)))
    }

    /// Returns true if all keys of an entry are in a shape, so that values of the shape replace all values of the
    /// entry.
    @inline(__always)
    func hasOnly(_ position: Int, keysOf shape: Shape) -> Bool {
        let own = self.shape(position)
        if own === shape { return true }
        guard own.count <= shape.count else { return false }
        for key in own.keys where shape.position(of: key) == nil { return false }
        return true
    }

    /// Sets one field.
    mutating func set(_ position: Int, _ key: StorageKeyID, _ value: Value, _ names: NameTable) {
        let entry = entries[position]
        if !growths.isEmpty { growths[entry.record]?[key] = nil }
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

    /// Changes a value that was written under a key, in place.
    mutating func change(_ position: Int, _ key: StorageKeyID, _ body: (inout Value) -> Void) {
        let entry = entries[position]
        guard entry.block >= 0, let place = blocks[Int(entry.block)].shape.position(of: key) else { return }
        own(entry.block)
        body(&blocks[Int(entry.block)][Int(entry.row), place])
    }

    /// Sets fields; of two with the same key the last counts.
    mutating func set(_ position: Int, _ keys: [StorageKeyID], _ values: [Value], _ names: NameTable) {
        let shape = shape(position)
        if !growths.isEmpty { for key in keys { growths[entries[position].record]?[key] = nil } }
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

    /// Moves an entry's values to a row with more keys, whose values are null.
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
        if !isKnownUniquelyReferenced(&blocks[Int(index)]) { blocks[Int(index)] = blocks[Int(index)].copyOfStaged() }
    }

    /// Removes everything that was written to an entry.
    mutating func reset(_ position: Int, type: TypeID? = nil, isReplaced: Bool = false, isDeleted: Bool = false) {
        let old = entries[position]
        if !growths.isEmpty { growths[old.record] = nil }
        if old.block >= 0 {
            own(old.block)
            blocks[Int(old.block)].clear(Int(old.row))
        }
        entries[position] = Entry(record: old.record, type: type, isReplaced: isReplaced, isDeleted: isDeleted)
    }

    /// Leaves an entry out of the merge.
    mutating func skip(_ position: Int) { entries[position].isSkipped = true }

    /// Marks the record as no longer deleted, and sets its type if there is one.
    mutating func restore(_ position: Int, _ type: TypeID?) {
        entries[position].isDeleted = false
        entries[position].type = type ?? entries[position].type
    }

    /// Lists confirmed links one by one, for a record that turned out not to be the owner of their lists. The lists
    /// before `first` stay.
    mutating func separateLinks(of record: RecordID, in base: Records, from first: Int) {
        guard first < confirmedLinks.count else { return }
        let lists = confirmedLinks[first...].filter { $0.record == record }
        guard !lists.isEmpty else { return }
        confirmedLinks.replaceSubrange(first..., with: confirmedLinks[first...].filter { $0.record != record })
        for list in lists {
            guard case .links(let links)? = base.value(list.key, of: record) else { continue }
            confirmedIDs += links.prefix(list.count).map { ConfirmedID(record: $0, key: list.id) }
        }
    }

    /// Stages the confirmed values that have changed in the store since, because the response brought the old values.
    /// Releases the base.
    mutating func stageConfirmed(against current: Records, _ names: NameTable) {
        guard let base else { return }
        self.base = nil
        guard current.epoch != base.epoch else { return }
        for record in confirmed where current.isOtherwise(record, since: base.epoch) {
            stageRecord(record, of: base, names)
        }
        confirmed.removeAll { current.isOtherwise($0, since: base.epoch) }
        for link in confirmedIDs { stageID(link.record, id: link.key, base, current, names) }
        for list in confirmedLinks {
            guard case .links(let links)? = base.value(list.key, of: list.record) else { continue }
            for link in links.prefix(list.count) { stageID(link, id: list.id, base, current, names) }
        }
    }

    /// Stages the values of a base record; values that the response brought later stay.
    mutating func stageRecord(_ record: RecordID, of base: Records, _ names: NameTable) {
        let position = positionKeeping(record, base)
        let later = shape(position)
        for (key, value) in zip(base.shape(of: record).keys, base.values(of: record))
        where later.position(of: key) == nil {
            set(position, key, value, names)
        }
    }

    /// Returns the position of a record's entry, which is made with the type of the base if needed.
    private mutating func positionKeeping(_ record: RecordID, _ base: Records) -> Int {
        position(of: record) ?? positionAdding(record, base.type(of: record))
    }

    private mutating func stageID(
        _ record: RecordID, id: StorageKeyID, _ base: Records, _ current: Records, _ names: NameTable
    ) {
        guard record != .none, current.isOtherwise(record, since: base.epoch) else { return }
        let position = positionKeeping(record, base)
        guard let value = base.value(id, of: record), shape(position).position(of: id) == nil else { return }
        set(position, id, value, names)
    }
}
