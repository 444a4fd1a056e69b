/// A part of a read result: the objects of a selection set that were read together, and the objects below them.
///
/// The words of the objects lie in one piece of memory, in the form that `ResultLayout` describes. The values stay in
/// the rows of the store's blocks, which the shelf holds: a row never changes while somebody besides the store holds
/// its block. Long lists are not laid down in words but stand on shelves of their own, so that the next read can take
/// over those of which nothing has changed.
///
/// Sendable because a shelf never changes. The pointers belong to the shelf, to its blocks and to its forms.
final class Shelf: @unchecked Sendable {
    /// A block of which the shelf shows rows with one selection set.
    struct Cell {
        /// Held by the shelf.
        let block: Unmanaged<RecordBlock>
        let values: UnsafePointer<Value>
        /// Held by the shelf's forms.
        let positions: UnsafePointer<Int32>
        let width: Int32
        let node: Int32
    }

    /// The parts of a result that most results do not have.
    struct Rest: Sendable {
        /// Objects that the read visited and that have no value. They count as read.
        var fallen: [Fallen] = []
        /// The errors that were caught at places of the shelf.
        var caught: [[FieldError]] = []
        /// Values that stand for those of a row: scalars that were converted by the read.
        var converted: [Value] = []
        /// True if the errors of this part must be found again by each read.
        var hasProblems = false

        var isEmpty: Bool { fallen.isEmpty && caught.isEmpty && converted.isEmpty && !hasProblems }
    }

    /// Objects that have no value, from a place in the words on.
    struct Fallen: Sendable {
        let index: Int
        let node: Int
        var count = 1
    }

    let plan: BoundPlan
    let use: OperationUse
    /// The selection set of the objects.
    let node: Int
    /// The number of objects, which begin at word 1.
    let count: Int
    let words: UnsafePointer<UInt32>
    let wordCount: Int
    let cells: UnsafePointer<Cell>
    let cellCount: Int
    private let forms: [Form]
    /// The long lists of objects.
    let spines: [Spine]
    let rest: Rest
    /// True if a selected field is missing in the objects, or below them outside of the long lists.
    let isMissing: Bool
    private let filter = LateFilter()

    /// The bits of a place that are the number of the row.
    static let rowBits: UInt32 = 7
    /// The place of an object without a value.
    static let nowhere = UInt32.max
    /// The bit in a list's first word that says that the list stands on shelves of its own.
    static let isLong: UInt32 = 1 << 31

