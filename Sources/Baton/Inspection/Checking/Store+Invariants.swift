extension Store {
    /// Returns a sentence for each inconsistency in the store's own structures; empty if there is none.
    ///
    /// The check is a tool of the tests and of `store-model`, which run it between steps. It visits everything in the
    /// store, records and subscriptions one after the other, so nothing may be published or subscribed meanwhile.
    package func checkInvariants() -> [String] {
        let records = records
        let (recordCount, keyCount, typeCount) = names.counts
        var check = RecordsCheck(records, names, recordCount: recordCount, keyCount: keyCount, typeCount: typeCount)
        return check.violations() + names.violations()
            + subscriptions.look { $0.violations(recordCount: recordCount, names) }
            + operations.look { $0.violations() } + keyViolations(records)
            + records.stamps.violations(recordCount: recordCount, names)
            + records.errorViolations(recordCount: recordCount, names)
            + journal.current.violations(newest: records.epoch)
            + queue.inTurn { turn in
                records.coverViolations(turn.layers, names) + turn.layers.violations(names)
            }
    }
}

/// Checks one version of the records for inconsistencies.
private struct RecordsCheck {
    private struct Row: Hashable {
        let block: UInt32
        let row: UInt16
    }

    private let records: Records
    private let names: NameTable
    private let recordCount: Int
    private let keyCount: Int
    private let typeCount: Int
    private var found: [String] = []
    /// For each row, its record.
    private var users: [Row: RecordID] = [:]

    init(_ records: Records, _ names: NameTable, recordCount: Int, keyCount: Int, typeCount: Int) {
        self.records = records
        self.names = names
        self.recordCount = recordCount
        self.keyCount = keyCount
        self.typeCount = typeCount
    }

    private mutating func expect(_ holds: Bool, _ text: @autoclosure () -> String) {
        if !holds { found.append(text()) }
    }

    mutating func violations() -> [String] {
        expect(records.borrowedBlocks.count == records.blocks.count, "there are not as many borrowed blocks as blocks")
        guard found.isEmpty else { return found }
        for (index, borrowed) in records.borrowedBlocks.enumerated() {
            expect(borrowed.isBorrowed(from: records.blocks[index]), "borrowed block \(index) is not that of its block")
        }
        checkSlots()
        checkRows()
        checkFacts()
        return found
    }

    private mutating func checkSlots() {
        for (page, slots) in records.pages.slots.enumerated() {
            expect(slots.count == RecordPages.pageSize, "page \(page) has \(slots.count) slots")
            for (index, slot) in slots.enumerated() {
                check(slot, of: RecordID(UInt32(truncatingIfNeeded: page * RecordPages.pageSize + index)))
            }
        }
    }

    private mutating func check(_ slot: Records.Slot, of record: RecordID) {
        let names = names
        expect(slot.changed <= records.epoch, "\(names.label(of: record)) changed after the newest version")
        if slot.state == .unknown { return }
        expect(Int(record.index) < recordCount, "\(names.label(of: record)) has no name")
        guard slot.state == .existing else { return }
        guard Int(slot.block) < records.blocks.count else {
            found.append("\(names.label(of: record)) is in block \(slot.block), which does not exist")
            return
        }
        let block = records.blocks[Int(slot.block)]
        guard Int(slot.row) < block.count else {
            found.append("\(names.label(of: record)) is in row \(slot.row) of a block with \(block.count) rows")
            return
        }
        if let other = users.updateValue(record, forKey: Row(block: slot.block, row: slot.row)) {
            found.append("\(names.label(of: other)) and \(names.label(of: record)) are in the same row")
        }
        expect(Int(block.type.index) < typeCount, "the type of \(names.label(of: record)) has no name")
        for value in block.row(Int(slot.row)) { check(value, of: record) }
    }

    private mutating func check(_ value: Value, of record: RecordID) {
        let names = names
        switch value {
        case .link(let target):
            expect(Int(target.index) < recordCount, "\(names.label(of: record)) links to what has no name")
        case .links(let targets):
            for target in targets where target != .none {
                expect(Int(target.index) < recordCount, "\(names.label(of: record)) links to what has no name")
            }
        case .list(let values): for value in values { check(value, of: record) }
        default: break
        }
    }

