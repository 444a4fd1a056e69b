extension GeneratedCode {
    /// Elements of a list that lie side by side in the words of one shelf.
    ///
    /// A part does not keep the shelf alive; the owner of a part also has the list. Otherwise each step of a loop would
    /// count two references to the shelf, for the part and for the element. That took a fifth of the time of a loop
    /// over a result (benchmark `read.touch-vs-foundation`).
    ///
    /// Sendable because a shelf never changes.
    @usableFromInline
    struct RowPart: @unchecked Sendable {
        private let shelf: Unmanaged<Shelf>?
        private let first: Int
        private let node: Int
        private let size: Int
        private let depth: Int
        @usableFromInline let count: Int

        /// Makes a part without elements.
        @usableFromInline
        init() { (shelf, first, node, size, depth, count) = (nil, 0, 0, 0, 0, 0) }

        init(_ list: RowList) {
            shelf = .passUnretained(list.shelf)
            first = list.index &+ 1
            node = list.node
            size = list.shelf.layout.nodes[list.node].size
            depth = list.depth
            count = list.count
        }

        /// Makes an element. The list must be alive.
        @inlinable
        func element<Element: ListElement>(_ position: Int) -> Element {
            let row = row(position)
            if row.isNull, !(Element.self is any OptionalOfAny.Type) { failedRead() }
            return Element(__row: row)
        }

        /// Returns the row of an element, which may stand for null or for a list.
        @usableFromInline
        func row(_ position: Int) -> Row {
            guard let shelf = shelf?.takeUnretainedValue() else { failedRead() }
            guard depth == 1 else {
                return RowList(shelf, at: first &- 1, node: node, depth: depth).rowOfElement(position)
            }
            let index = first &+ position &* size
            return shelf.exists(at: index) ? Row(shelf, at: index, node: node) : Row(nullIn: shelf)
        }

        /// Loads the first value of each element into the processor's cache.
        ///
        /// The elements of a list may be anywhere in memory. The loads here do not wait for each other. The loads of
        /// properties would, because references are counted between them (benchmark `read.touch-vs-foundation`).
        func fetchRows() {
            guard depth == 1, let shelf else { return }
            shelf._withUnsafeGuaranteedRef { shelf in
                for element in 0..<count { shelf.fetch(at: first &+ element &* size) }
            }
        }
    }
}
