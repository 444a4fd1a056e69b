extension GeneratedCode {
    /// A record in an update. Its fields are read and written by their position in a reader plan, with the arguments of
    /// the plan.
    ///
    /// An assignment fails if the record was deleted, if the update has ended, or if a condition of the plan excludes
    /// the field. The update notes the failure and throws when its body returns, so that none of its changes lands.
    public struct WritablePlace {
        let record: RecordProxy
        let plan: BoundPlan
        let node: Int
    }
}

extension GeneratedCode.WritablePlace {
    private var source: RecordSourceProxy { record.source }

    private func item(_ field: Int) -> (index: Int, item: BoundPlan.Item)? {
        guard field >= 0, field < plan.nodes[node].count else { return nil }
        let index = plan.nodes[node].first + field
        return (index, plan.items[index])
    }

    private func field(_ position: Int) -> RecordField? {
        guard let (_, item) = item(position), item.kind == .leaf || item.kind == .composite else { return nil }
        return RecordField(record: record, key: item.key)
    }

    private func assign(
        _ position: Int, isNull: Bool = false, _ body: (RecordField) throws(UpdateError) -> Void
    ) {
        guard let field = field(position), let (index, _) = item(position) else {
            return source.refuse(.unusableField(record.dataID, position: position))
        }
        if isNull, plan.types[index].isNonNull(0) {
            return source.refuse(.nonNullField(record.dataID, name: field.name))
        }
        do throws(UpdateError) { try body(field) } catch { source.refuse(error) }
    }

    /// The identity of the record.
    public var dataID: DataID { record.dataID }

    /// The name of the record's object type; empty if the record is deleted.
    public var typename: String { record.typename?.rawValue ?? "" }

    // MARK: - Scalars

    /// A scalar, an enum value or a list of them, as JSON.
    public func json(_ field: Int) -> JSONValue? { self.field(field)?.value }

    /// A `String`, an `ID` or a scalar without a mapping.
    public func string(_ field: Int) -> String? {
        if case .string(let text) = json(field) { return text }
        return nil
    }

    /// An `Int`.
    public func int(_ field: Int) -> Int? {
        if case .int(let number) = json(field) { return number }
        return nil
    }

    /// A `Float`.
    public func double(_ field: Int) -> Double? {
        switch json(field) {
        case .double(let number): number
        case .int(let number): Double(number)
        default: nil
        }
    }

    /// A `Boolean`.
    public func bool(_ field: Int) -> Bool? {
        if case .bool(let holds) = json(field) { return holds }
        return nil
    }

    /// An enum value.
    public func enumeration<Value: GraphQLEnum>(_ field: Int, _: Value.Type) -> Value? {
        string(field).map { Value(rawValue: $0) }
    }

    /// A mapped scalar.
    public func scalar<Conversion: ScalarConversion>(_ field: Int, _: Conversion.Type) -> Conversion.Value? {
        guard let stored = self.field(field)?.stored else { return nil }
        if case .scalar(let scalar) = stored { return scalar.value(by: Conversion.self) }
        guard let json = json(field), json != .null else { return nil }
        return try? Conversion.decode(json)
    }

    /// Assigns a value of a type that variables can have: a scalar, an enum value, a list of them, or null.
    public func set(_ field: Int, _ value: (some GeneratedCode.Input)?) {
        let json = value?.jsonValue ?? .null
        assign(field, isNull: json == .null) { (field) throws(UpdateError) in try field.setValue(json) }
    }

    /// Assigns a mapped scalar, or null.
    public func set<Conversion: ScalarConversion>(_ field: Int, _ value: Conversion.Value?, _: Conversion.Type) {
        assign(field, isNull: value == nil) { (field) throws(UpdateError) in
            try field.write(Self.stored(value, Conversion.self))
        }
    }

