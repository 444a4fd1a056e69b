/// A list of objects in a read result.
///
/// The list costs nothing until its elements are looked at: an element is made each time it is asked for. Lists of two
/// reads share what has not changed, so that comparing them costs as much as what differs.
///
/// `Element` is a generated struct, an optional one, or a list of them.
public struct ObjectList<Element: GeneratedCode.ListElement>: RandomAccessCollection, Sendable {
    private enum Storage: Sendable {
        case rows(GeneratedCode.RowList)
        case elements([Element])
    }

    private let storage: Storage

    @usableFromInline
    init(_ rows: GeneratedCode.RowList) { storage = .rows(rows) }

    /// Makes a list of elements, for instance of those that a screen shows while there is no result.
    public init(_ elements: some Sequence<Element>) { storage = .elements(Array(elements)) }

    public typealias Index = Int

    public var startIndex: Int { 0 }
    public var endIndex: Int {
        switch storage {
        case .rows(let rows): rows.count
        case .elements(let elements): elements.count
        }
    }

    /// Returns the element at a position, which must be in range. Takes constant time.
    public subscript(position: Int) -> Element {
        precondition(position >= 0 && position < endIndex, "Index out of range")
        switch storage {
        case .rows(let rows): return Element(of: rows, at: position)
        case .elements(let elements): return elements[position]
        }
    }
}

extension ObjectList: ExpressibleByArrayLiteral {
    /// Makes a list of elements; `data?.films ?? []` is an empty one.
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension ObjectList: Equatable where Element: Equatable {
    /// Compares the elements. Parts that both lists share are equal at once.
    public static func == (left: ObjectList, right: ObjectList) -> Bool {
        if case .rows(let own) = left.storage, case .rows(let other) = right.storage { return own.isEqual(to: other) }
        return left.elementsEqual(right)
    }
}

extension ObjectList: CustomReflectable {
    /// A mirror of the elements.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: Array(self), displayStyle: .collection) }
}

extension ObjectList: CustomStringConvertible {
    /// The elements, as an array shows them.
    public var description: String { Array(self).description }
}

extension GeneratedCode {
    /// An element of a list in a read result.
    public protocol ListElement: Sendable {
        /// Makes the element of a list at a position, which is in range.
        init(of list: RowList, at position: Int)
    }

    /// A list of rows, or of lists.
    public struct RowList: Sendable {
        let shelf: Shelf
        let index: Int
        let node: Int
        let depth: Int
        /// The number of elements.
        @usableFromInline let count: Int
        /// The shelves of a long list.
        let spine: Spine?

        init(_ shelf: Shelf, at index: Int, node: Int, depth: Int) {
            self.shelf = shelf
            self.index = index
            self.node = node
            self.depth = depth
            let word = shelf.words[index]
            count = Int(word & ~Shelf.isLong)
            spine = word & Shelf.isLong == 0 ? nil : shelf.spines[Int(shelf.words[index &+ 1])]
        }

        /// Returns the row of an element; nil if the element is null.
        @usableFromInline
        func row(_ position: Int) -> Row? {
            if let spine {
                let number = spine.shelf(of: position)
                let shelf = spine.shelves[number]
                let index = shelf.index(of: position &- spine.starts[number])
                return shelf.exists(at: index) ? Row(shelf, at: index, node: node) : nil
            }
            let index = index &+ 1 &+ position &* shelf.layout.nodes[node].size
            return shelf.exists(at: index) ? Row(shelf, at: index, node: node) : nil
        }

        /// Returns the list that is an element; nil if the element is null.
        @usableFromInline
        func list(_ position: Int) -> RowList? {
            let word = Int(shelf.words[index &+ 1 &+ position])
            return word == 0 ? nil : RowList(shelf, at: word, node: node, depth: depth - 1)
        }
    }
}

extension GeneratedCode.Selections {
    /// Makes the element of a list of non-null objects.
    @inlinable
    public init(of list: GeneratedCode.RowList, at position: Int) {
        guard let row = list.row(position) else { GeneratedCode.failedRead() }
        self.init(__row: row)
    }
}

extension ObjectList: GeneratedCode.ListElement {
    /// Makes the element of a list of lists.
    @inlinable
    public init(of list: GeneratedCode.RowList, at position: Int) {
        guard let inner = list.list(position) else { GeneratedCode.failedRead() }
        self.init(inner)
    }
}

extension Optional: GeneratedCode.ListElement where Wrapped: GeneratedCode.NullableListElement {
    /// Makes the element of a list of nullable objects or lists.
    @inlinable
    public init(of list: GeneratedCode.RowList, at position: Int) {
        self = Wrapped.isNull(in: list, at: position) ? nil : Wrapped(of: list, at: position)
    }
}

extension GeneratedCode {
    /// An element of a list that may be null.
    public protocol NullableListElement: ListElement {
        /// Returns true if the element at a position is null.
        static func isNull(in list: RowList, at position: Int) -> Bool
    }
}

extension GeneratedCode.Selections {
    /// Returns true if the element at a position is null.
    @inlinable
    public static func isNull(in list: GeneratedCode.RowList, at position: Int) -> Bool { list.row(position) == nil }
}

extension ObjectList: GeneratedCode.NullableListElement {
    /// Returns true if the element at a position is null.
    @inlinable
    public static func isNull(in list: GeneratedCode.RowList, at position: Int) -> Bool { list.list(position) == nil }
}
