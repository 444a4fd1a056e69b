/// The changes that make one list of another, by the identity of the elements.
///
/// The changes are exact for any two lists, in the form that table views take:
///
/// 1. the elements at ``removed`` are removed, by their positions in the old list,
/// 2. the elements at ``inserted`` are inserted at these positions of the new list,
/// 3. the elements at ``moved`` change their places; as few as possible move, and all others keep their order,
/// 4. the elements at ``changed`` have other content.
///
/// Equal elements at both ends of the lists are matched, and so are the unchanged parts of two reads. Other elements
/// are matched by identity. If an identity occurs several times, its first occurrences are matched, then its second
/// occurrences, and so on.
///
/// Takes time linear in the lists, and n log n for n elements between the first and the last difference. Two lists of
/// one handle are compared by the parts that their reads share: a change of one of 10,000 items costs microseconds.
///
/// ### Behavior
///
/// - The changes of any two lists are exact.
/// - As few elements as possible move.
/// - Elements that are nil count as elements.
public struct ListChanges: Sendable, Hashable {
    /// An element at another place.
    public struct Move: Sendable, Hashable {
        /// The position in the old list.
        public let from: Int
        /// The position in the new list.
        public let to: Int
    }

    /// The positions in the old list of elements that are not in the new list, ascending.
    public private(set) var removed: [Int] = []
    /// The positions in the new list of elements that are not in the old list, ascending.
    public private(set) var inserted: [Int] = []
    /// The elements that change places, in the order of the new list.
    public private(set) var moved: [Move] = []
    /// The positions in the new list of elements that both lists have, with other content; ascending. A moved element
    /// may be among them.
    public private(set) var changed: [Int] = []

    /// True if the lists are equal.
    public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && moved.isEmpty && changed.isEmpty }

    /// Compares two lists by an identity of their elements.
    public init<Element: Equatable, ID: Hashable>(
        from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>,
        id: (Element) -> ID
    ) {
        if let (own, others) = Self.parts(of: old, new) {
            self.init(Elements(looking: old, own), Elements(looking: new, others), id)
        } else {
            self.init(Elements(Array(old)), Elements(Array(new)), id)
        }
    }

    /// Compares two lists by the `id` of their elements.
    public init<Element: Equatable & Identifiable>(
        from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>
    ) {
        self.init(from: old, to: new, id: \.id)
    }

    /// Compares two lists of elements that may be nil by their `id`.
    public init<Element: Equatable & Identifiable>(
        from old: some RandomAccessCollection<Element?>, to new: some RandomAccessCollection<Element?>
    ) {
        self.init(from: old, to: new, id: { $0?.id })
    }

    /// Compares two arrays, with the parts of their lists if the parts are known.
    init<Element: Equatable, ID: Hashable>(
        from old: [Element], _ own: ListParts?, to new: [Element], _ others: ListParts?, id: (Element) -> ID
    ) {
        let areKnown = own.flatMap { own in others.map { own.areLike($0) } } ?? false
        self.init(Elements(old, areKnown ? own : nil), Elements(new, areKnown ? others : nil), id)
    }

    /// Returns the parts of two lists; nil if the parts cannot be compared.
    private static func parts(of old: Any, _ new: Any) -> (ListParts, ListParts)? {
        guard let own = (old as? any ListOfParts)?.parts, let others = (new as? any ListOfParts)?.parts,
            own.areLike(others)
        else { return nil }
        return (own, others)
    }
}

// MARK: - Comparing

/// The elements of a list and its parts.
private struct Elements<Element> {
    let count: Int
    let parts: ListParts?
    let element: (Int) -> Element

    init(_ elements: [Element], _ parts: ListParts? = nil) {
        count = elements.count
        self.parts = parts
        element = { elements[$0] }
    }

    /// Refers to a list without a copy of its elements.
    init(looking list: some RandomAccessCollection<Element>, _ parts: ListParts) {
        count = list.count
        self.parts = parts
        element = { list[list.index(list.startIndex, offsetBy: $0)] }
    }
}

/// A run of elements that are side by side in both lists.
private struct Pair {
    let from: Int
    let to: Int
    var count = 1
}

extension ListChanges {
    private init<Element: Equatable, ID: Hashable>(
        _ old: Elements<Element>, _ new: Elements<Element>, _ id: (Element) -> ID
    ) {
        // Equal elements at both ends stay where they are.
        let (start, end) = Self.ends(old, new)
        let (oldEnd, newEnd) = (old.count - end, new.count - end)
        let shared = Self.shared(old, start..<oldEnd, new, start..<newEnd)

        // The old positions by identity. Later positions come first, so that the last position in each array is the
        // next one.
        var places: [ID: [Int]] = [:]
        var position = oldEnd
        for run in shared.sorted(by: { $0.from > $1.from }) + [Pair(from: start, to: start, count: 0)] {
            while position > run.from + run.count {
                position -= 1
                places[id(old.element(position)), default: []].append(position)
            }
            position = run.from
        }
        var pairs: [Pair] = []
        position = start
        for run in shared + [Pair(from: oldEnd, to: newEnd, count: 0)] {
            while position < run.to {
                if let from = places[id(new.element(position))]?.popLast() {
                    pairs.append(Pair(from: from, to: position))
                    if !Self.areEqual(old, from, new, position) { changed.append(position) }
                } else {
                    inserted.append(position)
                }
                position += 1
            }
            if run.count > 0 { pairs.append(run) }
            position = run.to + run.count
        }
        removed = places.values.joined().sorted()
        for (pair, stays) in zip(pairs, Self.heaviestRise(of: pairs)) where !stays {
            moved += (0..<pair.count).map { Move(from: pair.from + $0, to: pair.to + $0) }
        }
    }