    /// Checks that every row belongs to one record or is unused, and that every block with unused rows is listed.
    private mutating func checkRows() {
        let spares = Set(records.directory.spares)
        expect(spares.count == records.directory.spares.count, "a block is spare twice")
        expect(records.directory.places.count == records.blocks.count, "there are not as many places as blocks")
        expect(records.directory.unused.count == records.blocks.count, "there are not as many sets of rows as blocks")
        let existing = users.count
        let counted = records.rowCount
        expect(counted == existing, "\(existing) records are counted as \(counted)")
        guard records.directory.places.count == records.blocks.count,
            records.directory.unused.count == records.blocks.count
        else { return }
        var usedOfBlocks: [UInt32: Int] = [:]
        for row in users.keys { usedOfBlocks[row.block, default: 0] += 1 }
        var deadRows = 0
        for (index, block) in records.blocks.enumerated() {
            let number = UInt32(truncatingIfNeeded: index)
            if spares.contains(number) {
                expect(block.count == 0, "block \(index) is spare and has rows")
                expect(records.directory.places[index] < 0, "block \(index) is spare and listed")
                expect(records.directory.unused[index].isEmpty, "block \(index) is spare and has unused rows")
                continue
            }
            let keys = block.shape.keys
            expect(Set(keys).count == keys.count, "the shape of block \(index) has a key twice")
            expect(keys.allSatisfy { Int($0.index) < keyCount }, "a key of block \(index) has no name")
            let used = records.directory.used(number, block)
            expect(used == usedOfBlocks[number], "the used rows of block \(index) are counted wrongly")
            expect(used > 0, "block \(index) is empty and not given back")
            var unused = records.directory.unused[index]
            expect(block.blank.subtracting(unused).isEmpty, "a cleared row of block \(index) counts as used")
            deadRows += records.directory.dead(number, block).count
            for row in 0..<block.count {
                check(row, of: block, number)
                unused.remove(row)
            }
            expect(unused.isEmpty, "a row beyond the end of block \(index) is unused")
            let isListed =
                block.hasRoom(besides: used) && !block.isForOneRecord && !records.directory.packing.contains(number)
            expect(isListed == (records.directory.places[index] >= 0), "block \(index) is listed wrongly")
        }
        expect(records.directory.deadRows == deadRows, "the dead rows are counted wrongly")
        let listed = records.directory.open.values.reduce(0) { $0 + $1.count }
        let spread = listed - records.directory.open.count
        expect(records.directory.spread == spread, "the listed blocks are counted wrongly")
        for (key, list) in records.directory.open {
            for (place, index) in list.enumerated() {
                guard Int(index) < records.blocks.count, !spares.contains(index) else {
                    found.append("block \(index) is listed and does not exist")
                    continue
                }
                let block = records.blocks[Int(index)]
                expect(Int(records.directory.places[Int(index)]) == place, "block \(index) does not know its place")
                expect(
                    key == BlockDirectory.Key(block.type, block.shape), "block \(index) is listed for others")
            }
        }
    }

    private mutating func check(_ row: Int, of block: RecordBlock, _ number: UInt32) {
        let user = users[Row(block: number, row: UInt16(truncatingIfNeeded: row))]
        if records.directory.unused[Int(number)].contains(row) {
            expect(user == nil, "row \(row) of block \(number) is unused and that of a record")
        } else {
            expect(user != nil, "row \(row) of block \(number) belongs to nobody")
        }
        if block.blank.contains(row) {
            let isEmpty = block.row(row).allSatisfy { if case .null = $0 { true } else { false } }
            expect(isEmpty, "row \(row) of block \(number) was cleared and holds values")
        }
    }

    private mutating func checkFacts() {
        let names = names
        for fact in records.facts.entries.keys {
            let isNamed = Int(fact.type.index) < typeCount && Int(fact.abstractType.index) < typeCount
            expect(isNamed, "a type of a fact has no name")
        }
        let epoch = records.epoch
        expect(records.facts.changed <= epoch, "facts changed after the newest version")
        expect(records.invalidations.ofStore <= epoch, "the store was invalidated after the newest version")
        let invalidations = records.invalidations
        for (record, version) in invalidations.records {
            expect(Int(record.index) < recordCount, "an invalidated record has no name")
            expect(
                version >= invalidations.ofStore && version <= invalidations.ofAnyPart && version <= epoch,
                "\(names.label(of: record)) was invalidated at a wrong version")
        }
    }
}

extension NameTable {
    /// The numbers of named records, keys and types.
    fileprivate var counts: (records: Int, keys: Int, types: Int) {
        access { ($0.records.count, $0.keys.texts.count, $0.types.count) }
    }

    /// Returns the text that names a record in a sentence about what is wrong.
    func label(of record: RecordID) -> String {
        access { names in
            names.records.identity(of: record) == nil
                ? "the record of number \(record.index)" : "record '\(names.dataID(of: record))'"
        }
    }

