import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Every selection set of the documents in a form made for comparing: flat arrays of plain numbers, inline fragments
/// dissolved, names interned.
struct SelectionTable: Sendable {
    /// A field as it competes with others for a response key.
    struct Entry {
        fileprivate(set) var key: Int32
        fileprivate(set) var name: Int32
        let parent: TypeID
        let isParentObject: Bool
        let type: TypeReference
        /// The selection set below, or -1.
        fileprivate(set) var children: Int32
        /// Index in `arguments`, or -1 without arguments.
        fileprivate(set) var arguments: Int32
        /// The fragment that the field stands in, or -1 in an operation.
        let fragment: Int32
        /// The fragment that gives the field's arguments values of its own, or -1.
        let scope: Int32
        /// Whether something was reported about the arguments, so that they are not compared with others.
        let hasWrongArguments: Bool
        /// Whether `@stream` stands on it.
        let isStreamed: Bool
        /// The response key in the source.
        let span: Span
    }

    struct Set {
        /// The fragment that the set stands in, or -1 in an operation.
        let fragment: Int32
        let entries: Range<Int32>
        let spreads: Range<Int32>
    }

    private(set) var entries: [Entry] = []
    private(set) var sets: [Set] = []
    private(set) var spreads: [Int32] = []
    private(set) var arguments: [[Argument]] = []
    private(set) var names: [String] = []
    private var nameIndex: [String: Int32] = [:]
    private var pendingEntries: [Entry] = []
    private var pendingSpreads: [Int32] = []

    mutating func intern(_ name: String) -> Int32 {
        if let index = nameIndex[name] { return index }
        let index = Int32(truncatingIfNeeded: names.count)
        names.append(name)
        nameIndex[name] = index
        return index
    }

    mutating func add(_ arguments: [Argument]) -> Int32 {
        if arguments.isEmpty { return -1 }
        self.arguments.append(arguments)
        return Int32(truncatingIfNeeded: self.arguments.count - 1)
    }

    /// Takes in all sets of another table; gives what must be added to their numbers.
    mutating func append(_ other: SelectionTable) -> Int32 {
        func count(_ number: Int) -> Int32 { Int32(truncatingIfNeeded: number) }
        let (entryOffset, setOffset) = (count(entries.count), count(sets.count))
        let (spreadOffset, argumentOffset) = (count(spreads.count), count(arguments.count))
        let numbers = other.names.map { intern($0) }
        for var entry in other.entries {
            entry.key = numbers[Int(entry.key)]
            entry.name = numbers[Int(entry.name)]
            if entry.children >= 0 { entry.children += setOffset }
            if entry.arguments >= 0 { entry.arguments += argumentOffset }
            entries.append(entry)
        }
        for set in other.sets {
            sets.append(
                Set(
                    fragment: set.fragment,
                    entries: set.entries.lowerBound + entryOffset..<set.entries.upperBound + entryOffset,
                    spreads: set.spreads.lowerBound + spreadOffset..<set.spreads.upperBound + spreadOffset
                )
            )
        }
        spreads += other.spreads
        arguments += other.arguments
        return setOffset
    }

    // MARK: - Building, from the inside out

    /// What must be given back to `finishSet` when all selections of a set were added.
    struct Mark {
        fileprivate let entries: Int
        fileprivate let spreads: Int
    }

    func beginSet() -> Mark {
        Mark(entries: pendingEntries.count, spreads: pendingSpreads.count)
    }

    mutating func addEntry(_ entry: Entry) {
        pendingEntries.append(entry)
    }

    mutating func addSpread(_ fragment: Int) {
        pendingSpreads.append(Int32(truncatingIfNeeded: fragment))
    }

    mutating func finishSet(_ mark: Mark, in fragment: Int32) -> Int32 {
        let entryStart = Int32(truncatingIfNeeded: entries.count)
        entries += pendingEntries[mark.entries...]
        pendingEntries.removeSubrange(mark.entries...)
        let spreadStart = Int32(truncatingIfNeeded: spreads.count)
        spreads += pendingSpreads[mark.spreads...]
        pendingSpreads.removeSubrange(mark.spreads...)
        sets.append(
            Set(
                fragment: fragment,
                entries: entryStart..<Int32(truncatingIfNeeded: entries.count),
                spreads: spreadStart..<Int32(truncatingIfNeeded: spreads.count)
            )
        )
        return Int32(truncatingIfNeeded: sets.count - 1)
    }
}
