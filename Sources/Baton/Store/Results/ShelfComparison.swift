// Two results are equal if every selected field is equal, and if every spread that applies shows the same record. Parts
// that both results share are not compared.

/// A comparison of objects on two shelves.
///
/// Two selection sets can be compared if they select the same items. One generated struct may stand for several
/// selection sets of a plan, because the struct of an inline fragment has the surrounding fields too.
struct ShelfComparison {
    private let left: Shelf
    private let right: Shelf
    private let nodes: UnsafePointer<ResultLayout.Node>
    private let steps: UnsafePointer<ResultLayout.Step>
    private let leaves: UnsafePointer<Int>
    private let otherNodes: UnsafePointer<ResultLayout.Node>
    private let otherSteps: UnsafePointer<ResultLayout.Step>
    private let isSamePlan: Bool

    init(_ left: Shelf, _ right: Shelf) {
        self.left = left
        self.right = right
        isSamePlan = left.plan === right.plan
        otherNodes = right.layout.nodesPointer
        otherSteps = right.layout.stepsPointer
        // The shelves keep their layouts alive.
        nodes = left.layout.nodesPointer
        steps = left.layout.stepsPointer
        leaves = left.layout.leavesPointer
    }

    /// Compares two objects, each with its selection set.
    func areEqual(_ first: Int, _ second: Int, _ node: Int, _ otherNode: Int) -> Bool {
        if first == second, left === right, node == otherNode { return true }
        if !isSamePlan || node != otherNode, !areAlike(node, otherNode) {
            return showTheSame(first, second, node, otherNode)
        }
        let (own, other) = (left.words[first &+ 1], right.words[second &+ 1])
        guard own != Shelf.nowhere, other != Shelf.nowhere else { return own == other }
        let (ownCell, otherCell) = (left.cells + Int(own >> Shelf.rowBits), right.cells + Int(other >> Shelf.rowBits))
        let mask: UInt32 = 1 << Shelf.rowBits &- 1
        let (ownValues, otherValues) = (
            ownCell.pointee.values + Int(own & mask) &* Int(ownCell.pointee.width),
            otherCell.pointee.values + Int(other & mask) &* Int(otherCell.pointee.width)
        )
        let layout = nodes + node
        if layout.pointee.hasSpreads {
            let isSameTarget =
                left.words[first] == right.words[second] && left.words[first &+ 2] == right.words[second &+ 2]
                && left.use.operation === right.use.operation
                && (isSamePlan && node == otherNode || passTheSame(node, otherNode))
            // A reference shows its record. An object without a spread that applies does not show its record.
            if !isSameTarget, showsReference(left, first, node) || showsReference(right, second, otherNode) {
                return false
            }
        }
        // The variables decide which fields of a row a selection set shows.
        let isSamePlace = ownValues == otherValues && ownCell.pointee.positions == otherCell.pointee.positions
        if !isSamePlace {
            guard hasSameType(own, other) else { return false }
            let first = left.plan.nodes[node].first
            for leaf in layout.pointee.leaves {
                let field = leaves[leaf]
                let (own, other) = (ownCell.pointee.positions[field], otherCell.pointee.positions[field])
                if !areEqual(
                    own >= 0 ? ownValues + Int(own) : nil, other >= 0 ? otherValues + Int(other) : nil,
                    item: first &+ field)
                {
                    return false
                }
            }
        }
        var next = layout.pointee.steps.lowerBound
        var otherNext = otherNodes[otherNode].steps.lowerBound
        while next < layout.pointee.steps.upperBound {
            if !areEqual(steps + next, otherSteps + otherNext, first, second, isSamePlace) { return false }
            next &+= 1
            otherNext &+= 1
        }
        return true
    }

    /// Returns true if two sets select the same fields and give them the same words.
    @inline(never)
    private func areAlike(_ node: Int, _ other: Int) -> Bool {
        let (own, others) = (left.plan.items(of: node), right.plan.items(of: other))
        guard own.count == others.count, nodes[node].size == otherNodes[other].size,
            left.plan.isChecked == right.plan.isChecked
        else { return false }
        for (own, other) in zip(own, others) {
            guard left.plan.items[own].kind == right.plan.items[other].kind,
                left.layout.words[own] == right.layout.words[other],
                left.layout.catchWords[own] == right.layout.catchWords[other],
                left.plan.responseKeys[own] == right.plan.responseKeys[other]
            else { return false }
        }
        return true
    }

    /// Returns true if a spread applies to an object.
    @inline(never)
    private func showsReference(_ shelf: Shelf, _ index: Int, _ node: Int) -> Bool {
        let row = GeneratedCode.Row(shelf, at: index, node: node)
        return (0..<row.itemCount).contains { row.matches($0) }
    }

    /// Returns true if the spreads of two sets that are alike pass the same arguments.
    @inline(never)
    private func passTheSame(_ node: Int, _ other: Int) -> Bool {
        if left.plan.passed.isEmpty, right.plan.passed.isEmpty { return true }
        return zip(left.plan.items(of: node), right.plan.items(of: other)).allSatisfy { own, other in
            left.plan.passed[own] == right.plan.passed[other]
        }
    }

