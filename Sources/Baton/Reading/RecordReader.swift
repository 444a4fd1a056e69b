/// Reads selections from one version of the records and lays the result down on shelves.
///
/// The reader visits each record that the selections reach, notes it by writing its words, and decides what has a
/// value. It copies no values: what a row says is looked up when somebody asks for it. A block whose rows are known to
/// have all required fields is checked once, not row by row.
///
/// A reader serves one read. The words and cells of the shelves that are being written lie above each other in two
/// pieces of memory that the reader owns; a shelf is copied out when it is complete.
struct RecordReader: ~Copyable {
    let records: Records
    let borrowed: BorrowedRecords
    let plan: BoundPlan
    let use: OperationUse
    let isChecked: Bool
    private let nodes: UnsafePointer<ResultLayout.Node>
    private let steps: UnsafePointer<ResultLayout.Step>
    private let required: UnsafePointer<ResultLayout.Required>

    /// The beginning of the memory: the states of the selection sets, and the first words and cells. One piece of
    /// memory serves a small read.
    private let memory: UnsafeMutableRawPointer
    private let states: UnsafeMutablePointer<NodeState>
    var words: UnsafeMutablePointer<UInt32>
    private var wordCapacity = Self.firstWords
    private var wordEnd = 0
    private var cells: UnsafeMutablePointer<WrittenCell>
    private var cellCapacity = Self.firstCells
    private var cellEnd = 0
    /// Keeps the forms that `states` refer to.
    private var forms: [Form] = []
    private var serial: UInt32 = 0
    /// The shelf that is being written.
    var frame = Frame()

    /// The read before this one, if its shelves may be taken over.
    private let previous: Dependencies?
    /// The records that have changed since; computed when a list first needs them.
    private var changes: ChangesSince?
    var usesTypeFacts = false
    /// True if the object being read has no value because it shows a deleted record.
    ///
    /// The flag is set only between the deleted record and the enclosing nullable field or list item.
    var isFalling = false
    var trace = ReaderTrace()

    /// What the shape and the block of an object say about it.
    struct Verdict: OptionSet {
        let rawValue: UInt8

        /// Required leaves must be looked at in each row.
        static let rows = Verdict(rawValue: 1)
        /// A required leaf is missing in every row.
        static let falls = Verdict(rawValue: 2)
        /// A selected field is missing in every row.
        static let lacksFields = Verdict(rawValue: 4)
    }

    /// What the reader remembers of a selection set.
    private struct NodeState {
        /// The last block, and its cell on the shelf with a number.
        var block = UInt32.max
        var cell: UInt32 = 0
        var serial: UInt32 = 0
        /// The number of the last shelf to which the form was added.
        var formSerial: UInt32 = 0
        var form: Unmanaged<Form>?
        /// The shape of the form, which the version holds.
        var shape: ObjectIdentifier?
        /// For a selection set with many blocks: the cell of each block, and the number of its shelf.
        var table: UnsafeMutablePointer<UInt64>?
    }

    private struct WrittenCell {
        var cell: Shelf.Cell
        var verdict: Verdict
    }

    private static var firstWords: Int { 96 }
    private static var firstCells: Int { 6 }

    /// A shelf that is being written, by its beginning in the memory of words and cells.
    struct Frame {
        var words = 0
        var cells = 0
        var serial: UInt32 = 0
        var forms: [Form] = []
        var spines: [Spine] = []
        var rest = Shelf.Rest()
        var isMissing = false
        /// The shelf of the read before whose lists may be taken over.
        var old: Shelf?
    }

    init(_ records: consuming Records, _ selections: BoundSelections, after previous: Dependencies?) {
        borrowed = records.borrowed
        self.records = records
        plan = selections.plan
        use = selections.use
        isChecked = plan.isChecked
        self.previous = previous
        let layout = plan.layout
        nodes = layout.nodesPointer
        steps = layout.stepsPointer
        required = layout.requiredPointer
        let count = layout.nodes.count
        let stateBytes = count &* MemoryLayout<NodeState>.stride
        let cellBytes = Self.firstCells &* MemoryLayout<WrittenCell>.stride
        memory = .allocate(byteCount: stateBytes &+ cellBytes &+ Self.firstWords &* 4, alignment: 16)
        states = memory.bindMemory(to: NodeState.self, capacity: count)
        states.initialize(repeating: NodeState(), count: count)
        cells = (memory + stateBytes).bindMemory(to: WrittenCell.self, capacity: Self.firstCells)
        words = (memory + stateBytes + cellBytes).bindMemory(to: UInt32.self, capacity: Self.firstWords)
    }