    init(
        _ plan: BoundPlan, _ use: OperationUse, node: Int, count: Int, words: UnsafeMutableBufferPointer<UInt32>,
        cellCount: Int, forms: [Form], spines: [Spine], rest: Rest, isMissing: Bool,
        _ fill: (UnsafeMutablePointer<Cell>) -> Void
    ) {
        self.plan = plan
        self.use = use
        self.node = node
        self.count = count
        wordCount = words.count
        self.cellCount = cellCount
        let cellBytes = cellCount &* MemoryLayout<Cell>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: cellBytes &+ words.count &* 4, alignment: MemoryLayout<Cell>.alignment)
        let cells = memory.bindMemory(to: Cell.self, capacity: cellCount)
        fill(cells)
        if let source = words.baseAddress { (memory + cellBytes).copyMemory(from: source, byteCount: words.count &* 4) }
        self.cells = UnsafePointer(cells)
        self.words = UnsafePointer((memory + cellBytes).bindMemory(to: UInt32.self, capacity: words.count))
        self.forms = forms
        self.spines = spines
        self.rest = rest
        self.isMissing = isMissing
    }

    deinit {
        #if BATON_TSAN
            VersionMark.readerIsDone()
        #endif
        for index in 0..<cellCount { cells[index].block.release() }
        UnsafeMutableRawPointer(mutating: cells).deallocate()
    }

    var layout: ResultLayout { plan.layout }

    /// The place in the words of an object.
    func index(of object: Int) -> Int { 1 &+ object &* layout.nodes[node].size }

    func record(at index: Int) -> RecordID { RecordID(words[index]) }

    /// Returns true if the object at a place has a value.
    func exists(at index: Int) -> Bool { index != 0 && words[index &+ 1] != Self.nowhere }

    /// Calls `body` for each visited record outside of the long lists, with the selection set. A record that was
    /// visited several times is passed as often.
    @inline(__always)
    func forEachPair(_ body: (Dependencies.Pair) -> Void) {
        let layout = plan.layout
        withExtendedLifetime(layout) {
            let walk = Walk(words: words, nodes: layout.nodesPointer, steps: layout.stepsPointer)
            walk.objects(at: 1, node, count, body)
            for fallen in rest.fallen { walk.objects(at: fallen.index, fallen.node, fallen.count, body) }
        }
    }

    /// A walk over the words of a shelf.
    private struct Walk {
        let words: UnsafePointer<UInt32>
        let nodes: UnsafePointer<ResultLayout.Node>
        let steps: UnsafePointer<ResultLayout.Step>

        func objects(at first: Int, _ node: Int, _ count: Int, _ body: (Dependencies.Pair) -> Void) {
            let size = nodes[node].size
            var index = first
            let range = nodes[node].steps
            for _ in 0..<count {
                let record = words[index]
                if record != RecordID.none.index {
                    body(Dependencies.Pair(record: RecordID(record), node: UInt32(truncatingIfNeeded: node)))
                }
                if !range.isEmpty { below(index, range, body) }
                index &+= size
            }
        }

        private func below(_ index: Int, _ range: Range<Int>, _ body: (Dependencies.Pair) -> Void) {
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

        private func list(at index: Int, _ node: Int, _ depth: Int, _ body: (Dependencies.Pair) -> Void) {
            guard words[index] & Shelf.isLong == 0 else { return }
            let count = Int(words[index])
            if depth == 1 { return objects(at: index &+ 1, node, count, body) }
            for item in 0..<count {
                let word = Int(words[index &+ 1 &+ item])
                if word != 0 { list(at: word, node, depth - 1, body) }
            }
        }
    }

    /// The visited records outside of the long lists.
    var ownPairs: [Dependencies.Pair] {
        var pairs: [Dependencies.Pair] = []
        forEachPair { pairs.append($0) }
        return pairs
    }

    /// The parts of the long lists below, in order.
    var partsBelow: [Shelf] {
        var parts: [Shelf] = []
        for spine in spines {
            parts.reserveCapacity(parts.count + spine.shelves.count)
            for shelf in spine.shelves { shelf.forEachPart { parts.append($0) } }
        }
        return parts
    }

    /// Calls `body` for this part of the result and for all parts below it.
    func forEachPart(_ body: (Shelf) -> Void) {
        body(self)
        for spine in spines {
            for shelf in spine.shelves { shelf.forEachPart(body) }
        }
    }

    // MARK: - Changes

    /// Returns true if the objects, and all below them, show what a new read would show.
    func isCurrent(_ changes: ChangesSince) -> Bool { !rest.hasProblems && isUntouched(by: changes) }

    /// Returns true if none of the records that were read has changed.
    func isUntouched(by changes: ChangesSince) -> Bool {
        if let few = changes.few {
            let filter = filter.value(of: self)
            if few.contains(where: { filter.mayContain($0) }), hasChanged(changes) { return false }
        } else if hasChanged(changes) {
            return false
        }
        return spines.allSatisfy { $0.shelves.allSatisfy { $0.isUntouched(by: changes) } }
    }

    private func hasChanged(_ changes: ChangesSince) -> Bool {
        var found = false
        forEachPair { if changes.all.contains($0.record) { found = true } }
        return found
    }
}

/// A list of objects on shelves.
final class Spine: Sendable {
    let shelves: [Shelf]
    /// The number of objects before each shelf, and that of all objects.
    let starts: [Int]
    /// The links of the list in the store, and for each shelf the number of links before it.
    let links: [RecordID]
    let sources: [Int]
    /// False if the list has no value, because an object without a value is non-null. It counts as read nevertheless.
    let isWhole: Bool
    let isMissing: Bool

    init(_ shelves: [Shelf], sources: [Int], links: [RecordID], isWhole: Bool) {
        self.shelves = shelves
        self.sources = sources
        self.links = links
        self.isWhole = isWhole
        var starts: [Int] = []
        starts.reserveCapacity(shelves.count + 1)
        var sum = 0
        var isMissing = false
        for shelf in shelves {
            starts.append(sum)
            sum += shelf.count
            if shelf.isMissing || shelf.spines.contains(where: \.isMissing) { isMissing = true }
        }
        starts.append(sum)
        self.starts = starts
        self.isMissing = isMissing
    }

    var count: Int { starts[shelves.count] }

    /// Returns the number of the shelf on which an object stands.
    @inline(__always)
    func shelf(of object: Int) -> Int {
        let guess = min(object / Self.length, shelves.count &- 1)
        if starts[guess] <= object, object < starts[guess &+ 1] { return guess }
        var low = 0
        var high = shelves.count &- 1
        while low < high {
            let middle = (low &+ high &+ 1) / 2
            if starts[middle] <= object { low = middle } else { high = middle &- 1 }
        }
        return low
    }

    /// The greatest number of objects on a shelf of a list.
    static let length = 64
}

/// The records that have changed since a version.
struct ChangesSince {
    /// The records, if they are few.
    let few: [RecordID]?
    let all: ChangedRecords

    init(_ all: ChangedRecords) {
        self.all = all
        few = all.few(atMost: 16)
    }
}
