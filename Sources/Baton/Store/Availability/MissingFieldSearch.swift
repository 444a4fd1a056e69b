/// Asks the handlers for one missing field, and accepts only values that fit the field.
struct MissingFieldSearch {
    let records: Records
    let plan: BoundPlan

    /// Returns the value that a handler found for an item of the plan; nil if none did.
    func value(of index: Int, in record: RecordID, _ handlers: [MissingFieldHandler]) -> Value? {
        let names = plan.names
        guard let (name, arguments) = StorageKey(names.name(of: plan.items[index].key)).parts else { return nil }
        let type = plan.types[index]
        let field = MissingFieldHandler.Field(
            name: name, arguments: arguments, type: type.text,
            parent: StoreRecords.Record(known: record, records, names))
        for handler in handlers {
            if let value = value(handler.body, field, type) { return value }
        }
        return nil
    }

    /// Returns the records that handlers name for an item of the plan, whether the version has them or not.
    func candidates(of index: Int, in record: RecordID, _ handlers: [MissingFieldHandler]) -> [DataID] {
        let names = plan.names
        guard let (name, arguments) = StorageKey(names.name(of: plan.items[index].key)).parts else { return [] }
        let field = MissingFieldHandler.Field(
            name: name, arguments: arguments, type: plan.types[index].text,
            parent: StoreRecords.Record(known: record, records, names))
        return handlers.flatMap { handler -> [DataID] in
            switch handler.body {
            case .linked(let handle):
                if case .value(let id) = handle(field) { return [id] }
            case .plural(let handle):
                if case .value(let ids) = handle(field) { return ids.compactMap(\.self) }
            case .scalar: break
            }
            return []
        }
    }

    private func value(_ body: MissingFieldHandler.Body, _ field: MissingFieldHandler.Field, _ type: BoundType)
        -> Value?
    {
        switch (body, type.leaf, type.listDepth) {
        case (.linked(let handle), .object(let composite), 0):
            return fit(handle(field), type) { target($0, composite).map(Value.link) }
        case (.plural(let handle), .object(let composite), 1):
            return fit(handle(field), type) { ids in
                let targets = ids.map { id in id.map { target($0, composite) } ?? RecordID.none }
                let links = targets.compactMap { $0 }
                let hasNull = links.contains(.none) && type.isNonNull(1)
                return links.count == targets.count && !hasNull ? .links(links) : nil
            }
        case (.scalar(_), .object(_), _): return nil
        case (.scalar(let handle), _, _): return fit(handle(field), type) { scalar($0, type, level: 0) }
        default: return nil
        }
    }

    private func fit<Found>(
        _ response: MissingFieldHandler.Finding<Found>, _ type: BoundType, _ convert: (Found) -> Value?
    ) -> Value? {
        switch response {
        case .unknown: nil
        case .null: type.isNonNull(0) ? nil : .null
        case .value(let found): convert(found)
        }
    }

    /// Returns the record of an ID, if the record is known and its type fits the field.
    private func target(_ id: DataID, _ composite: BoundType.Composite) -> RecordID? {
        guard let record = plan.names.record(id, adding: false) else { return nil }
        switch records.state(of: record) {
        case .unknown: return nil
        case .deleted: return record
        case .existing: break
        }
        let type = records.type(of: record)
        guard composite.isAbstract else { return type == composite.type ? record : nil }
        if records.fact(type, is: composite.type) == false { return nil }
        // All object types of the interface implement `Node`, so a type that does not implement it is not among them.
        if composite.implementsNode, plan.names.isKnownToImplementNode(type) == false { return nil }
        return record
    }

    /// Converts a scalar or a list of scalars, if it fits the type.
    private func scalar(_ json: JSONValue, _ type: BoundType, level: Int) -> Value? {
        if json == .null { return type.isNonNull(level) ? nil : .null }
        guard level == type.listDepth else {
            guard case .array(let items) = json else { return nil }
            var values: [Value] = []
            for item in items {
                guard let value = scalar(item, type, level: level + 1) else { return nil }
                values.append(value)
            }
            return .list(values)
        }
        switch (type.leaf, json) {
        case (.int, .int(let number)): return .int(number)
        case (.float, .double(let number)): return .double(number)
        case (.float, .int(let number)): return .double(Double(number))
        case (.boolean, .bool(let holds)): return .bool(holds)
        case (.text, .string(let text)), (.id, .string(let text)): return .string(text)
        case (.id, .int(let number)): return .string(String(number))
        case (.unmapped, _): return .string(json.text)
        // The scalar is converted when it is read, like a scalar that an update writes.
        case (.mapped, _): return json.isDeeper(than: JSONValue.maximumDepth) ? nil : .json(json)
        default: return nil
        }
    }
}

extension Value {
    /// Converts a JSON value as updates do: an object is kept as its text.
    fileprivate static func json(_ json: JSONValue) -> Value {
        switch json {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        case .array(let values): .list(values.map(Value.json))
        case .object: .string(json.text)
        }
    }
}

extension StorageKey {
    /// The field's name and its arguments; nil if the text is no key that a plan makes.
    var parts: (name: String, arguments: [String: JSONValue])? {
        guard let start = rawValue.utf8.firstIndex(of: UInt8(ascii: "(")) else { return (rawValue, [:]) }
        var arguments: [String: JSONValue] = [:]
        let inner = Array(rawValue.utf8[rawValue.utf8.index(after: start)...])
        do throws(JSONFailure) {
            try JSONCursor.read(inner) { (cursor) throws(JSONFailure) in
                repeat {
                    let first = cursor.position
                    while cursor.next != UInt8(ascii: ":"), !cursor.isAtEnd { cursor.position += 1 }
                    let name = cursor.text(first..<cursor.position)
                    try cursor.expectColon()
                    arguments[name] = try cursor.value(depth: 0)
                } while try cursor.continues(until: UInt8(ascii: ")"))
                try cursor.expectEnd()
            }
        } catch { return nil }
        return (String(rawValue[..<start]), arguments)
    }
}
