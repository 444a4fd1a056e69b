/// Checks one version of the records for inconsistencies.
struct RecordsCheck {
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
