// Finds the fields that the errors of a response belong to.

extension Normalizer {
    /// Keeps each error at the field that is null because of the error: the first field on its path without a value.
    ///
    /// - Parameters:
    ///   - record: The object at which the paths begin.
    ///   - nodes: The selection sets of that object.
    ///   - prefix: The number of path components that lead to that object.
    mutating func place(_ errors: [GraphQLError], at record: RecordID, _ nodes: [Int] = [0], after prefix: Int = 0) {
        for error in errors {
            guard let path = error.path, path.count > prefix,
                let place = missing(path[prefix...], from: record, nodes)
            else { continue }
            staged.fieldErrors.add(error, place.record, place.field.key)
            // A read of the handler's copy must find the error, because the copy is null too.
            if let handle = place.field.handle { staged.fieldErrors.add(error, place.record, handle) }
        }
    }

    /// Returns the first field on a path that has no value in this response. Returns nil if every field has a value or
    /// the path does not exist.
    private func missing(
        _ path: ArraySlice<JSONValue.PathComponent>, from record: RecordID, _ nodes: [Int]
    ) -> (record: RecordID, field: FoundPlace)? {
        var (record, nodes, rest) = (record, nodes, path)
        while case .key(let name)? = rest.popFirst() {
            guard let field = field(name, in: nodes, of: record) else { return nil }
            guard var value = received(field.key, of: record) else { return (record, field) }
            if case .null = value { return (record, field) }
            while case .index(let index)? = rest.first {
                rest.removeFirst()
                guard let item = value.item(at: index) else { return nil }
                if case .null = item { return (record, field) }
                value = item
            }
            guard case .link(let next) = value else { return nil }
            (record, nodes) = (next, field.children)
        }
        return nil
    }

    /// A field of the plan in an object of the response.
    private struct FoundPlace {
        let key: StorageKeyID
        /// The key of the copy that a handler keeps.
        var handle: StorageKeyID?
        /// The selection sets of the field.
        var children: [Int] = []
    }

    /// Returns the field with a response key in the selection sets that apply to a record.
    private func field(_ name: String, in nodes: [Int], of record: RecordID) -> FoundPlace? {
        var found: FoundPlace?
        for index in items(of: nodes, applyingTo: record) where plan.responseKeys[index] == name {
            let item = plan.items[index]
            guard item.kind == .leaf || item.kind == .composite, !item.marks.contains(.client) else { continue }
            var place = found ?? FoundPlace(key: item.key)
            if item.kind == .composite { place.children.append(Int(item.child)) }
            place.handle = place.handle ?? plan.marks[index]?.handle?.storageKey
            found = place
        }
        return found
    }

    /// Returns the items of selection sets, together with the items of inline fragments whose condition holds.
    private func items(of nodes: [Int], applyingTo record: RecordID) -> [Int] {
        let type = saidType(of: record)
        var found: [Int] = []
        var open = Array(nodes.reversed())
        while let node = open.popLast() {
            for index in plan.items(of: node) {
                let item = plan.items[index]
                guard item.kind != .excluded else { continue }
                if item.kind == .inline {
                    guard applies(item, to: type) else { continue }
                    open.append(Int(item.child))
                }
                found.append(index)
            }
        }
        return found
    }

    func applies(_ item: BoundPlan.Item, to type: TypeID) -> Bool {
        guard let condition = item.condition else { return true }
        guard item.isAbstract else { return condition == type }
        return fact(TypeFact(type: type, abstractType: condition)) ?? false
    }

    /// Returns the value that a field will have once this response is written.
    func received(_ key: StorageKeyID, of record: RecordID) -> Value? {
        if let position = staged.position(of: record), let value = staged.value(position, key) { return value }
        return base.value(key, of: record)
    }

    func saidType(of record: RecordID) -> TypeID {
        staged.position(of: record).flatMap { staged.entries[$0].type } ?? base.type(of: record)
    }
}
