import Synchronization

/// A part of a read result: the objects of a selection set that were read together, and the objects below them.
///
/// The words of the objects lie in one piece of memory, in the form that `ResultLayout` describes. The values stay in
/// the rows of the store's blocks. The shelf or its `SharedCells` hold the blocks, and a row never changes while
/// anything besides the store holds its block. The objects of a long list have no words here but shelves of their own,
/// so that the next read can reuse the unchanged shelves.
///
/// Sendable because a shelf never changes once its read is done. The pointers belong to the shelf and to its cells.
final class Shelf: @unchecked Sendable {
    /// A block whose rows the shelf shows with one selection set. A cell holds its block and its form.
    struct Cell {
        let block: Unmanaged<RecordBlock>
        let form: Unmanaged<Form>
        let values: UnsafePointer<Value>
        /// The positions of the form.
        let positions: UnsafePointer<Int32>
        let width: Int32
        let node: Int32

        /// Makes a cell that holds a block and a form.
        init(_ block: RecordBlock, _ form: Form, node: Int) {
            self.block = .passRetained(block)
            self.form = .passRetained(form)
            values = UnsafePointer(block.values)
            positions = form.positions.pointer
            width = Int32(truncatingIfNeeded: block.width)
            self.node = Int32(truncatingIfNeeded: node)
        }

        func release() {
            block.release()
            form.release()
        }
    }

    /// The parts of a result that most results do not have.
    struct Rest: Sendable {
        /// Objects that the read visited and that have no value. They count as read records.
        var fallen: [Fallen] = []
        /// The errors that were caught at places of the shelf.
        var caught: [[FieldError]] = []
        /// Values that replace the values of a row: scalars that the read has converted, and data IDs.
        var converted: [Value] = []
        /// True if each read must look for the errors of this part again.
        var hasProblems = false

        var isEmpty: Bool { fallen.isEmpty && caught.isEmpty && converted.isEmpty && !hasProblems }
    }

    /// The box of the parts that most shelves lack. A shelf without a box counts no references for the parts (benchmark
    /// `fragments.vs-foundation`).
    private final class RestBox: Sendable {
        let rest: Rest

        init(_ rest: Rest) { self.rest = rest }
    }

    /// Objects without a value, side by side in the words.
    struct Fallen: Sendable {
        let index: Int
        let node: Int
        var count = 1
    }

    let plan: BoundPlan
    let use: OperationUse
    /// The selection set of the objects.
    let node: Int
    /// The number of objects. Their words begin at word 1.
    let count: Int
    let words: UnsafePointer<UInt32>
    let wordCount: Int
    private(set) var cells: UnsafePointer<Cell>
    /// The number of cells that belong to the shelf alone.
    private let ownCells: Int
    /// The cells, if the shelf shares them with its neighbours.
    private var sharedCells: SharedCells?
    /// The long lists of objects.
    let spines: [Spine]
    private let restBox: RestBox?
    var rest: Rest {
        @inline(__always) get { restBox?.rest ?? Rest() }
    }
    /// True if a selected field is missing in the objects, or below them outside of the long lists.
    let isMissing: Bool
    /// The low bits of a place, which are the number of the row.
    static let rowBits: UInt32 = 7
    /// The place of an object without a value.
    static let nowhere = UInt32.max
    /// The bit in a list's first word that marks a long list, which has shelves of its own.
    static let isLong: UInt32 = 1 << 31

