// Two results are equal if every selected field is equal. What both share is not looked at.

extension GeneratedCode.Row {
    /// Returns true if both objects were read with the same selections, and every selected field is equal.
    func isEqual(to other: GeneratedCode.Row) -> Bool {
        if shelf === other.shelf, index == other.index { return true }
        // The plan decides what is compared. Results of two plans of one definition are compared by the first one.
        guard node == other.node else { return false }
        let plan = shelf.plan
        let (own, others) = (shelf.layout, other.shelf.layout)
        guard own === others || own.words == others.words else { return false }
        let isSamePlace = place == other.place
        if !isSamePlace, typename != other.typename { return false }
        for field in 0..<plan.nodes[Int(node)].count where !isEqual(field, to: other, isSamePlace) { return false }
        return true
    }

    private func isEqual(_ field: Int, to other: GeneratedCode.Row, _ isSamePlace: Bool) -> Bool {
        let plan = shelf.plan
        let item = plan.items[item(field)]
        if item.marks.contains(.catches) {
            let (left, right) = (caught(field), other.caught(field))
            if left == 0 || right == 0 {
                guard left == right else { return false }
            } else {
                let target = plan.marks[self.item(field)]?.catches
                return target == .null || shelf.rest.caught[left - 1] == other.shelf.rest.caught[right - 1]
            }
        }
        switch item.kind {
        case .excluded: return true
        case .spread:
            guard matches(field) else { return !other.matches(field) }
            return other.matches(field) && target == other.target
        case .inline:
            return areEqual(child(field), other.child(field))
        case .composite:
            if plan.types[self.item(field)].listDepth == 0 { return areEqual(child(field), other.child(field)) }
            switch (list(of: field), other.list(of: field)) {
            case (nil, nil): return true
            case (let left?, let right?): return left.isEqual(to: right)
            default: return false
            }
        case .leaf:
            if shelf.layout.words[self.item(field)] == 0 {
                if isSamePlace { return true }
                return Self.areEqual(value(field), other.value(field))
            }
            return leaf(field).isIdentical(to: other.leaf(field))
        }
    }

    private static func areEqual(_ left: UnsafePointer<Value>?, _ right: UnsafePointer<Value>?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): left.pointee.isIdentical(to: right.pointee)
        // A missing field shows as null.
        case (let value?, nil), (nil, let value?): value.pointee.isNull
        }
    }

    private func areEqual(_ left: GeneratedCode.Row?, _ right: GeneratedCode.Row?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): left.isEqual(to: right)
        default: false
        }
    }

    /// Returns true if the references of the spreads are equal.
    func hasEqualSpreads(to other: GeneratedCode.Row) -> Bool {
        guard node == other.node, target == other.target else { return false }
        return (0..<shelf.plan.nodes[Int(node)].count).allSatisfy { matches($0) == other.matches($0) }
    }
}

extension GeneratedCode.RowList {
    func isEqual(to other: GeneratedCode.RowList) -> Bool {
        guard count == other.count else { return false }
        if shelf === other.shelf, index == other.index { return true }
        if depth > 1 {
            return (0..<count).allSatisfy { position in
                switch (list(position), other.list(position)) {
                case (nil, nil): true
                case (let left?, let right?): left.isEqual(to: right)
                default: false
                }
            }
        }
        var position = 0
        while position < count {
            if let own = spine, let others = other.spine {
                if own === others { return true }
                let (left, right) = (own.shelf(of: position), others.shelf(of: position))
                if own.shelves[left] === others.shelves[right], own.starts[left] == others.starts[right] {
                    position = own.starts[left + 1]
                    continue
                }
            }
            switch (row(position), other.row(position)) {
            case (nil, nil): break
            case (let left?, let right?): if !left.isEqual(to: right) { return false }
            default: return false
            }
            position += 1
        }
        return true
    }
}
