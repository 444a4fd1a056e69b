/// A list of objects in a read result.
///
/// The list costs nothing until its elements are looked at: an element is made each time it is asked for. Lists of two
/// reads share what has not changed, so that comparing them costs as much as what differs.
///
/// `Element` is a generated struct, an optional one, or a list of them.
public struct ObjectList<Element: GeneratedCode.ListElement>: RandomAccessCollection, Sendable {
    @usableFromInline enum Storage: Sendable {
        case rows(GeneratedCode.RowList)
        case elements([Element])
    }

    // What loops and subscripts use is inlined: generic code that is not costs a request for metadata at every step,
    // which takes longer than reading a property (benchmark `read.touch-vs-foundation`).
    @usableFromInline let storage: Storage

    @inlinable
    init(_ rows: GeneratedCode.RowList) { storage = .rows(rows) }

    /// Makes a list of elements, for instance of those that a screen shows while there is no result.
    public init(_ elements: some Sequence<Element>) { storage = .elements(Array(elements)) }

    public typealias Index = Int

    @inlinable public var startIndex: Int { 0 }
    @inlinable public var endIndex: Int {
        switch storage {
        case .rows(let rows): rows.count
        case .elements(let elements): elements.count
        }
    }

    /// Returns the element at a position, which must be in range. Takes constant time.
    @inlinable
    public subscript(position: Int) -> Element {
        precondition(position >= 0 && position < endIndex, "Index out of range")
        switch storage {
        case .rows(let rows): return rows.element(position)
        case .elements(let elements): return elements[position]
        }
    }
}

extension ObjectList {
    /// Goes through the elements in order.
    public struct Iterator: IteratorProtocol {
        /// Elements that lie side by side; nil in a list that was made of elements.
        @usableFromInline var part: GeneratedCode.RowList?
        /// The number of elements in the part, and of those that were returned.
        @usableFromInline var count = 0
        @usableFromInline var position = 0
        /// The list, if it has other parts, and the number of elements up to the end of the part.
        @usableFromInline var list: Storage?
        @usableFromInline var done = 0

        @inlinable
        init(_ storage: Storage) {
            if case .rows(let rows) = storage, rows.fetchRows() {
                (part, count) = (rows, rows.count)
            } else {
                list = storage
            }
        }

        /// Returns the next element, in constant time; nil at the end.
        @inlinable
        public mutating func next() -> Element? {
            guard position < count, let part else { return nextOfOthers() }
            position &+= 1
            // With the type of the result, an element that is null would be the end.
            let element: Element = part.element(position &- 1)
            return element
        }

        @usableFromInline
        mutating func nextOfOthers() -> Element? {
            switch list {
            case nil: return nil
            case .elements(let elements)?:
                guard done < elements.count else { return nil }
                done += 1
                return elements[done - 1]
            case .rows(let rows)?:
                guard done < rows.count else { return nil }
                let next = rows.part(at: done)
                _ = next.fetchRows()
                (part, count, position) = (next, next.count, 1)
                done += next.count
                let element: Element = next.element(0)
                return element
            }
        }
    }

