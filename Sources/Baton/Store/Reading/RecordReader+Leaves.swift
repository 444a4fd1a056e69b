// Scalars that a read must check: mapped scalars, whose conversion may fail; lists with non-null items; and data IDs.

extension RecordReader {
    @inline(never)
    mutating func leaf(_ step: UnsafePointer<ResultLayout.Step>, _ value: UnsafePointer<Value>?, _ place: Place) -> Bool
    {
        var result = LeafResult.none
        if let value { result = leaf(value.pointee, plan.types[step.pointee.item], level: 0) }
        switch result {
        case .stored: return true
        case .converted(let value):
            self[place.index &+ step.pointee.word] = Shelf.firstConverted + UInt32(frame.rest.converted.count)
            frame.rest.converted.append(value)
            remaining &-= Self.wordsOfValue
            return true
        case .none:
            self[place.index &+ step.pointee.word] = Shelf.noLeaf
            return !plan.items[step.pointee.item].isRequired
        }
    }

    /// Writes the text of the record's data ID. The result cannot keep only the record's number, which may be given to
    /// another record while the result is held.
    @inline(never)
    mutating func dataID(_ step: UnsafePointer<ResultLayout.Step>, _ place: Place) -> Bool {
        self[place.index &+ step.pointee.word] = Shelf.firstConverted + UInt32(frame.rest.converted.count)
        frame.rest.converted.append(.string(plan.names.dataID(of: place.record).rawValue))
        remaining &-= Self.wordsOfValue
        return true
    }

    private enum LeafResult {
        /// The value in the row is the result.
        case stored
        case converted(Value)
        case none
    }

    private func leaf(_ value: borrowing Value, _ type: BoundType, level: Int) -> LeafResult {
        guard level < type.listDepth else { return scalar(value, type) }
        guard case .list(let items) = copy value else {
            // An empty list of scalars may have been written as a list of links.
            if case .links(let links) = copy value, links.isEmpty { return .converted(.list([])) }
            return .none
        }
        var converted: [Value]?
        for (index, item) in items.enumerated() {
            switch leaf(item, type, level: level + 1) {
            case .stored: converted?.append(item)
            case .converted(let value):
                if converted == nil { converted = Array(items[..<index]) }
                converted?.append(value)
            case .none:
                if type.isNonNull(level + 1) { return .none }
                if converted == nil { converted = Array(items[..<index]) }
                converted?.append(.null)
            }
        }
        return converted.map { .converted(.list($0)) } ?? .stored
    }

    private func scalar(_ value: borrowing Value, _ type: BoundType) -> LeafResult {
        guard case .mapped(let position) = type.leaf else {
            return value.isReadable(as: type) ? .stored : .none
        }
        guard position < plan.scalars.count else { return .none }
        let decoder = plan.scalars[position]
        let json: JSONValue
        switch copy value {
        case .scalar(let scalar):
            guard let made = try? scalar.converted(by: decoder) else { return .none }
            return made === scalar ? .stored : .converted(.scalar(made))
        case .null, .link, .links: return .none
        default: json = value.json { _ in "" }
        }
        guard let made = try? decoder.decode(json) else { return .none }
        return .converted(.scalar(ConvertedScalar(value: made, json: json)))
    }
}
