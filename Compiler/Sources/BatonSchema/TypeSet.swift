/// A set of type ids. Its memory is proportional to the number of its ids, not to the number of types. Two dense sets
/// are compared one word at a time.
struct TypeSet: Sendable, Sequence {
    /// The ids, ascending and without repetition.
    private let ids: [TypeID]
    /// The ids as bits, from `firstWord` on; empty if the bits would take more than twice the memory of the ids.
    private let words: [UInt64]
    private let firstWord: Int

    static let empty = TypeSet([])

    init(_ unsorted: [TypeID]) {
        var ids: [TypeID] = []
        for id in unsorted.sorted() where id != ids.last && id.index >= 0 { ids.append(id) }
        self.ids = ids
        firstWord = Self.word(of: ids.first)
        let count = Self.word(of: ids.last) - firstWord + 1
        guard count <= ids.count else {
            words = []
            return
        }
        var words = [UInt64](repeating: 0, count: count)
        for id in ids { words[Self.word(of: id) - firstWord] |= Self.bit(of: id) }
        self.words = words
    }

    private static func word(of id: TypeID?) -> Int { Int(id?.index ?? 0) / 64 }

    private static func bit(of id: TypeID) -> UInt64 { 1 << UInt64(id.index % 64) }

    func contains(_ id: TypeID) -> Bool {
        guard !words.isEmpty else { return searches(for: id) }
        let index = Self.word(of: id) - firstWord
        return id.index >= 0 && words.indices.contains(index) && words[index] & Self.bit(of: id) != 0
    }

    private func searches(for id: TypeID) -> Bool {
        var low = 0
        var high = ids.count
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low < ids.count && ids[low] == id
    }

    func intersects(_ other: TypeSet) -> Bool {
        if words.isEmpty || other.words.isEmpty || Swift.min(ids.count, other.ids.count) < 4 {
            let (small, large) = ids.count < other.ids.count ? (self, other) : (other, self)
            return small.ids.contains { large.contains($0) }
        }
        let first = Swift.max(firstWord, other.firstWord)
        let end = Swift.min(firstWord + words.count, other.firstWord + other.words.count)
        guard first < end else { return false }
        return (first..<end).contains { words[$0 - firstWord] & other.words[$0 - other.firstWord] != 0 }
    }

    /// Iterates over the ids in ascending order.
    func makeIterator() -> IndexingIterator<[TypeID]> {
        ids.makeIterator()
    }
}