    /// Compares the shown items of two objects one by one. The plans of one struct differ if variables exclude an item;
    /// an excluded item shows the same as null.
    @inline(never)
    private func showTheSame(_ first: Int, _ second: Int, _ node: Int, _ otherNode: Int) -> Bool {
        let (own, other) = (left.words[first &+ 1], right.words[second &+ 1])
        guard own != Shelf.nowhere, other != Shelf.nowhere else { return own == other }
        let (row, otherRow) = (
            GeneratedCode.Row(left, at: first, node: node), GeneratedCode.Row(right, at: second, node: otherNode)
        )
        guard row.itemCount == otherRow.itemCount, hasSameType(own, other) else { return false }
        for field in 0..<row.itemCount {
            let key = left.plan.responseKeys[row.item(field)]
            let otherKey = right.plan.responseKeys[otherRow.item(field)]
            guard key == otherKey || key.isEmpty || otherKey.isEmpty else { return false }
            let isSame =
                switch (row.shown(at: field), otherRow.shown(at: field)) {
                case (.nothing, .nothing): true
                case (.leaf(let own), .leaf(let other)): areEqual(own, other, item: row.item(field))
                case (.object(let own), .object(let other)): own.isEqual(to: other)
                case (.objects(let own), .objects(let other)): own.isEqual(to: other)
                case (.reference, .reference): row.target(field) == otherRow.target(field)
                case (.caught(let own), .caught(let other)): own == other
                default: false
                }
            if !isSame { return false }
        }
        return true
    }

    private func hasSameType(_ first: UInt32, _ second: UInt32) -> Bool {
        let (own, other) = (left.type(of: first), right.type(of: second))
        let (names, others) = (left.plan.names, right.plan.names)
        return names === others ? own == other : names.name(of: own) == others.name(of: other)
    }

    private func areEqual(
        _ step: UnsafePointer<ResultLayout.Step>, _ otherStep: UnsafePointer<ResultLayout.Step>, _ first: Int,
        _ second: Int, _ isSamePlace: Bool
    ) -> Bool {
        if step.pointee.catchWord != 0 {
            let own = left.words[first &+ step.pointee.catchWord]
            let other = right.words[second &+ step.pointee.catchWord]
            if own == Shelf.caughtAsNull || other == Shelf.caughtAsNull {
                return isNull(step, left, first) && isNull(otherStep, right, second)
            }
            guard own != 0, other != 0 else {
                if own != other { return false }
                return haveEqualValues(step, otherStep, first, second, isSamePlace)
            }
            return left.rest.caught[Int(own) - 1] == right.rest.caught[Int(other) - 1]
        }
        return haveEqualValues(step, otherStep, first, second, isSamePlace)
    }

    /// Returns true if a field whose errors are caught as null shows null.
    private func isNull(_ step: UnsafePointer<ResultLayout.Step>, _ shelf: Shelf, _ index: Int) -> Bool {
        if shelf.words[index &+ step.pointee.catchWord] != 0 { return true }
        switch step.pointee.kind {
        case .checkedLeaf:
            let row = GeneratedCode.Row(shelf, at: index, node: step.pointee.node)
            return row.value(step.pointee.field)?.pointee.isNull ?? true
        case .leaf, .dataID:
            return GeneratedCode.Row(shelf, at: index, node: step.pointee.node).leaf(step.pointee.field).isNull
        default: return shelf.words[index &+ step.pointee.word] == 0
        }
    }

    @inline(__always)
    private func haveEqualValues(
        _ step: UnsafePointer<ResultLayout.Step>, _ otherStep: UnsafePointer<ResultLayout.Step>, _ first: Int,
        _ second: Int, _ isSamePlace: Bool
    ) -> Bool {
        let (own, other) = (left.words[first &+ step.pointee.word], right.words[second &+ step.pointee.word])
        switch step.pointee.kind {
        case .checkedLeaf:
            // The other values were compared with the row.
            if isSamePlace || step.pointee.catchWord == 0 { return true }
            return areEqual(
                GeneratedCode.Row(left, at: first, node: step.pointee.node).value(step.pointee.field),
                GeneratedCode.Row(right, at: second, node: otherStep.pointee.node).value(step.pointee.field),
                item: step.pointee.item)
        case .spread: return own == other
        case .leaf, .dataID:
            if isSamePlace, own == 0, other == 0 { return true }
            return areEqual(
                GeneratedCode.Row(left, at: first, node: step.pointee.node).leaf(step.pointee.field),
                GeneratedCode.Row(right, at: second, node: otherStep.pointee.node).leaf(step.pointee.field),
                item: step.pointee.item)
        case .object, .inline:
            guard own != 0, other != 0 else { return own == other }
            return areEqual(Int(own), Int(other), step.pointee.child, otherStep.pointee.child)
        case .objects:
            guard own != 0, other != 0 else { return own == other }
            return areEqualLists(
                Int(own), Int(other), step.pointee.child, otherStep.pointee.child, step.pointee.listDepth)
        }
    }