    /// Checks that every number is found under its name.
    fileprivate func violations() -> [String] {
        access { names in
            var found: [String] = []
            for index in 0..<names.records.count {
                let record = RecordID(UInt32(truncatingIfNeeded: index))
                let again: RecordID?
                switch names.records.identity(of: record) {
                case .text(let text): again = names.records.intern(Array(text.utf8), adding: false)
                case .place(let parent, let key, let index):
                    again = names.records.intern(parent: parent, key: key, index: index, adding: false)
                case nil: continue
                }
                if again != record { found.append("the record of number \(index) is not found under its name") }
                if case .place(_, let key, _)? = names.records.identity(of: record), names.keys.isFree(key) {
                    found.append("the name of the record of number \(index) has a storage key that was given back")
                }
            }
            return found + names.keys.violations
        }
    }
}

extension SubscriptionIndex {
    /// Checks that the entries of the records and of the subscriptions are the same, and that free entries are none of
    /// them.
    fileprivate func violations(recordCount: Int, _ names: NameTable) -> [String] {
        var found: [String] = []
        func expect(_ holds: Bool, _ text: @autoclosure () -> String) { if !holds { found.append(text()) } }
        var byRecord: Set<Int32> = []
        for (record, head) in heads.enumerated() where head >= 0 {
            expect(record < recordCount, "the readers of a record without a name are listed")
            var previous: Int32 = -1
            var index = head
            while index >= 0 {
                guard Int(index) < entries.count, byRecord.insert(index).inserted else {
                    return found + ["the readers of \(names.label(of: RecordID(UInt32(record)))) go in a circle"]
                }
                let entry = entries[Int(index)]
                expect(Int(entry.record.index) == record, "entry \(index) is in the list of another record")
                expect(entry.previous == previous, "entry \(index) does not know who is before it")
                (previous, index) = (index, entry.next)
            }
        }
        var bySubscription: Set<Int32> = []
        let free = Set(freeSlots)
        expect(free.count == freeSlots.count, "a place for a subscription is free twice")
        var live = 0
        for (number, slot) in slots.enumerated() {
            let detail = details[number]
            let number = UInt32(truncatingIfNeeded: number)
            if slot.plan == nil {
                expect(free.contains(number), "place \(number) is neither free nor used")
                expect(
                    detail.firstEntry < 0 && detail.root == nil && detail.others.isEmpty && detail.sections.isEmpty,
                    "place \(number) is free and has entries")
                expect(!usingFacts.contains(number), "place \(number) is free and hears of facts")
                continue
            }
            live += 1
            expect(!free.contains(number), "place \(number) is free and used")
            expect(usingFacts.contains(number) == detail.usesFacts, "subscription \(number) hears wrongly of facts")
            let own = detail.others + (detail.root?.ownPairs ?? [])
            let below = detail.sections.flatMap(\.parts)
            let parts = [(detail.firstEntry, own)] + below.map { ($0.firstEntry, $0.shelf.ownPairs) }
            for (first, read) in parts {
                var pairs: Set<Dependencies.Pair> = []
                var index = first
                while index >= 0 {
                    guard Int(index) < entries.count, bySubscription.insert(index).inserted else {
                        return found + ["the entries of subscription \(number) go in a circle"]
                    }
                    let entry = entries[Int(index)]
                    expect(entry.subscription == number, "entry \(index) is in the list of another subscription")
                    let pair = Dependencies.Pair(record: entry.record, node: entry.node)
                    expect(pairs.insert(pair).inserted, "subscription \(number) has an entry twice in a part")
                    index = entry.nextOfPart
                }
                expect(pairs == Set(read), "the entries of subscription \(number) are not what it read")
            }
            let sections = detail.root?.sections ?? []
            expect(
                sections.map(ObjectIdentifier.init) == detail.sections.map { ObjectIdentifier($0.section) },
                "subscription \(number) has other sections than its result")
            expect(
                sections.flatMap(\.parts).map(ObjectIdentifier.init) == below.map { ObjectIdentifier($0.shelf) },
                "subscription \(number) has other parts than its result")
        }
        expect(live == count, "\(live) subscriptions are counted as \(count)")
        expect(byRecord == bySubscription, "some entries are found only from one side")
        var unused = 0
        var index = freeEntry
        while index >= 0, unused <= entries.count {
            expect(!byRecord.contains(index), "entry \(index) is free and used")
            unused += 1
            index = entries[Int(index)].next
        }
        expect(unused + byRecord.count == entries.count, "some entries are neither free nor used")
        return found
    }
}

extension OperationTable {
    /// Checks that exactly the retained operations are kept.
    fileprivate func violations() -> [String] {
        let kept = entries.values.compactMap { $0.kept.map { ObjectIdentifier($0) } }
        return retained.violations()
            + (Set(kept) == Set(retained.entries.keys) ? [] : ["operations are retained and not kept, or kept wrongly"])
    }
}

extension Shelf {
    /// The visited records outside of the long lists.
    fileprivate var ownPairs: [Dependencies.Pair] {
        var pairs: [Dependencies.Pair] = []
        forEachPair { pairs.append($0) }
        return pairs
    }
}
