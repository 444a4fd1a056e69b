/// Up to 16 shelves of a long list.
final class Section: Sendable {
    let shelves: [Shelf]
    /// The number of objects before each shelf, and at the end the number of all objects.
    let starts: [Int]
    /// The number of links before each shelf, and at the end the number of all links. A list leaves out links to
    /// deleted records.
    let sources: [Int]
    let isMissing: Bool
    /// True if the errors of a shelf must be found again by each read, or if there are long lists below.
    let mustLook: Bool
    private let filter: LateFilter

    /// Makes a section of shelves, with the number of links before each of them. `old` is a section whose shelves have
    /// read the same records, so its filter is taken over.
    init(_ shelves: [Shelf], sources: [Int], like old: Section? = nil) {
        self.shelves = shelves
        self.sources = sources
        var starts = [0]
        starts.reserveCapacity(shelves.count + 1)
        var (isMissing, mustLook) = (false, false)
        for shelf in shelves {
            starts.append(starts[starts.count - 1] + shelf.count)
            if shelf.isMissing || shelf.spines.contains(where: \.isMissing) { isMissing = true }
            if shelf.rest.hasProblems || !shelf.spines.isEmpty { mustLook = true }
        }
        self.starts = starts
        self.isMissing = isMissing
        self.mustLook = mustLook
        filter = old.map(\.filter) ?? LateFilter()
    }

    /// The shelves and all shelves below them, in order.
    var parts: [Shelf] {
        guard mustLook else { return shelves }
        var parts: [Shelf] = []
        for shelf in shelves { shelf.forEachPart { parts.append($0) } }
        return parts
    }

    /// The number of objects.
    var count: Int { starts[shelves.count] }
    /// The number of links.
    var linkCount: Int { sources[shelves.count] }

    /// True if the last shelf has no room for another link.
    var isFull: Bool { shelves.count > 0 && linkCount - sources[shelves.count - 1] >= Spine.length }

    /// Returns the number of the shelf with an object.
    @inline(__always)
    func shelf(of object: Int) -> Int { Self.place(of: object, in: starts, guess: object / Spine.length) }

    /// Returns the shelves, one bit each, that may have read one of the records. The long lists below do not count.
    func shelves(with records: [RecordID]) -> UInt16 { filter.value(of: self)?.shelves(with: records) ?? .max }

    /// Returns true if none of the records that were read here and below has changed.
    func isUntouched(by changes: ChangesSince) -> Bool {
        let suspects = changes.few.map { shelves(with: $0) } ?? .max
        if suspects == 0, !mustLook { return true }
        return shelves.indices.allSatisfy { number in
            (suspects >> UInt16(number) & 1 == 0 || shelves[number].isUntouched(by: changes))
                && shelves[number].spines.allSatisfy { $0.sections.allSatisfy { $0.isUntouched(by: changes) } }
        }
    }

    /// Returns the last place whose start is not beyond an object.
    @inline(__always)
    static func place(of object: Int, in starts: [Int], guess: Int) -> Int {
        let guess = min(guess, starts.count &- 2)
        if starts[guess] <= object, object < starts[guess &+ 1] { return guess }
        var low = 0
        var high = starts.count &- 2
        while low < high {
            let middle = (low &+ high &+ 1) / 2
            if starts[middle] <= object { low = middle } else { high = middle &- 1 }
        }
        return low
    }

    /// The greatest number of shelves.
    static let length = 16
}