    /// Makes a shelf with `cellCount` cells of its own, which `fill` initializes. A shelf without cells of its own gets
    /// shared cells by `share` before its objects are used.
    init(
        _ plan: BoundPlan, _ use: OperationUse, node: Int, count: Int, words: UnsafeMutableBufferPointer<UInt32>,
        cellCount: Int, spines: [Spine], rest: Rest, isMissing: Bool, _ fill: (UnsafeMutablePointer<Cell>) -> Void
    ) {
        self.plan = plan
        self.use = use
        self.node = node
        self.count = count
        wordCount = words.count
        ownCells = cellCount
        let cellBytes = cellCount &* MemoryLayout<Cell>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: cellBytes &+ words.count &* 4, alignment: MemoryLayout<Cell>.alignment)
        let cells = memory.bindMemory(to: Cell.self, capacity: cellCount)
        fill(cells)
        if let source = words.baseAddress { (memory + cellBytes).copyMemory(from: source, byteCount: words.count &* 4) }
        self.cells = UnsafePointer(cells)
        self.words = UnsafePointer((memory + cellBytes).bindMemory(to: UInt32.self, capacity: words.count))
        self.spines = spines
        restBox = rest.isEmpty ? nil : RestBox(rest)
        self.isMissing = isMissing
    }

    /// Gives the cells to a shelf that has none of its own. Only the reader that makes the shelf may call this.
    func share(_ cells: SharedCells) {
        self.cells = UnsafePointer(cells.cells)
        sharedCells = cells
    }

    deinit {
        #if BATON_TSAN
            VersionMark.readerIsDone()
        #endif
        // The words follow the shelf's own cells in memory.
        let memory = UnsafeMutableRawPointer(mutating: words) - ownCells &* MemoryLayout<Cell>.stride
        let own = memory.assumingMemoryBound(to: Cell.self)
        for index in 0..<ownCells { own[index].release() }
        memory.deallocate()
    }

    var layout: ResultLayout { plan.layout }

    /// True if the shelf has one object and nothing below it.
    var isOfOneObject: Bool { count == 1 && plan.isOfOneRow && restBox == nil }

    /// Returns the place in the words of an object.
    func index(of object: Int) -> Int { 1 &+ object &* layout.nodes[node].size }

    func record(at index: Int) -> RecordID { RecordID(words[index]) }

    /// Returns true if the object at a place has a value.
    func exists(at index: Int) -> Bool { index != 0 && words[index &+ 1] != Self.nowhere }

    /// Loads the first selected value of an object into the processor's cache. The load is atomic so that the optimizer
    /// keeps it although nobody uses the value.
    @inline(__always)
    func fetch(at index: Int) {
        guard exists(at: index) else { return }
        let place = words[index &+ 1]
        let cell = cells + Int(place >> Self.rowBits)
        let position = cell.pointee.positions[0]
        guard position >= 0 else { return }
        let row = Int(place & (1 << Self.rowBits &- 1))
        let value = UnsafeRawPointer(cell.pointee.values + (row &* Int(cell.pointee.width) &+ Int(position)))
        _ = value.assumingMemoryBound(to: Atomic<UInt8>.self).pointee.load(ordering: .relaxed)
    }

    /// Calls `body` for each visited record outside of the long lists, with the selection set. A record that was
    /// visited several times is passed several times.
    @inline(__always)
    func forEachPair(_ body: (Dependencies.Pair) -> Void) {
        forEachObject { record, node, _ in
            body(Dependencies.Pair(record: RecordID(record), node: UInt32(truncatingIfNeeded: node)))
        }
    }

    /// Calls `body` for each object outside of the long lists: its record, selection set and place in the words.
    @inline(__always)
    func forEachObject(_ body: (_ record: UInt32, _ node: Int, _ index: Int) -> Void) {
        let layout = plan.layout
        withExtendedLifetime(layout) {
            let walk = Walk(words: words, nodes: layout.nodesPointer, steps: layout.stepsPointer)
            walk.objects(at: 1, node, count, body)
            for fallen in rest.fallen { walk.objects(at: fallen.index, fallen.node, fallen.count, body) }
        }
    }

    /// Calls `body` for each object outside of the long lists that shows one of the records.
    func forEachObject(of records: [RecordID], _ body: (_ record: UInt32, _ node: Int, _ index: Int) -> Void) {
        let layout = plan.layout
        for record in records where record != .none && mayMention([record]) {
            withExtendedLifetime(layout) {
                let walk = Walk(
                    words: words, nodes: layout.nodesPointer, steps: layout.stepsPointer, only: record.index)
                walk.objects(at: 1, node, count, body)
                for fallen in rest.fallen { walk.objects(at: fallen.index, fallen.node, fallen.count, body) }
            }
        }
    }

    /// A walk over the words of a shelf.
    private struct Walk {
        let words: UnsafePointer<UInt32>
        let nodes: UnsafePointer<ResultLayout.Node>
        let steps: UnsafePointer<ResultLayout.Step>
        /// The only record that the walk visits; `RecordID.none` for all records.
        var only = RecordID.none.index

        func objects(at first: Int, _ node: Int, _ count: Int, _ body: (UInt32, Int, Int) -> Void) {
            let size = nodes[node].size
            var index = first
            let range = nodes[node].steps
            for _ in 0..<count {
                let record = words[index]
                if record != RecordID.none.index, only == record || only == RecordID.none.index {
                    body(record, node, index)
                }
                if !range.isEmpty { below(index, range, body) }
                index &+= size
            }
        }

        private func below(_ index: Int, _ range: Range<Int>, _ body: (UInt32, Int, Int) -> Void) {
            var next = range.lowerBound
            while next < range.upperBound {
                let step = steps + next
                next &+= 1
                guard step.pointee.child >= 0 else { continue }
                let word = Int(words[index &+ step.pointee.word])
                guard word != 0 else { continue }
                if step.pointee.kind == .objects {
                    list(at: word, step.pointee.child, step.pointee.listDepth, body)
                } else {
                    objects(at: word, step.pointee.child, 1, body)
                }
            }
        }

        /// Returns true if the same objects stand at the same places in the words of another shelf.
        func areSame(as others: UnsafePointer<UInt32>, at first: Int, _ node: Int, _ count: Int) -> Bool {
            let (size, range) = (nodes[node].size, nodes[node].steps)
            var index = first
            for _ in 0..<count {
                if words[index] != others[index] { return false }
                var next = range.lowerBound
                while next < range.upperBound {
                    let step = steps + next
                    next &+= 1
                    guard step.pointee.child >= 0 else { continue }
                    let word = words[index &+ step.pointee.word]
                    guard word == others[index &+ step.pointee.word] else { return false }
                    guard word != 0 else { continue }
                    let isSame =
                        step.pointee.kind == .objects
                        ? areSameLists(as: others, at: Int(word), step.pointee.child, step.pointee.listDepth)
                        : areSame(as: others, at: Int(word), step.pointee.child, 1)
                    if !isSame { return false }
                }
                index &+= size
            }
            return true
        }

        private func areSameLists(as others: UnsafePointer<UInt32>, at index: Int, _ node: Int, _ depth: Int) -> Bool {
            guard words[index] == others[index] else { return false }
            if words[index] & Shelf.isLong != 0 { return true }
            let count = Int(words[index])
            if depth == 1 { return areSame(as: others, at: index &+ 1, node, count) }
            for item in 0..<count {
                let word = words[index &+ 1 &+ item]
                guard word == others[index &+ 1 &+ item] else { return false }
                if word != 0, !areSameLists(as: others, at: Int(word), node, depth - 1) { return false }
            }
            return true
        }

        private func list(at index: Int, _ node: Int, _ depth: Int, _ body: (UInt32, Int, Int) -> Void) {
            guard words[index] & Shelf.isLong == 0 else { return }
            let count = Int(words[index])
            if depth == 1 { return objects(at: index &+ 1, node, count, body) }
            for item in 0..<count {
                let word = Int(words[index &+ 1 &+ item])
                if word != 0 { list(at: word, node, depth - 1, body) }
            }
        }
    }

    /// Returns true if both shelves have read the same records with the same selection sets, outside of the long lists.
    /// May return false for equal shelves if some objects have no value.
    func hasSameRecords(as other: Shelf) -> Bool {
        guard plan === other.plan, node == other.node, count == other.count, wordCount == other.wordCount,
            rest.fallen.isEmpty, other.rest.fallen.isEmpty
        else { return false }
        let layout = plan.layout
        return withExtendedLifetime(layout) {
            Walk(words: words, nodes: layout.nodesPointer, steps: layout.stepsPointer)
                .areSame(as: other.words, at: 1, node, count)
        }
    }

    /// The sections of the long lists, in order.
    var sections: [Section] { spines.flatMap(\.sections) }

    /// Calls `body` for this part of the result and for all parts below it.
    func forEachPart(_ body: (Shelf) -> Void) {
        body(self)
        for spine in spines {
            for section in spine.sections {
                for shelf in section.shelves { shelf.forEachPart(body) }
            }
        }
    }

    // MARK: - Changes

    /// Returns true if none of the records that were read outside of the long lists has changed.
    func isUntouched(by changes: ChangesSince) -> Bool {
        if let few = changes.few, !mayMention(few) { return true }
        var found = false
        forEachObject { record, _, _ in if changes.all.contains(RecordID(record)) { found = true } }
        return !found
    }

    /// Returns false if no word is the number of one of the records. Comparing all words is much faster than going from
    /// object to object (benchmark `list-insert.vs-read.1k`).
    func mayMention(_ records: [RecordID]) -> Bool {
        records.contains { record in
            // The loop has no branch, so that the processor compares many words at once.
            var found: UInt32 = 0
            for word in UnsafeBufferPointer(start: words + 1, count: wordCount - 1) {
                found |= word == record.index ? 1 : 0
            }
            return found != 0
        }
    }

    /// Returns true if none of the records that were read here and below has changed.
    func isWhollyUntouched(by changes: ChangesSince) -> Bool {
        isUntouched(by: changes) && spines.allSatisfy { $0.sections.allSatisfy { $0.isUntouched(by: changes) } }
    }
}

extension Shelf {
    /// The word of a leaf that has no value, although its row has one.
    static var noLeaf: UInt32 { 1 }
    /// The word of a leaf whose value is the first converted one of its shelf; those after it have the next words.
    static var firstConverted: UInt32 { 2 }
    /// The word of a place at which errors were caught as null.
    static var caughtAsNull: UInt32 { .max }
}