    /// Compares two lists.
    func areEqualLists(_ first: Int, _ second: Int, _ node: Int, _ otherNode: Int, _ depth: Int) -> Bool {
        if first == second, left === right, node == otherNode { return true }
        let (own, other) = (left.words[first], right.words[second])
        let count = Int(own & ~Shelf.isLong)
        guard count == Int(other & ~Shelf.isLong) else { return false }
        if (own | other) & Shelf.isLong != 0 {
            return Self.areEqual(
                GeneratedCode.RowList(left, at: first, node: node, depth: depth),
                GeneratedCode.RowList(right, at: second, node: otherNode, depth: depth))
        }
        if depth > 1 {
            for item in 0..<count {
                let (own, other) = (Int(left.words[first &+ 1 &+ item]), Int(right.words[second &+ 1 &+ item]))
                if own == 0 || other == 0 {
                    if own != other { return false }
                } else if !areEqualLists(own, other, node, otherNode, depth - 1) {
                    return false
                }
            }
            return true
        }
        let (size, otherSize) = (nodes[node].size, otherNodes[otherNode].size)
        for item in 0..<count
        where !areEqual(first &+ 1 &+ item &* size, second &+ 1 &+ item &* otherSize, node, otherNode) {
            return false
        }
        return true
    }

    /// Compares two lists, one of which is long. Shelves that both lists share are equal without a comparison.
    private static func areEqual(_ left: GeneratedCode.RowList, _ right: GeneratedCode.RowList) -> Bool {
        var position = 0
        while position < left.count {
            if let end = left.endOfSection(at: position, in: right) {
                position = end
                continue
            }
            let (own, ownStart, ownEnd) = left.part(at: position)
            let (other, otherStart, otherEnd) = right.part(at: position)
            let end = min(ownEnd, otherEnd)
            if own === other, ownStart == otherStart {
                position = end
                continue
            }
            let comparison = ShelfComparison(own, other)
            while position < end {
                let first = left.index(of: position &- ownStart, in: own)
                let second = right.index(of: position &- otherStart, in: other)
                if !comparison.areEqual(first, second, left.node, right.node) { return false }
                position &+= 1
            }
        }
        return true
    }

    private func areEqual(_ own: UnsafePointer<Value>?, _ other: UnsafePointer<Value>?, item: Int) -> Bool {
        switch (own, other) {
        case (nil, nil): true
        case (let own?, let other?): areEqual(own.pointee, other.pointee, item: item)
        // A missing field shows as null.
        case (let value?, nil), (nil, let value?): value.pointee.isNull
        }
    }

    @inline(__always)
    private func areEqual(_ own: borrowing Value, _ other: borrowing Value, item: Int) -> Bool {
        own.isIdentical(to: copy other) || own.isShown(like: copy other, left.plan.types[item])
    }
}

extension Shelf {
    /// The type of the object at a place.
    func type(of place: UInt32) -> TypeID {
        cells[Int(place >> Self.rowBits)].block._withUnsafeGuaranteedRef { $0.type }
    }
}

extension GeneratedCode.Row {
    /// Returns true if both objects were read with the same selections, and every selected field is equal.
    func isEqual(to other: GeneratedCode.Row) -> Bool {
        return ShelfComparison(shelf, other.shelf)
            .areEqual(Int(index), Int(other.index), Int(node), Int(other.node))
    }

    /// Returns true if the references of the spreads are equal.
    func hasEqualSpreads(to other: GeneratedCode.Row) -> Bool {
        guard itemCount == other.itemCount else { return false }
        return (0..<itemCount).allSatisfy { field in
            let applies = matches(field)
            return applies == other.matches(field) && (!applies || target(field) == other.target(field))
        }
    }
}

extension GeneratedCode.RowList {
    @usableFromInline
    func isEqual(to other: GeneratedCode.RowList) -> Bool {
        guard count == other.count, depth == other.depth else { return false }
        return ShelfComparison(shelf, other.shelf).areEqualLists(index, other.index, node, other.node, depth)
    }

    /// Returns the shelf of an element, and the range of the elements on the shelf.
    fileprivate func part(at position: Int) -> (shelf: Shelf, start: Int, end: Int) {
        guard let spine else { return (shelf, 0, count) }
        let number = spine.section(of: position)
        let (section, start) = (spine.sections[number], spine.starts[number])
        let place = section.shelf(of: position - start)
        return (section.shelves[place], start + section.starts[place], start + section.starts[place + 1])
    }

    /// Returns the position after a section that both lists have at this position; nil if they do not share it.
    fileprivate func endOfSection(at position: Int, in other: GeneratedCode.RowList) -> Int? {
        guard let spine, let otherSpine = other.spine else { return nil }
        let (own, others) = (spine.section(of: position), otherSpine.section(of: position))
        guard spine.sections[own] === otherSpine.sections[others], spine.starts[own] == otherSpine.starts[others]
        else { return nil }
        return spine.starts[own + 1]
    }

    fileprivate func index(of element: Int, in shelf: Shelf) -> Int {
        spine == nil ? index &+ 1 &+ element &* shelf.layout.nodes[node].size : shelf.index(of: element)
    }
}
