/// A list of objects in a read result.
///
/// The list costs nothing until its elements are used: each access makes an element anew. The lists of two reads share
/// their unchanged parts, so a comparison costs only as much as the changed parts.
///
/// `Element` is a generated struct, an optional one, or a list of them.
public struct ObjectList<Element: GeneratedCode.ListElement>: RandomAccessCollection, Sendable {
    @usableFromInline enum Storage: Sendable {
        case rows(GeneratedCode.RowList)
        case elements([Element])
    }

    // The members that loops and subscripts use are inlined. Generic code that is not inlined requests metadata at
    // every step, which takes longer than reading a property (benchmark `read.touch-vs-foundation`).
    @usableFromInline let storage: Storage

    @inlinable
    init(_ rows: GeneratedCode.RowList) { storage = .rows(rows) }

    /// Makes a list of elements, for instance of placeholders that a screen shows while there is no result.
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
        /// The list, which keeps the shelf of `part` alive.
        @usableFromInline let list: Storage
        /// Elements that lie side by side.
        @usableFromInline var part = GeneratedCode.RowPart()
        /// The number of elements of the part that were returned.
        @usableFromInline var position = 0
        /// The number of elements up to the end of the part.
        @usableFromInline var done = 0

        @inlinable
        init(_ storage: consuming Storage) {
            list = storage
        }

        /// Returns the next element, in constant time; nil at the end.
        @inlinable
        public mutating func next() -> Element? {
            if position == part.count {
                guard case .rows(let rows) = list else { return nextOfElements() }
                guard done < rows.count else { return nil }
                part = rows.part(from: done)
                (position, done) = (0, done &+ part.count)
            }
            position &+= 1
            // Without the type annotation, a null element would be taken for the end.
            let element: Element = part.element(position &- 1)
            withExtendedLifetime(list) {}
            return element
        }

        @usableFromInline
        mutating func nextOfElements() -> Element? {
            guard case .elements(let elements) = list, done < elements.count else { return nil }
            done += 1
            return elements[done - 1]
        }
    }

    /// Returns an iterator over the elements, which looks up each shelf only once.
    @inlinable
    public consuming func makeIterator() -> Iterator { Iterator(storage) }
}

extension ObjectList: ExpressibleByArrayLiteral {
    /// Makes a list of elements; `data?.films ?? []` is an empty one.
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension ObjectList: Equatable where Element: Equatable {
    /// Compares the elements. Parts that both lists share are equal without a comparison.
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
}

extension ObjectList: GeneratedCode.ListElement {
    /// Makes the element of a list of lists.
    public init(__row: GeneratedCode.Row) { self.init(__row.list) }
}

extension Optional: GeneratedCode.ListElement where Wrapped: GeneratedCode.ListElement {
    /// Makes the element of a list of nullable objects or lists.
    public init(__row: GeneratedCode.Row) { self = __row.isNull ? nil : Wrapped(__row: __row) }
}
