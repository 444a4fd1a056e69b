import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// The selection sets of all documents in a form that is fast to compare: flat arrays of numbers, with inline fragments
/// dissolved and names interned.
struct SelectionTable: Sendable {
    /// A field, as it competes with others for a response key.
    struct Entry {
        fileprivate(set) var key: Int32
        fileprivate(set) var name: Int32
        let parent: TypeID
        let isParentObject: Bool
        let type: TypeReference
        /// The selection set of the field, or -1.
        fileprivate(set) var children: Int32
        /// The index in `arguments`, or -1 without arguments.
        fileprivate(set) var arguments: Int32
        /// The fragment that contains the field, or -1 in an operation.
        let fragment: Int32
        /// The fragment whose own arguments the field uses, or -1.
        let scope: Int32
        /// Whether the arguments have a reported mistake, so that they are not compared.
        let hasWrongArguments: Bool
        /// Whether the field has `@stream`.
        let isStreamed: Bool
        /// The place of the response key.
        let span: Span
    }

    struct Set {
        /// The fragment that contains the set, or -1 in an operation.
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

    /// Adds all sets of another table; returns the number to add to their indices.
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

    // MARK: - Building, from the innermost set outwards

    /// The state at the beginning of a set, which `finishSet` takes after all selections are added.
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
