/// What has to be done to one list to make another of it, by the identity of the elements.
///
/// The changes are exact for any two lists, in the form that table views take:
///
/// 1. the elements at ``removed`` go, by their positions in the old list,
/// 2. those at ``inserted`` come, so that they stand at these positions in the new list,
/// 3. those at ``moved`` change their places; as few as possible move, and all others keep their order,
/// 4. those at ``changed`` have other content.
///
/// Equal elements at both ends of the lists stay. If an identity occurs several times between them, its first
/// occurrences belong together, then its second ones, and so on. Takes time linear in the lists, and n log n for n
/// elements between the first and the last difference.
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

    /// The positions in the old list of elements that the new list has not, ascending.
    public private(set) var removed: [Int] = []
    /// The positions in the new list of elements that the old list has not, ascending.
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
        self.init(Array(old), Array(new), id)
    }

    /// Compares two lists by the `id` of their elements.
    public init<Element: Equatable & Identifiable>(
        from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>
    ) {
        self.init(Array(old), Array(new), \.id)
    }

    /// Compares two lists of elements that may be nil by their `id`.
    public init<Element: Equatable & Identifiable>(
        from old: some RandomAccessCollection<Element?>, to new: some RandomAccessCollection<Element?>
    ) {
        self.init(Array(old), Array(new), { $0?.id })
    }

    private init<Element: Equatable, ID: Hashable>(_ old: [Element], _ new: [Element], _ id: (Element) -> ID) {
        // Equal elements at both ends stay where they are.
        let common = min(old.count, new.count)
        var start = 0
        while start < common, old[start] == new[start] { start += 1 }
        var end = 0
        while end < common - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        let (oldEnd, newEnd) = (old.count - end, new.count - end)

        // The old positions by identity. Later positions come first, so that the last one is that to take next.
        var places: [ID: [Int]] = [:]
        for position in (start..<oldEnd).reversed() { places[id(old[position]), default: []].append(position) }
        var isKept = [Bool](repeating: false, count: oldEnd - start)
        var pairs: [Move] = []
        for position in start..<newEnd {
            if let from = places[id(new[position])]?.popLast() {
                pairs.append(Move(from: from, to: position))
                isKept[from - start] = true
                if old[from] != new[position] { changed.append(position) }
            } else {
                inserted.append(position)
            }
        }
        removed = (start..<oldEnd).filter { !isKept[$0 - start] }
        let stays = Self.longestRise(of: pairs.map(\.from))
        moved = zip(pairs, stays).filter { !$1 }.map(\.0)
    }

    /// Says of each number whether it belongs to a longest part of the sequence whose numbers rise.
    private static func longestRise(of numbers: [Int]) -> [Bool] {
        // The positions at which the best rises of each length end, and the position before each in its rise.
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: numbers.count)
        for (position, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[position] = ends[low - 1] }
            if low == ends.count { ends.append(position) } else { ends[low] = position }
        }
        var result = [Bool](repeating: false, count: numbers.count)
        var position = ends.last ?? -1
        while position >= 0 {
            result[position] = true
            position = before[position]
        }
        return result
    }
}
