/// The elements of several lists as one collection; ``PagedQuery/elements(_:)`` makes it.
///
/// An access to an element takes time logarithmic in the number of lists.
public struct PagedElements<List: RandomAccessCollection>: RandomAccessCollection {
    private let lists: [List]
    /// The number of elements up to the end of each list.
    private let ends: [Int]

    init(_ lists: [List]) {
        self.lists = lists
        var count = 0
        ends = lists.map { list in
            count += list.count
            return count
        }
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { ends.last ?? 0 }

    /// Returns the element at a position, which must be in range.
    public subscript(position: Int) -> List.Element {
        precondition(position >= 0 && position < endIndex, "the position is out of range")
        // The first list that ends after the position.
        var (low, high) = (0, ends.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] > position { high = middle } else { low = middle + 1 }
        }
        let list = lists[low]
        let start = ends[low] - list.count
        return list[list.index(list.startIndex, offsetBy: position - start)]
    }
}

extension PagedElements: Sendable where List: Sendable {}
