/// Reads selections from one version of the records and writes the result onto shelves.
///
/// The reader visits each record that the selections reach, notes the visit by writing words, and decides which items
/// have a value. It copies no values: a row looks up a value at each access. A block whose rows surely have all
/// required fields is checked once, not row by row.
///
/// A reader serves one read. The words and cells of unfinished shelves are stacked in two pieces of memory that the
/// reader owns. A shelf is copied out when it is complete.
struct RecordReader: ~Copyable {
    let records: Records
    let borrowed: BorrowedRecords
    let plan: BoundPlan
    let use: OperationUse
    let isChecked: Bool
    let nodes: UnsafePointer<ResultLayout.Node>
    let steps: UnsafePointer<ResultLayout.Step>
    let required: UnsafePointer<ResultLayout.Required>

    /// The beginning of the memory: the states of the selection sets, and the first words and cells. One piece of
    /// memory serves a small read.
    let memory: UnsafeMutableRawPointer
    let states: UnsafeMutablePointer<NodeState>
    var words: UnsafeMutablePointer<UInt32>
    var wordCapacity = Self.firstWords
    var wordEnd = 0
    var cells: UnsafeMutablePointer<WrittenCell>
    var cellCapacity = Self.firstCells
    var cellEnd = 0
    var serial: UInt32 = 0
    /// The shelf that is being written, and the cells to which it refers.
    var frame = Frame()
    var group = Group()

    /// The read before this one, if its shelves may be reused.
    let previous: Dependencies?
    /// The records that have changed since the read before; computed when a list first needs them.
    var changes: ChangesSince?
    var usesTypeFacts = false
    /// The greatest number of words that may be written. The words of the result before count as written.
    var remaining: Int
    /// True if the result needs more words than `remaining`. From then on, lists have no value.
    var isTooLarge = false
    /// True if the object being read has no value because it shows a deleted record.
    ///
    /// The flag is set only between the deleted record and the enclosing nullable field or list item.
    var isFalling = false
    var trace = ReaderTrace()

    /// Facts about an object that follow from its shape and its block.
    struct Verdict: OptionSet {
        let rawValue: UInt8

        /// Required leaves must be checked in each row.
        static let rows = Verdict(rawValue: 1)
        /// A required leaf is missing in every row.
        static let falls = Verdict(rawValue: 2)
        /// A selected field is missing in every row.
        static let lacksFields = Verdict(rawValue: 4)
    }

    /// The state of a selection set during a read.
    struct NodeState {
        /// The last block, and its cell in the group with a number.
        var block = UInt32.max
        var cell: UInt32 = 0
        var serial: UInt32 = 0
        /// The form of the last shape, held by the state.
        var form: Unmanaged<Form>?
        /// The shape of the form, which the version holds.
        var shape: ObjectIdentifier?
        /// For a selection set with many blocks: the cell of each block, and the number of its group.
        var table: UnsafeMutablePointer<UInt64>?
    }

    struct WrittenCell {
        var cell: Shelf.Cell
        var verdict: Verdict
    }

    static var firstWords: Int { 96 }
    static var firstCells: Int { 6 }
    /// The memory of a shelf besides its words, of an error and of a converted value, counted in words.
    static var wordsOfShelf: Int { 160 }
    static var wordsOfError: Int { 128 }
    static var wordsOfValue: Int { 16 }

    /// The cells of one shelf or of some shelves of a list, by their beginning in the memory of cells.
    struct Group {
        var cells = 0
        var serial: UInt32 = 0
        /// The shelves that will share the cells.
        var shelves: [Shelf] = []
    }

    /// A shelf that is being written, by its beginning in the memory of words.
    struct Frame {
        var words = 0
        var spines: [Spine] = []
        var rest = Shelf.Rest()
        var isMissing = false
        /// The shelf of the read before whose lists may be reused.
        var old: Shelf?
    }

    init(_ records: consuming Records, _ selections: BoundSelections, after previous: Dependencies?) {
        borrowed = records.borrowed
        self.records = records
        plan = selections.plan
        use = selections.use
        isChecked = plan.isChecked
        self.previous = previous
        remaining = plan.names.resultWords &- (previous?.words ?? 0)
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
        for index in 0..<cellEnd { cells[index].cell.release() }
        for node in 0..<plan.layout.nodes.count {
            states[node].form?.release()
            states[node].table?.deallocate()
        }
        if cellCapacity > Self.firstCells { cells.deallocate() }
        if wordCapacity > Self.firstWords { words.deallocate() }
        memory.deallocate()
    }

    // MARK: - Shelves

    /// Reads the object at the root of the selections. The shelf has one object, which may have no value.
    mutating func root(_ record: RecordID) -> Shelf {
        let old = previous?.shelf
        let (outer, outerGroup) = (begin(0, count: 1, after: old), beginGroup())
        let exists = object(record, 0, at: 1, old: old == nil ? 0 : 1)
        if !exists { words[frame.words &+ 2] = Shelf.nowhere }
        let shelf = end(0, count: 1, outer, takesCells: true)
        group = outerGroup
        return shelf
    }

    /// Begins a group of cells for other shelves; returns the group to return to.
    mutating func beginGroup() -> Group {
        let outer = group
        serial &+= 1
        group = Group(cells: cellEnd, serial: serial)
        return outer
    }

    /// Gives the cells to the shelves of the group, and begins another group.
    mutating func shareCells() {
        let (cells, first) = (self.cells, group.cells)
        let shared = SharedCells(count: cellEnd &- first) { target in
            for index in first..<cellEnd { (target + (index &- first)).initialize(to: cells[index].cell) }
        }
        cellEnd = first
        for shelf in group.shelves { shelf.share(shared) }
        group.shelves.removeAll(keepingCapacity: true)
        serial &+= 1
        group.serial = serial
    }

    /// Begins a shelf for a number of objects; returns the shelf to return to.
    mutating func begin(_ node: Int, count: Int, after old: Shelf?) -> Frame {
        let outer = frame
        frame = Frame(words: wordEnd, old: old)
        _ = take(1 &+ count &* nodes[node].size)
        return outer
    }

    /// Completes a shelf, which takes the cells of the group or will share them.
    mutating func end(_ node: Int, count: Int, _ outer: consuming Frame, takesCells: Bool) -> Shelf {
        let (cells, first) = (self.cells, group.cells)
        let cellCount = takesCells ? cellEnd &- first : 0
        let shelf = Shelf(
            plan, use, node: node, count: count,
            words: UnsafeMutableBufferPointer(start: words + frame.words, count: wordEnd &- frame.words),
            cellCount: cellCount, spines: frame.spines, rest: frame.rest, isMissing: frame.isMissing
        ) { target in
            for index in 0..<cellCount { (target + index).initialize(to: cells[first &+ index].cell) }
        }
        remaining &-= wordEnd &- frame.words &+ Self.wordsOfShelf
        wordEnd = frame.words
        if takesCells { cellEnd = first } else { group.shelves.append(shelf) }
        frame = outer
        return shelf
    }

    /// Returns true if `words` more words may be written. The limit is needed because links may lead to one record on
    /// very many paths, and each path shows the record again.
    @inline(__always)
    mutating func hasRoom(for words: Int) -> Bool {
        if wordEnd &+ words > remaining { isTooLarge = true }
        return !isTooLarge
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
    mutating func grow(to count: Int) {
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
}