    /// Assigns a list of mapped scalars, or null.
    public func set<Conversion: ScalarConversion>(_ field: Int, _ values: [Conversion.Value?]?, _: Conversion.Type) {
        assign(field, isNull: values == nil) { (field) throws(UpdateError) in
            var items: [Value] = []
            for value in values ?? [] { items.append(try Self.stored(value, Conversion.self)) }
            try field.write(values == nil ? .null : .list(items))
        }
    }

    private static func stored<Conversion: ScalarConversion>(
        _ value: Conversion.Value?, _: Conversion.Type
    ) throws(UpdateError) -> Value {
        guard let value else { return .null }
        let json = Conversion.encode(value)
        if json.isDeeper(than: RecordField.maximumDepth) { throw .tooDeep(limit: RecordField.maximumDepth) }
        return .scalar(ConvertedScalar(value: value, json: json))
    }

    /// The items of a list of scalars or enum values; nil if there is no list.
    func items(_ field: Int) -> GeneratedCode.WritableItem? {
        guard let stored = self.field(field)?.stored, !stored.holdsLinks else { return nil }
        return GeneratedCode.WritableItem(value: stored)
    }

    // MARK: - Objects

    /// Returns an object; nil if the link is null, missing or leads to a deleted record.
    public func object<Value: GeneratedCode.WritableSelections>(_ field: Int, _: Value.Type) -> Value? {
        guard let (_, item) = item(field), let target = self.field(field)?.linkedRecord else { return nil }
        return Value(.init(record: target, plan: plan, node: Int(item.child)))
    }

    /// Returns a list of objects, with nil for null links and deleted records; nil if the list is null or missing.
    public func objects<Value: GeneratedCode.WritableSelections>(_ field: Int, _: Value.Type) -> [Value?]? {
        guard let (_, item) = item(field), let targets = self.field(field)?.linkedRecords else { return nil }
        return targets.map { $0.map { Value(.init(record: $0, plan: plan, node: Int(item.child))) } }
    }

    /// Links the field to a proxy's record, or sets it to null.
    public func set(_ field: Int, link target: RecordProxy?) {
        assign(field) { (field) throws(UpdateError) in try field.setLinkedRecord(target) }
    }

    /// Links the field to the records of proxies, or sets it to null.
    public func set(_ field: Int, links targets: [RecordProxy?]?) {
        assign(field) { (field) throws(UpdateError) in try field.setLinkedRecords(targets) }
    }

    /// Links the field to the record of a reference, or sets it to null. The reference must come from the same store.
    public func set<Fragment: GraphQLFragment>(_ field: Int, link target: FragmentReference<Fragment>?) {
        assign(field) { (field) throws(UpdateError) in
            try field.setLinkedRecord(target.map { (target) throws(UpdateError) in try source.own(target) })
        }
    }

    /// Links the field to the records of references, or sets it to null. The references must come from the same store.
    public func set<Fragment: GraphQLFragment>(_ field: Int, links targets: [FragmentReference<Fragment>?]?) {
        assign(field) { (field) throws(UpdateError) in
            guard let targets else { return try field.setLinkedRecords(nil) }
            var records: [RecordProxy?] = []
            for target in targets {
                records.append(try target.map { (target) throws(UpdateError) in try source.own(target) })
            }
            try field.setLinkedRecords(records)
        }
    }

    /// Sets a link to null.
    public func removeLink(_ field: Int) {
        assign(field, isNull: true) { (field) throws(UpdateError) in try field.setLinkedRecord(nil) }
    }

    /// Makes a list of links empty.
    public func removeLinks(_ field: Int) {
        assign(field) { (field) throws(UpdateError) in try field.setLinkedRecords([]) }
    }

    /// Returns the fields under a type condition; nil if the record is of another type.
    public func inlineFragment<Value: GeneratedCode.WritableSelections>(_ field: Int, _: Value.Type) -> Value? {
        guard let (_, item) = item(field), item.kind == .inline, source.isMatch(record.record, item, plan) else {
            return nil
        }
        return Value(.init(record: record, plan: plan, node: Int(item.child)))
    }
}
