extension GeneratedCode {
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

        /// Returns the elements from `position` to the end of their shelf, which lie side by side; `position` is the
        /// first element of a shelf. Also begins to load their values.
        @usableFromInline
        func part(from position: Int) -> RowPart {
            let part = spine == nil ? RowPart(self) : RowPart(part(at: position))
            part.fetchRows()
            return part
        }

        /// Returns the elements from `position` to the end of their shelf; `position` is the first element of a shelf.
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

        /// Makes a list of the objects of a shelf, which stand in its words like those of a short list.
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

extension GeneratedCode.Row {
    /// The row of a null in a list of objects.
    init(nullIn shelf: Shelf) {
        self.init(shelf, index: 0, node: UInt32.max)
    }

    @inlinable var isNull: Bool { node == UInt32.max }

    /// The row that stands for a list in a list of lists. Only its property `list` may be used.
    init(standingFor list: GeneratedCode.RowList) {
        let depth = UInt32(truncatingIfNeeded: list.depth) << Self.nodeBits
        self.init(
            list.shelf, index: UInt32(truncatingIfNeeded: list.index),
            node: UInt32(truncatingIfNeeded: list.node) | depth)
    }

    /// The list for which the row stands.
    var list: GeneratedCode.RowList {
        GeneratedCode.RowList(
            shelf, at: Int(index), node: Int(node & (1 << Self.nodeBits - 1)), depth: Int(node >> Self.nodeBits))
    }

    /// A list has at most 32 levels, and a plan far fewer selection sets than the other bits can count.
    private static let nodeBits: UInt32 = 26
}
