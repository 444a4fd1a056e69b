extension Normalizer {
    /// Notes that the object is not of the types that nothing has shown, because all its fields have come.
    mutating func learnEnd(of object: IncrementalPlaces.Object) {
        let node = plan.writing.node(object.nodes.map { UInt32(truncatingIfNeeded: $0) }, in: plan)
        let selections = plan.writing.selections(node, for: object.type, in: plan)
        for discriminator in selections.discriminators { noteAbsence(of: discriminator, in: selections, object.type) }
    }

    /// Keeps the errors of a part at their fields. The paths of errors begin at the root of the answer or at the part.
    mutating func placeErrors(
        of part: IncrementalPayload.Part, at record: RecordID, _ nodes: [Int], _ path: [PathComponent]
    ) {
        for error in part.errors {
            let isWhole = error.path?.starts(with: path) == true
            place([error], at: record, nodes, after: isWhole ? path.count : 0)
        }
    }

    /// Stages a list that has grown. If others have changed the list since, their items stay and the new items follow.
    ///
    /// - Parameter isShared: True if the list also grows in another place of the answer, which may be ahead or behind.
    mutating func setItems(
        _ items: Value, _ new: [Value], of list: IncrementalPlaces.List, isShared: Bool
    ) {
        var items = items
        grow(GrownList(record: list.record, key: list.key), to: items)
        // Changes by optimistic layers are not part of the server's list.
        let own = staged.position(of: list.record).flatMap { staged.value($0, list.key) }
        if let current = own ?? base.base(of: list.record).value(list.key), !list.items.hasSameItems(as: current) {
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
