import Baton

/// The result of a read of the model, with the visited records and fields.
struct ModelSnapshot {
    /// The data; nil if a non-null value is missing up to the root.
    var json: JSONValue?
    var isMissingData = false
    /// Records that were visited.
    var records: Set<String> = []
    /// Fields that were read, by record.
    var fields: Set<FieldOf> = []
    /// All fields of the visited selection sets, also those after a field that ended the read.
    var selected: Set<FieldOf> = []
    var facts: Set<ModelState.Fact> = []
    var usesFacts = false

    struct FieldOf: Hashable {
        let record: String
        let key: String
    }

    /// Whether the changes concern data that were read, so that the reader must be notified.
    func mustHear(of changes: ModelChanges) -> Bool {
        fields.contains { changes.concerns($0.record, $0.key) } || records.contains { changes.whole.contains($0) }
            || facts.contains { changes.facts.contains($0) }
    }

    /// Whether the changes concern a field of a visited selection set, a rewritten record or a fact, so that the reader
    /// may be notified.
    func mayHear(of changes: ModelChanges, replaced: Set<String>) -> Bool {
        selected.contains { changes.concerns($0.record, $0.key) }
            || records.contains { changes.whole.contains($0) || replaced.contains($0) }
            || usesFacts && !changes.facts.isEmpty
    }
}

/// Reads a plan from the model. The reader first looks for every field of a record, and then at the non-null scalars,
/// apart from lists of non-null items. After that it reads the plan in order, and stops at a missing non-null value.
struct ModelReader {
    let state: ModelState
    let call: ModelCall
    private(set) var snapshot = ModelSnapshot()
    /// Whether the current value is missing because of a deleted record.
    private var isFalling = false

    private init(state: ModelState, call: ModelCall) {
        self.state = state
        self.call = call
    }

    static func read(_ state: ModelState, _ call: ModelCall, at root: String) -> ModelSnapshot {
        var reader = ModelReader(state: state, call: call)
        reader.snapshot.json = reader.object(root, call.items)
        return reader.snapshot
    }

    private mutating func object(_ id: String, _ items: [SelectionPlan.Item]) -> JSONValue? {
        snapshot.records.insert(id)
        for item in items where call.holds(item.condition) {
            if case .field(let field) = item.kind {
                snapshot.selected.insert(.init(record: id, key: call.storageKey(field)))
            }
        }
        guard let record = state.records[id] else {
            if state.presence(id) == .unknown { snapshot.isMissingData = true }
            isFalling = state.presence(id) == .deleted
            return nil
        }
        if !hasScalars(record, id, items) { return nil }
        var members: [JSONValue.Member] = [.init("__typename", .string(record.type))]
        for item in items {
            let isIncluded = call.holds(item.condition)
            switch item.kind {
            case .field(let field):
                let value = isIncluded ? self.field(field, record, id) : nil
                if value == nil, item.condition == nil, case .nonNull = field.type { return nil }
                isFalling = false
                members.append(.init(field.responseKey, value ?? .null))
            case .inline(let condition, let items):
                let isMatch = isIncluded && (condition.map { matches(record.type, $0) } ?? true)
                members.append(.init("... on \(condition?.type ?? "")", isMatch ? object(id, items) ?? .null : .null))
                isFalling = false
            case .spread: break
            }
        }
        return .object(members)
    }

    /// Notes the missing fields of a record. Returns false if a non-null scalar has no value.
    private mutating func hasScalars(_ record: ModelRecord, _ id: String, _ items: [SelectionPlan.Item]) -> Bool {
        var hasScalars = true
        for item in items where call.holds(item.condition) {
            guard case .field(let field) = item.kind else { continue }
            let key = call.storageKey(field)
            snapshot.fields.insert(.init(record: id, key: key))
            guard let value = record.fields[key] else {
                snapshot.isMissingData = true
                if isSimple(field), item.condition == nil, case .nonNull = field.type { hasScalars = false }
                continue
            }
            guard isSimple(field), item.condition == nil, case .nonNull(let type) = field.type else { continue }
            if json(value, type, field) == nil { hasScalars = false }
        }
        return hasScalars
    }

    /// Returns true for a scalar whose value can be judged without its items.
    private func isSimple(_ field: SelectionPlan.Field) -> Bool {
        if field.type.named.isComposite { return false }
        if case .mappedScalar = field.type.named { return false }
        var type = field.type.withoutNonNull
        while case .list(let item) = type {
            if case .nonNull = item { return false }
            type = item
        }
        return true
    }

    private mutating func matches(_ type: String, _ condition: SelectionPlan.TypeCondition) -> Bool {
        guard condition.isAbstract else { return type == condition.type }
        let fact = ModelState.Fact(type: type, abstractType: condition.type)
        snapshot.usesFacts = true
        snapshot.facts.insert(fact)
        if let holds = state.facts[fact] { return holds }
        snapshot.isMissingData = true
        return false
    }