    /// Returns the numbers of equal elements at both ends. Parts that both lists share are not compared.
    private static func ends<Element: Equatable>(_ old: Elements<Element>, _ new: Elements<Element>) -> (Int, Int) {
        let common = min(old.count, new.count)
        var (start, end) = (0, 0)
        while start < common {
            let (own, other) = parts(old, start, new, start)
            let length = min(min(own.positions.upperBound, other.positions.upperBound), common) - start
            if own.identity == nil || own.identity != other.identity
                || own.positions.lowerBound != other.positions.lowerBound
            {
                let differs = (start..<start + length).first { !areEqual(old, $0, new, $0) }
                if let differs {
                    start = differs
                    break
                }
            }
            start += length
        }
        while end < common - start {
            let (last, otherLast) = (old.count - end, new.count - end)
            let (own, other) = parts(old, last - 1, new, otherLast - 1)
            let (length, otherLength) = (last - own.positions.lowerBound, otherLast - other.positions.lowerBound)
            let shorter = min(min(length, otherLength), common - start - end)
            if own.identity == nil || own.identity != other.identity || length != otherLength {
                let differs = (1...shorter).first { !areEqual(old, last - $0, new, otherLast - $0) }
                if let differs {
                    end += differs - 1
                    break
                }
            }
            end += shorter
        }
        return (start, end)
    }

    /// Compares two elements. The comparison of rows is several times as fast as generic code (benchmark
    /// `list-diff.us`).
    private static func areEqual<Element: Equatable>(
        _ old: Elements<Element>, _ position: Int, _ new: Elements<Element>, _ otherPosition: Int
    ) -> Bool {
        if let parts = old.parts, let others = new.parts,
            let isEqual = parts.areEqual(position, others, otherPosition)
        {
            return isEqual
        }
        return old.element(position) == new.element(otherPosition)
    }

    /// Returns the parts with two elements: the sections if both lists share one, or else the shelves. Without parts, a
    /// list is one part.
    private static func parts<Element>(
        _ old: Elements<Element>, _ position: Int, _ new: Elements<Element>, _ otherPosition: Int
    ) -> (ListParts.Part, ListParts.Part) {
        if let parts = old.parts, let others = new.parts {
            if let own = parts.section(at: position), let other = others.section(at: otherPosition),
                own.identity == other.identity
            {
                return (own, other)
            }
            if let own = parts.shelf(at: position), let other = others.shelf(at: otherPosition) { return (own, other) }
        }
        return (.init(identity: nil, positions: 0..<old.count), .init(identity: nil, positions: 0..<new.count))
    }

    /// Returns the runs of shelves that both lists have completely between their ends, in the order of the new list.
    private static func shared<Element>(
        _ old: Elements<Element>, _ range: Range<Int>, _ new: Elements<Element>, _ otherRange: Range<Int>
    ) -> [Pair] {
        // For a few elements, the lookup of the elements costs less than the lookup of their parts.
        guard let parts = old.parts, let others = new.parts, min(range.count, otherRange.count) > Spine.length
        else { return [] }
        var starts: [ListParts.Identity?: Int] = [:]
        var position = range.lowerBound
        while position < range.upperBound, let part = parts.shelf(at: position) {
            if part.positions.lowerBound >= range.lowerBound, part.positions.upperBound <= range.upperBound {
                starts[part.identity] = part.positions.lowerBound
            }
            position = part.positions.upperBound
        }
        var shared: [Pair] = []
        position = otherRange.lowerBound
        while position < otherRange.upperBound, let part = others.shelf(at: position) {
            let positions = part.positions
            if positions.lowerBound >= otherRange.lowerBound, positions.upperBound <= otherRange.upperBound,
                let start = starts.removeValue(forKey: part.identity)
            {
                shared.append(Pair(from: start, to: positions.lowerBound, count: positions.count))
            }
            position = positions.upperBound
        }
        return shared
    }

    /// Returns true for each pair of the heaviest rise. A rise is a subsequence of the pairs with ascending old
    /// positions. Its weight is the number of its elements.
    private static func heaviestRise(of pairs: [Pair]) -> [Bool] {
        if zip(pairs, pairs.dropFirst()).allSatisfy({ $0.from < $1.from }) { return pairs.map { _ in true } }
        var ranks = [Int](repeating: 0, count: pairs.count)
        for (rank, index) in pairs.indices.sorted(by: { pairs[$0].from < pairs[$1].from }).enumerated() {
            ranks[index] = rank
        }
        // `weights` has the weight of the heaviest rise that ends with each pair, and `before` the pair before it in
        // that rise. `tree` is a Fenwick tree: for each range of ranks, the pair with the heaviest rise.
        var weights = [Int](repeating: 0, count: pairs.count)
        var before = [Int](repeating: -1, count: pairs.count)
        var tree = [Int](repeating: -1, count: pairs.count + 1)
        var best = -1
        for (index, pair) in pairs.enumerated() {
            var place = ranks[index]
            while place > 0 {
                let other = tree[place]
                if other >= 0, before[index] < 0 || weights[other] > weights[before[index]] { before[index] = other }
                place &= place - 1
            }
            weights[index] = pair.count + (before[index] < 0 ? 0 : weights[before[index]])
            if best < 0 || weights[index] > weights[best] { best = index }
            place = ranks[index] + 1
            while place <= pairs.count {
                if tree[place] < 0 || weights[tree[place]] < weights[index] { tree[place] = index }
                place += place & -place
            }
        }
        var result = [Bool](repeating: false, count: pairs.count)
        while best >= 0 {
            result[best] = true
            best = before[best]
        }
        return result
    }
}