    deinit {
        for index in 0..<cellEnd { cells[index].cell.block.release() }
        for node in 0..<plan.layout.nodes.count { states[node].table?.deallocate() }
        if cellCapacity > Self.firstCells { cells.deallocate() }
        if wordCapacity > Self.firstWords { words.deallocate() }
        memory.deallocate()
    }

    // MARK: - Shelves

    /// Reads the object at the root of the selections. The shelf has one object, which has no value if it falls.
    mutating func root(_ record: RecordID) -> Shelf {
        let old = previous?.shelf
        let outer = begin(0, count: 1, after: old)
        let exists = object(record, 0, at: 1, old: old == nil ? 0 : 1)
        if !exists { words[frame.words &+ 2] = Shelf.nowhere }
        return end(0, count: 1, outer)
    }

    /// Begins a shelf for a number of objects; returns the shelf to return to.
    private mutating func begin(_ node: Int, count: Int, after old: Shelf?) -> Frame {
        let outer = frame
        serial &+= 1
        frame = Frame(words: wordEnd, cells: cellEnd, serial: serial, old: old)
        _ = take(1 &+ count &* nodes[node].size)
        return outer
    }

    private mutating func end(_ node: Int, count: Int, _ outer: consuming Frame) -> Shelf {
        let shelf = Shelf(
            plan, use, node: node, count: count,
            words: UnsafeMutableBufferPointer(start: words + frame.words, count: wordEnd &- frame.words),
            cellCount: cellEnd &- frame.cells, forms: frame.forms, spines: frame.spines, rest: frame.rest,
            isMissing: frame.isMissing
        ) { target in
            for index in frame.cells..<cellEnd { (target + (index &- frame.cells)).initialize(to: cells[index].cell) }
        }
        wordEnd = frame.words
        cellEnd = frame.cells
        frame = outer
        return shelf
    }

    /// Takes a number of words, all 0; returns their place in the shelf.
    @inline(__always)
    mutating func take(_ count: Int) -> Int {
        let place = wordEnd &- frame.words
        if wordEnd &+ count > wordCapacity { grow(to: wordEnd &+ count) }
        (words + wordEnd).initialize(repeating: 0, count: count)
        wordEnd &+= count
        return place
    }