    private mutating func field(_ field: SelectionPlan.Field, _ record: ModelRecord, _ id: String) -> JSONValue? {
        let key = call.storageKey(field)
        snapshot.fields.insert(.init(record: id, key: key))
        guard let value = record.fields[key] else {
            snapshot.isMissingData = true
            return nil
        }
        return json(value, field.type.withoutNonNull, field)
    }

    private mutating func json(
        _ value: ModelValue, _ type: SelectionPlan.FieldType, _ field: SelectionPlan.Field
    ) -> JSONValue? {
        switch (value, type) {
        case (_, .nonNull(let inner)): return json(value, inner, field)
        case (.scalar(.null), _): return nil
        case (.scalar(let scalar), _): return scalar
        case (.link(let target), _): return object(target, field.selections)
        case (.links(let targets), .list(let inner)):
            return list(targets, inner) { reader, target in target.flatMap { reader.object($0, field.selections) } }
        case (.list(let values), .list(let inner)):
            return list(values, inner) { reader, value in reader.json(value, inner, field) }
        default: return nil
        }
    }

    /// Reads a list. A non-null item without a value makes the list null. If the item is missing because of a deleted
    /// record, the list leaves it out instead.
    private mutating func list<Item>(
        _ values: [Item], _ type: SelectionPlan.FieldType, _ read: (inout Self, Item) -> JSONValue?
    ) -> JSONValue? {
        var items: [JSONValue] = []
        for value in values {
            let item = read(&self, value)
            let hasFallen = isFalling
            isFalling = false
            if item == nil, case .nonNull = type {
                if hasFallen { continue }
                return nil
            }
            items.append(item ?? .null)
        }
        return .array(items)
    }
}

/// Walks an operation over the model and finds the first field that is missing, and the newest invalidation.
struct ModelCheck {
    let state: ModelState
    let call: ModelCall
    private(set) var missing: [JSONValue.PathComponent]?
    private(set) var lastInvalidation = 0
    private var path: [JSONValue.PathComponent] = []

    init(_ state: ModelState, _ call: ModelCall, at root: String) {
        self.state = state
        self.call = call
        check(root, call.items)
        if state.presence(root) == .unknown { note() }
    }

    private mutating func note() {
        if missing == nil { missing = path }
    }

    private mutating func check(_ id: String, _ items: [SelectionPlan.Item]) {
        if state.presence(id) == .deleted { return }
        let record = state.records[id]
        noteInvalidation(of: id, record, items)
        for item in items where call.holds(item.condition) {
            if missing != nil { return }
            switch item.kind {
            case .field(let field):
                path.append(.key(field.responseKey))
                if let value = record?.fields[call.storageKey(field)] {
                    if field.type.named.isComposite { follow(value, field) }
                } else {
                    note()
                }
                path.removeLast()
            case .inline(let condition, let items):
                guard let condition else {
                    check(id, items)
                    break
                }
                if !condition.isAbstract {
                    if record?.type == condition.type { check(id, items) }
                } else if let record {
                    switch state.facts[.init(type: record.type, abstractType: condition.type)] {
                    case true?: check(id, items)
                    case false?: break
                    case nil: note()
                    }
                }
            case .spread: break
            }
        }
    }

    /// Notes invalidations. The record's own invalidation counts whenever the record is read. The invalidation of the
    /// whole store counts if more than the record's ID is read.
    private mutating func noteInvalidation(of id: String, _ record: ModelRecord?, _ items: [SelectionPlan.Item]) {
        lastInvalidation = max(lastInvalidation, state.invalidatedRecords[id] ?? 0)
        if let record {
            for (type, time) in state.invalidatedTypes
            where type == record.type || state.facts[.init(type: record.type, abstractType: type)] == true {
                lastInvalidation = max(lastInvalidation, time)
            }
        }
        let readsMore = items.contains { item in
            guard case .field(let field) = item.kind, call.holds(item.condition) else { return false }
            return call.storageKey(field) != "id"
        }
        if readsMore { lastInvalidation = max(lastInvalidation, state.invalidated) }
    }

    private mutating func follow(_ value: ModelValue, _ field: SelectionPlan.Field) {
        switch value {
        case .link(let target): arrive(target, field)
        case .links(let targets):
            for (index, target) in targets.enumerated() {
                guard missing == nil, let target else { continue }
                path.append(.index(index))
                arrive(target, field)
                path.removeLast()
            }
        case .list(let values):
            for (index, value) in values.enumerated() where missing == nil {
                path.append(.index(index))
                follow(value, field)
                path.removeLast()
            }
        case .scalar: break
        }
    }

    private mutating func arrive(_ target: String, _ field: SelectionPlan.Field) {
        if state.presence(target) == .unknown { note() }
        check(target, field.selections)
    }
}
