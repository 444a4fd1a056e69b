// The cells of the shelves that are being written: each is a block together with one selection set.

extension RecordReader {
    @inline(__always)
    mutating func cell(_ block: UInt32, _ node: Int) -> UInt32 {
        let state = states + node
        if state.pointee.block == block, state.pointee.serial == group.serial { return state.pointee.cell }
        return otherCell(block, node)
    }

    @inline(__always)
    mutating func otherCell(_ block: UInt32, _ node: Int) -> UInt32 {
        let state = states + node
        let found: UInt32
        if let table = state.pointee.table {
            var entry = table[Int(block)]
            if UInt32(truncatingIfNeeded: entry >> 32) != group.serial { entry = newEntry(block, node, table) }
            found = UInt32(truncatingIfNeeded: entry) & ~Self.mustLook
        } else {
            found = cellWithoutTable(block, node)
        }
        state.pointee.block = block
        state.pointee.cell = found
        state.pointee.serial = group.serial
        return found
    }

    /// The bit of a table's entry that is set if each object of the block must be checked.
    static var mustLook: UInt32 { 1 << 31 }

    /// Makes a cell and writes it into the table of the selection set.
    @inline(never)
    mutating func newEntry(_ block: UInt32, _ node: Int, _ table: UnsafeMutablePointer<UInt64>) -> UInt64 {
        let cell = newCell(block, node)
        let mark = cells[group.cells &+ Int(cell)].verdict.isEmpty ? 0 : Self.mustLook
        let entry = UInt64(group.serial) << 32 | UInt64(cell | mark)
        table[Int(block)] = entry
        return entry
    }

    /// Searches the few cells of the group for a block. If there are many cells, makes a table.
    @inline(never)
    mutating func cellWithoutTable(_ block: UInt32, _ node: Int) -> UInt32 {
        let values = borrowed.block(block).values
        for index in group.cells..<cellEnd
        where cells[index].cell.values == values && Int(cells[index].cell.node) == node {
            return UInt32(truncatingIfNeeded: index &- group.cells)
        }
        if cellEnd &- group.cells >= 8 {
            let count = records.blocks.count
            let made = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
            made.initialize(repeating: 0, count: count)
            states[node].table = made
        }
        return newCell(block, node)
    }

    @inline(never)
    mutating func newCell(_ number: UInt32, _ node: Int) -> UInt32 {
        let block = borrowed.block(number)
        let state = states + node
        if state.pointee.shape != block.shape {
            state.pointee.shape = block.shape
            let form = plan.form(node, block.object._withUnsafeGuaranteedRef { $0.shape })
            state.pointee.form?.release()
            state.pointee.form = .passRetained(form)
        }
        guard let form = state.pointee.form else { preconditionFailure("a selection set has no form") }
        if cellEnd == cellCapacity { growCells() }
        let made = form._withUnsafeGuaranteedRef { form in
            block.object._withUnsafeGuaranteedRef { object in
                WrittenCell(
                    cell: Shelf.Cell(object, form, node: node), verdict: isChecked ? [] : verdict(form, block.kinds))
            }
        }
        (cells + cellEnd).initialize(to: made)
        cellEnd &+= 1
        return UInt32(truncatingIfNeeded: cellEnd &- 1 &- group.cells)
    }

    mutating func growCells() {
        let larger = UnsafeMutablePointer<WrittenCell>.allocate(capacity: cellCapacity &* 4)
        larger.moveInitialize(from: cells, count: cellEnd)
        if cellCapacity > Self.firstCells { cells.deallocate() }
        cells = larger
        cellCapacity &*= 4
    }

    func verdict(_ form: Form, _ kinds: UnsafeMutablePointer<Value.Kinds>) -> Verdict {
        var verdict: Verdict = form.lacksFields ? .lacksFields : []
        if form.lacksRequired {
            verdict.insert(.falls)
        } else {
            for index in nodes[form.node].required {
                let leaf = required[index]
                if !kinds[Int(form.positions.pointer[leaf.field])].isSubset(of: leaf.sure) { verdict.insert(.rows) }
            }
        }
        return verdict
    }
}