    @inline(never)
    private mutating func grow(to count: Int) {
        let firstWords = wordCapacity == Self.firstWords ? words : nil
        wordCapacity = max(count, wordCapacity &* 4)
        let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: wordCapacity)
        larger.initialize(from: words, count: wordEnd)
        if words != firstWords { words.deallocate() }
        words = larger
    }

    /// Reads or writes a word of the shelf that is being written.
    subscript(place: Int) -> UInt32 {
        @inline(__always) get { words[frame.words &+ place] }
        @inline(__always) nonmutating set { words[frame.words &+ place] = newValue }
    }

    // MARK: - Cells

    @inline(__always)
    private mutating func cell(_ block: UInt32, _ node: Int) -> UInt32 {
        let state = states + node
        if state.pointee.block == block, state.pointee.serial == frame.serial { return state.pointee.cell }
        return otherCell(block, node)
    }

    @inline(__always)
    private mutating func otherCell(_ block: UInt32, _ node: Int) -> UInt32 {
        let state = states + node
        let found: UInt32
        if let table = state.pointee.table {
            let entry = table[Int(block)]
            if UInt32(truncatingIfNeeded: entry >> 32) == frame.serial {
                found = UInt32(truncatingIfNeeded: entry)
            } else {
                found = newCell(block, node)
                table[Int(block)] = UInt64(frame.serial) << 32 | UInt64(found)
            }
        } else {
            found = cellWithoutTable(block, node)
        }
        state.pointee.block = block
        state.pointee.cell = found
        state.pointee.serial = frame.serial
        return found
    }

    /// Looks among the few cells of the shelf; makes a table if they are more.
    @inline(never)
    private mutating func cellWithoutTable(_ block: UInt32, _ node: Int) -> UInt32 {
        let values = borrowed.block(block).values
        for index in frame.cells..<cellEnd
        where cells[index].cell.values == values && Int(cells[index].cell.node) == node {
            return UInt32(truncatingIfNeeded: index &- frame.cells)
        }
        if cellEnd &- frame.cells >= 8 {
            let count = records.blocks.count
            let made = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
            made.initialize(repeating: 0, count: count)
            states[node].table = made
        }
        return newCell(block, node)
    }

    @inline(never)
    private mutating func newCell(_ number: UInt32, _ node: Int) -> UInt32 {
        let block = borrowed.block(number)
        let state = states + node
        if state.pointee.shape != block.shape {
            state.pointee.shape = block.shape
            let form = plan.form(node, block.object._withUnsafeGuaranteedRef { $0.shape })
            forms.append(form)
            state.pointee.form = .passUnretained(form)
            state.pointee.formSerial = 0
        }
        guard let form = state.pointee.form else { preconditionFailure("a selection set has no form") }
        if state.pointee.formSerial != frame.serial {
            state.pointee.formSerial = frame.serial
            frame.forms.append(form.takeUnretainedValue())
        }
        if cellEnd == cellCapacity { growCells() }
        let (positions, verdict) = form._withUnsafeGuaranteedRef { form in
            (form.positions.pointer, isChecked ? [] : self.verdict(form, block.kinds))
        }
        (cells + cellEnd).initialize(
            to: WrittenCell(
                cell: Shelf.Cell(
                    block: block.object.retain(), values: UnsafePointer(block.values), positions: positions,
                    width: Int32(truncatingIfNeeded: block.width), node: Int32(truncatingIfNeeded: node)),
                verdict: verdict))
        cellEnd &+= 1
        return UInt32(truncatingIfNeeded: cellEnd &- 1 &- frame.cells)
    }

    private mutating func growCells() {
        let larger = UnsafeMutablePointer<WrittenCell>.allocate(capacity: cellCapacity &* 4)
        larger.moveInitialize(from: cells, count: cellEnd)
        if cellCapacity > Self.firstCells { cells.deallocate() }
        cells = larger
        cellCapacity &*= 4
    }

    private func verdict(_ form: Form, _ kinds: UnsafeMutablePointer<Value.Kinds>) -> Verdict {
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

    // MARK: - Objects

    /// The values of the object that is being read.
    struct Place {
        let index: Int
        let record: RecordID
        let type: TypeID
        let values: UnsafePointer<Value>
        let positions: UnsafePointer<Int32>
    }

    /// Reads a record with a selection set into the words at a place; returns false if the object has no value. `old`
    /// is the place of the same object in the read before, or 0.
    @inline(__always)
    mutating func object(_ record: RecordID, _ node: Int, at index: Int, old: Int) -> Bool {
        self[index] = record.index
        let slot = borrowed.slot(of: record)
        guard slot.state == .existing else {
            self[index &+ 1] = Shelf.nowhere
            if slot.state == .unknown { noteMissing() }
            isFalling = slot.state == .deleted
            return false
        }
        let cell = cell(slot.block, node)
        self[index &+ 1] = cell << Shelf.rowBits | UInt32(slot.row)
        let number = frame.cells &+ Int(cell)
        let verdict = cells[number].verdict
        let layout = nodes + node
        if verdict.isEmpty, layout.pointee.steps.isEmpty {
            if layout.pointee.hasSpreads { self[index &+ 2] = slot.collection }
            return true
        }
        return rest(of: record, slot, node, at: index, number, old: old)
    }

    @inline(never)
    private mutating func rest(
        of record: RecordID, _ slot: Records.Slot, _ node: Int, at index: Int, _ cell: Int, old: Int
    ) -> Bool {
        let layout = nodes + node
        if layout.pointee.hasSpreads { self[index &+ 2] = slot.collection }
        let place = Place(
            index: index, record: record, type: borrowed.block(slot.block).type,
            values: cells[cell].cell.values + Int(slot.row) &* Int(cells[cell].cell.width),
            positions: cells[cell].cell.positions)
        let verdict = cells[cell].verdict
        if verdict.contains(.lacksFields) { frame.isMissing = true }
        if verdict.contains(.falls) || verdict.contains(.rows) && !hasRequired(place, layout.pointee.required) {
            self[index &+ 1] = Shelf.nowhere
            return false
        }
        let range = layout.pointee.steps
        var next = range.lowerBound
        while next < range.upperBound {
            let step = steps + next
            let holds = isChecked ? checkedStep(step.pointee, place, old) : self.step(step.pointee, place, old)
            if !holds {
                self[index &+ 1] = Shelf.nowhere
                return false
            }
            next &+= 1
        }
        return true
    }

    private func hasRequired(_ place: Place, _ range: Range<Int>) -> Bool {
        for index in range {
            let leaf = required[index]
            let value = place.values + Int(place.positions[leaf.field])
            if leaf.sure.contains(value.pointee.kind) { continue }
            let type = plan.types[leaf.item]
            if type.listDepth > 0 {
                // An empty list of scalars may have been written as a list of links.
                guard case .links(let links) = value.pointee, links.isEmpty else { return false }
            } else if !value.pointee.isReadable(as: type) {
                return false
            }
        }
        return true
    }

    /// Does the work of one item; returns false if the enclosing object has no value without it.
    @inline(__always)
    private mutating func step(_ step: ResultLayout.Step, _ place: Place, _ old: Int) -> Bool {
        switch step.kind {
        case .object: object(step, value(step, place), place, old)
        case .objects: objects(step, value(step, place), place, old)
        case .inline: inline(step, place, old)
        case .spread: spread(step, place)
        case .leaf: leaf(step, value(step, place), place)
        case .checkedLeaf: true
        }
    }

    @inline(__always)
    private func value(_ step: ResultLayout.Step, _ place: Place) -> UnsafePointer<Value>? {
        let position = place.positions[step.field]
        return position >= 0 ? place.values + Int(position) : nil
    }

    /// Reads a field with one object.
    @inline(__always)
    mutating func object(
        _ step: ResultLayout.Step, _ value: UnsafePointer<Value>?, _ place: Place, _ old: Int
    ) -> Bool {
        guard let value, case .link(let record) = value.pointee else { return !step.isRequired }
        let child = take(nodes[step.child].size)
        var oldChild = 0
        if old != 0, let shelf = frame.old {
            oldChild = Int(shelf.words[old &+ step.word])
            if oldChild != 0, shelf.words[oldChild] != record.index { oldChild = 0 }
        }
        if isChecked { trace.path.append(.field(step.item)) }
        let exists = object(record, step.child, at: child, old: oldChild)
        if isChecked { trace.leave() }
        if exists {
            self[place.index &+ step.word] = UInt32(truncatingIfNeeded: child)
            return true
        }
        fall(child, step.child)
        if isFalling { isFalling = step.isRequired }
        if isChecked { missed(step.item) }
        return !step.isRequired
    }

    /// Notes objects without a value, to which no word refers.
    mutating func fall(_ index: Int, _ node: Int, count: Int = 1) {
        frame.rest.fallen.append(Shelf.Fallen(index: index, node: node, count: count))
    }

    @inline(never)
    mutating func inline(_ step: ResultLayout.Step, _ place: Place, _ old: Int) -> Bool {
        let item = plan.items[step.item]
        guard isMatch(item, place) else { return true }
        let child = take(nodes[step.child].size)
        let oldChild = old == 0 ? 0 : Int(frame.old?.words[old &+ step.word] ?? 0)
        if isChecked {
            let isDeferred = item.marks.contains(.deferred)
            if isDeferred { trace.deferred += 1 }
            trace.path.append(.fragment(isDeferred: isDeferred))
        }
        let exists = object(place.record, step.child, at: child, old: oldChild)
        if isChecked { trace.leave() }
        isFalling = false
        if exists {
            self[place.index &+ step.word] = UInt32(truncatingIfNeeded: child)
        } else {
            fall(child, step.child)
        }
        return true
    }

    mutating func spread(_ step: ResultLayout.Step, _ place: Place) -> Bool {
        if isMatch(plan.items[step.item], place) { self[place.index &+ step.word] = 1 }
        return true
    }

    /// Evaluates a type condition for the current record.
    private mutating func isMatch(_ item: BoundPlan.Item, _ place: Place) -> Bool {
        guard let condition = item.condition else { return true }
        guard item.isAbstract else { return place.type == condition }
        usesTypeFacts = true
        if let holds = records.fact(place.type, is: condition) { return holds }
        if !item.marks.contains(.deferred) { noteMissing() }
        return false
    }

    // MARK: - Lists of objects

    @inline(never)
    mutating func objects(
        _ step: ResultLayout.Step, _ value: UnsafePointer<Value>?, _ place: Place, _ old: Int
    ) -> Bool {
        var oldList = 0
        if old != 0 { oldList = Int(frame.old?.words[old &+ step.word] ?? 0) }
        let type = plan.types[step.item]
        if isChecked { trace.path.append(.field(step.item)) }
        let list = value.map { self.list($0.pointee, step.child, type, level: 0, old: oldList) } ?? 0
        if isChecked { trace.leave() }
        if list != 0 {
            self[place.index &+ step.word] = UInt32(truncatingIfNeeded: list)
            return true
        }
        if isFalling { isFalling = step.isRequired }
        if isChecked, type.isNonNull(1) { missed(step.item) }
        return !step.isRequired
    }

    /// Reads a list of objects or of lists; returns its place in the words, or 0 if it has no value.
    private mutating func list(
        _ value: borrowing Value, _ node: Int, _ type: BoundType, level: Int, old: Int
    ) -> Int {
        let items = BorrowedList(value)
        guard items.isList else { return 0 }
        let isNonNull = type.isNonNull(level + 1)
        if level + 1 < type.listDepth { return lists(items, node, type, level: level, isNonNull: isNonNull) }
        if case .links(let links) = copy value, isLong(links.count, node) {
            return long(links, node, isNonNull: isNonNull, old: old)
        }
        let size = nodes[node].size
        let list = take(1 &+ items.count &* size)
        var count = 0
        for index in 0..<items.count {
            let place = list &+ 1 &+ count &* size
            switch item(items.record(at: index) ?? .none, index, node, at: place, isNonNull: isNonNull, old: 0) {
            case .item: count &+= 1
            case .leftOut: break
            case .none:
                fall(list &+ 1, node, count: count)
                return 0
            }
        }
        self[list] = UInt32(truncatingIfNeeded: count)
        return list
    }

    enum ItemResult {
        case item
        /// The item is left out, because it shows a deleted record.
        case leftOut
        /// The list has no value.
        case none
    }

    private mutating func lists(
        _ items: BorrowedList, _ node: Int, _ type: BoundType, level: Int, isNonNull: Bool
    ) -> Int {
        let list = take(1 &+ items.count)
        var count = 0
        for index in 0..<items.count {
            if isChecked { trace.path.append(.index(index)) }
            let inner: Int
            if let pointer = items.pointer(at: index) {
                inner = self.list(pointer.pointee, node, type, level: level + 1, old: 0)
            } else {
                inner = 0
            }
            if isChecked { trace.leave() }
            if inner == 0, isNonNull {
                if isFalling {
                    isFalling = false
                    continue
                }
                // The lists before count as read.
                for before in 0..<count { fallList(Int(self[list &+ 1 &+ before]), node, type.listDepth - level - 1) }
                return 0
            }
            isFalling = false
            self[list &+ 1 &+ count] = UInt32(truncatingIfNeeded: inner)
            count &+= 1
        }
        self[list] = UInt32(truncatingIfNeeded: count)
        return list
    }

    private mutating func fallList(_ list: Int, _ node: Int, _ depth: Int) {
        guard list != 0, self[list] & Shelf.isLong == 0 else { return }
        let count = Int(self[list])
        if depth == 1 { return fall(list &+ 1, node, count: count) }
        for item in 0..<count { fallList(Int(self[list &+ 1 &+ item]), node, depth - 1) }
    }

    // MARK: - Long lists

    private func isLong(_ count: Int, _ node: Int) -> Bool {
        count > Spine.length || count >= 16 && nodes[node].hasLists
    }

    private mutating func long(_ links: [RecordID], _ node: Int, isNonNull: Bool, old: Int) -> Int {
        var known: Spine?
        if old != 0, let shelf = frame.old, shelf.words[old] & Shelf.isLong != 0 {
            known = shelf.spines[Int(shelf.words[old &+ 1])]
        }
        let spine = spine(links, node, isNonNull: isNonNull, after: known)
        frame.spines.append(spine)
        guard spine.isWhole else { return 0 }
        let list = take(2)
        self[list] = Shelf.isLong | UInt32(truncatingIfNeeded: spine.count)
        self[list &+ 1] = UInt32(truncatingIfNeeded: frame.spines.count - 1)
        return list
    }

    /// Reads a range of links onto a shelf; nil if the list has no value.
    mutating func shelf(
        _ links: [RecordID], _ range: Range<Int>, _ node: Int, isNonNull: Bool, after old: Shelf?
    ) -> (shelf: Shelf, isWhole: Bool) {
        let outer = begin(node, count: range.count, after: old)
        let (caught, errors, logged) = (trace.caught, trace.errors.count, trace.logged.count)
        let size = nodes[node].size
        var count = 0
        var isWhole = true
        links.withUnsafeBufferPointer { links in
            for index in range {
                let place = 1 &+ count &* size
                var oldPlace = 0
                if let old, index &- range.lowerBound < old.count {
                    let known = 1 &+ (index &- range.lowerBound) &* size
                    if old.words[known] == links[index].index { oldPlace = known }
                }
                switch item(links[index], index, node, at: place, isNonNull: isNonNull, old: oldPlace) {
                case .item: count &+= 1
                case .leftOut: break
                case .none:
                    isWhole = false
                    return
                }
            }
        }
        if isChecked, caught != trace.caught || errors != trace.errors.count || logged != trace.logged.count {
            frame.rest.hasProblems = true
        }
        return (end(node, count: count, outer), isWhole)
    }

    @inline(__always)
    private mutating func item(
        _ record: RecordID, _ index: Int, _ node: Int, at place: Int, isNonNull: Bool, old: Int
    ) -> ItemResult {
        if record != .none, !isChecked {
            if object(record, node, at: place, old: old) { return .item }
            if !isNonNull {
                isFalling = false
                return .item
            }
        }
        return otherItem(record, index, node, at: place, isNonNull: isNonNull, old: old)
    }

    @inline(never)
    private mutating func otherItem(
        _ record: RecordID, _ index: Int, _ node: Int, at place: Int, isNonNull: Bool, old: Int
    ) -> ItemResult {
        if record == .none {
            if isNonNull { return .none }
            self[place] = RecordID.none.index
            self[place &+ 1] = Shelf.nowhere
            return .item
        }
        if isChecked {
            trace.path.append(.index(index))
            let exists = object(record, node, at: place, old: old)
            trace.leave()
            if exists { return .item }
            if !isNonNull {
                isFalling = false
                return .item
            }
        }
        let isLeftOut = isFalling
        // The place is for the next item, so the words move.
        let size = nodes[node].size
        let copy = take(size)
        for word in 0..<size {
            self[copy &+ word] = self[place &+ word]
            self[place &+ word] = 0
        }
        fall(copy, node)
        isFalling = false
        return isLeftOut ? .leftOut : .none
    }

    /// The records that have changed since the read before this one.
    mutating func changesSinceLast() -> ChangesSince? {
        if let changes { return changes }
        guard let previous else { return nil }
        changes = ChangesSince(records.changed(since: previous.epoch))
        return changes
    }
}
