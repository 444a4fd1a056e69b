extension Normalizer {
    /// Notes that a complete object is not of the abstract types that none of its fields has shown.
    mutating func learnEnd(of object: IncrementalPlaces.Object) {
        let node = plan.writing.node(object.nodes.map { UInt32(truncatingIfNeeded: $0) }, in: plan)
        let selections = plan.writing.selections(node, for: object.type, in: plan)
        for discriminator in selections.discriminators { noteAbsence(of: discriminator, in: selections, object.type) }
    }

    /// Keeps the errors of a part at their fields. The paths of errors begin at the root of the response or at the
    /// part.
    mutating func placeErrors(
        of part: IncrementalPayload.Part, at record: RecordID, _ nodes: [Int], _ path: [JSONValue.PathComponent]
    ) {
        for error in part.errors {
            let isWhole = error.path?.starts(with: path) == true
            place([error], at: record, nodes, after: isWhole ? path.count : 0)
        }
    }

    /// Stages new items of a list. If the list has changed in the store since, its items stay and the new items follow.
    /// New items for the end of the list are added without a look at the items before them (benchmark
    /// `parts.growth-100k`).
    ///
    /// - Parameter isShared: True if the list also grows at another place of the response, with more or fewer items so
    ///   far.
    mutating func stageItems(
        _ new: [Value], from position: Int, of list: IncrementalPlaces.List, as longer: GrowingList, isShared: Bool
    ) {
        grow(GrownList(record: list.record, key: list.key), to: longer)
        let entry = staged.position(of: list.record)
        let growth = staged.growths[list.record]?[list.key]
        let own = growth == nil ? entry.flatMap { staged.value($0, list.key) } : nil
        // Changes of optimistic layers are not part of the server's list.
        let current = growth == nil ? own ?? base.base(of: list.record).value(list.key) : nil
        let end = growth.map { $0.list.count } ?? current?.itemCount
        func known(_ index: Int) -> Value? {
            growth.map { $0.list.item(at: index) } ?? current?.item(at: index)
        }
        func isKnown(_ index: Int, as value: Value?) -> Bool {
            guard let value, let known = known(index) else { return false }
            return known.isIdentical(to: value)
        }
        if let end, end >= longer.count, new.indices.allSatisfy({ isKnown(position + $0, as: new[$0]) }) { return }
        let last = list.items.item(at: position - 1)
        if end == position, position == list.items.count, position > 0, isKnown(position - 1, as: last) {
            if let entry, growth != nil || own != nil { return staged.append(new, entry, list.key, of: longer) }
            staged.beginGrowth(
                staged.positionAdding(list.record, list.type), list.key, new, from: position, last: last, of: longer,
                names)
            return
        }
        var items = longer.whole
        if let current = growth?.list.whole ?? current, !list.items.whole.hasSameItems(as: current) {
            guard current.items != nil, !current.startsWithItems(of: items) else { return }
            if !isShared || !items.startsWithItems(of: current) {
                let known = current.items ?? []
                let all = known + new.filter { item in !known.contains { $0.isIdentical(to: item) } }
                items = Self.list(all, like: items)
            }
        }
        staged.set(staged.positionAdding(list.record, list.type), list.key, items, names)
    }

    private static func list(_ items: [Value], like other: Value) -> Value {
        guard case .links = other else { return .list(items) }
        return .links(items.map { if case .link(let record) = $0 { record } else { .none } })
    }
}