    /// Returns an iterator over the elements, which looks the shelf of an element up once for each shelf.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(storage) }
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
    /// An element of a list in a read result: a generated struct, an optional one, or a list of elements.
    public protocol ListElement: Sendable {
        /// Wraps the row of an element.
        init(__row: Row)
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
                let number = spine.section(of: position)
                let (section, place) = (spine.sections[number], position &- spine.starts[number])
                let part = section.shelf(of: place)
                let shelf = section.shelves[part]
                let index = shelf.index(of: place &- section.starts[part])
                return shelf.exists(at: index) ? Row(shelf, at: index, node: node) : nil
            }
            let index = index &+ 1 &+ position &* shelf.layout.nodes[node].size
            return shelf.exists(at: index) ? Row(shelf, at: index, node: node) : nil
        }

        /// Returns true if the elements lie side by side. Their values are then on the way to the processor.
        ///
        /// The elements of a list may be anywhere in memory. The loads here do not wait for each other, as those of
        /// properties would do between two counts of references (benchmark `read.touch-vs-foundation`).
        @usableFromInline
        func fetchRows() -> Bool {
            guard spine == nil else { return false }
            if depth == 1 {
                let size = shelf.layout.nodes[node].size
                for element in 0..<count {
                    shelf.fetch(at: index &+ 1 &+ element &* size)
                }
            }
            return true
        }

        /// Returns the elements that lie side by side from one on, which is the first of a shelf.
        func part(at position: Int) -> RowList {
            guard let spine else { return self }
            let number = spine.section(of: position)
            let section = spine.sections[number]
            return RowList(section.shelves[section.shelf(of: position - spine.starts[number])], node: node)
        }

        /// Calls `body` for the place of each element in the words of its shelf, null elements included.
        @inline(__always)
        func forEachObject(_ body: (_ shelf: Shelf, _ node: Int, _ index: Int) -> Void) {
            var position = 0
            while position < count {
                let part = part(at: position)
                let size = part.shelf.layout.nodes[node].size
                for element in 0..<part.count { body(part.shelf, node, part.index &+ 1 &+ element &* size) }
                position += part.count
            }
        }

        /// The objects of a shelf, which stand in its words like those of a short list.
        private init(_ shelf: Shelf, node: Int) {
            (self.shelf, index, self.node, depth, count, spine) = (shelf, 0, node, 1, shelf.count, nil)
        }

        /// Returns the list that is an element; nil if the element is null.
        @usableFromInline
        func list(_ position: Int) -> RowList? {
            let word = Int(shelf.words[index &+ 1 &+ position])
            return word == 0 ? nil : RowList(shelf, at: word, node: node, depth: depth - 1)
        }
    }
}

extension GeneratedCode.RowList {
    /// Makes an element.
    @inlinable
    func element<Element: GeneratedCode.ListElement>(_ position: Int) -> Element {
        let row = rowOfElement(position)
        if row.isNull, !(Element.self is any GeneratedCode.OptionalOfAny.Type) { GeneratedCode.failedRead() }
        return Element(__row: row)
    }

    /// Returns the row of an element, which may stand for null or for a list.
    @usableFromInline
    func rowOfElement(_ position: Int) -> GeneratedCode.Row {
        if depth == 1 { return row(position) ?? GeneratedCode.Row(nullIn: shelf) }
        return list(position).map { GeneratedCode.Row(standingFor: $0) } ?? GeneratedCode.Row(nullIn: shelf)
    }
}

extension ObjectList: GeneratedCode.ListElement {
    /// Makes the element of a list of lists.
    public init(__row: GeneratedCode.Row) { self.init(__row.list) }
}

extension Optional: GeneratedCode.ListElement where Wrapped: GeneratedCode.ListElement {
    /// Makes the element of a list of nullable objects or lists.
    public init(__row: GeneratedCode.Row) { self = __row.isNull ? nil : Wrapped(__row: __row) }
}

extension GeneratedCode.Row {
    /// The row of a null in a list of objects.
    fileprivate init(nullIn shelf: Shelf) {
        self.init(shelf, index: 0, node: UInt32.max)
    }

    @inlinable var isNull: Bool { node == UInt32.max }

    /// The row of a list in a list of lists. Nothing but `list` may be asked of it.
    fileprivate init(standingFor list: GeneratedCode.RowList) {
        let depth = UInt32(truncatingIfNeeded: list.depth) << Self.nodeBits
        self.init(
            list.shelf, index: UInt32(truncatingIfNeeded: list.index),
            node: UInt32(truncatingIfNeeded: list.node) | depth)
    }

    /// The list for which the row stands.
    fileprivate var list: GeneratedCode.RowList {
        GeneratedCode.RowList(
            shelf, at: Int(index), node: Int(node & (1 << Self.nodeBits - 1)), depth: Int(node >> Self.nodeBits))
    }

    /// A list has at most 32 levels, and a plan far fewer selection sets than the other bits can count.
    private static let nodeBits: UInt32 = 26
}
