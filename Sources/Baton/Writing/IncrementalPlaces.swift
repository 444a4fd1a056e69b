/// The places of the later parts of one answer. Each path and label has a record and selection sets, taken from the
/// answer itself.
///
/// A part's place is not looked up in the store when the part arrives, because another answer or an update may have
/// changed links by then.
struct IncrementalPlaces: Sendable {
    /// An object of the answer that receives more fields.
    struct Object: Sendable {
        let label: String
        let record: RecordID
        let type: TypeID
        var nodes: [Int]
        /// The type fact that the arrival of this part proves: a part under an abstract condition arrives only for
        /// objects of that type.
        var fact: TypeFact?
        /// The call of the handler of the field that led to the object; the handler runs again when the object grows.
        var handled: HandledCall?
    }

    /// A list of the answer that receives more items.
    struct List: Sendable {
        let label: String
        let record: RecordID
        let type: TypeID
        let responseKey: String
        let key: StorageKeyID
        /// The selection sets of the object that has the list.
        let nodes: [Int]
        /// The items so far: links or values.
        var items: [Value]
        /// The work for the field that led to the object, and for the list itself. It is done again when the list
        /// grows.
        let handled: [HandledCall]
    }

    private(set) var objects: [[PathComponent]: [Object]] = [:]
    private(set) var lists: [[PathComponent]: [List]] = [:]
    /// The paths of the parts that failed.
    private var failed: [[PathComponent]] = []
    /// The labels of all later parts in the plan.
    let labels: Set<String>
    /// For each selection set, true if there are later parts in it or below it.
    private let leads: [Bool]
    private var visits = 0

    init(_ plan: BoundPlan) {
        var labels: Set<String> = []
        var leads = Array(repeating: false, count: plan.nodes.count)
        // Inner selection sets have greater numbers than the sets around them, so they are visited first.
        for node in plan.nodes.indices.reversed() {
            for index in plan.items(of: node) {
                let item = plan.items[index]
                if let label = plan.marks[index]?.label {
                    labels.insert(label)
                    leads[node] = true
                }
                if item.child != .max, leads[Int(item.child)] { leads[node] = true }
            }
        }
        self.labels = labels
        self.leads = leads
    }

    /// Returns the place of a fragment, or of an object in a fragment. Without a label, any place at the path will do.
    func object(at path: [PathComponent], label: String?) -> Object? {
        let found = objects[path]?.filter { label == nil || $0.label == label } ?? []
        guard var place = found.first else { return nil }
        for other in found.dropFirst() where other.record == place.record { place.nodes += other.nodes }
        return place
    }

    /// Returns the place of a list. Without a label, any list at the path will do.
    func list(at path: [PathComponent], label: String?) -> List? {
        lists[path]?.first { label == nil || $0.label == label }
    }

    private mutating func addObject(_ object: Object, at path: [PathComponent]) {
        let isKnown = objects[path]?.contains {
            $0.label == object.label && $0.record == object.record && $0.nodes == object.nodes
        }
        if isKnown != true { objects[path, default: []].append(object) }
    }

    private mutating func addList(_ list: List, at path: [PathComponent]) {
        if let index = lists[path]?.firstIndex(where: { $0.label == list.label }) {
            lists[path]?[index] = list
        } else {
            lists[path, default: []].append(list)
        }
    }

    mutating func setItems(_ items: [Value], at path: [PathComponent], label: String) {
        guard let index = lists[path]?.firstIndex(where: { $0.label == label }) else { return }
        lists[path]?[index].items = items
    }

    /// Notes a part that failed. Nothing is known of the objects in it.
    mutating func noteFailure(at path: [PathComponent]) { failed.append(path) }

    /// The objects of which every part has come that ever will, once the answer has ended.
    var endedObjects: some Sequence<Object> {
        objects.lazy.filter { path, _ in !failed.contains { path.starts(with: $0) } }.flatMap(\.value)
    }

    // MARK: - Finding places

    /// Walks over the records that an answer, or a part of it, has brought, and notes every place.
    ///
    /// - Parameters:
    ///   - label: The label of the later fragment that the object is part of; nil outside of such fragments.
    ///   - limit: The greatest number of objects to visit. An answer cannot have more objects than bytes.
    mutating func notePlaces(
        _ record: RecordID, _ nodes: [Int], at path: [PathComponent], in label: String?, of answer: SaidValues,
        limit: Int, handled: HandledCall? = nil
    ) throws(ResponseError) {
        visits += 1
        guard visits <= limit else { throw ResponseError(.unusablePart("the answer contradicts itself")) }
        let type = answer.type(of: record)
        if let label { addObject(Object(label: label, record: record, type: type, nodes: nodes), at: path) }
        var fields: [Field] = []
        var positions: [String: Int] = [:]
        collect(nodes, nodes, label, record, type, path, answer, handled, &fields, &positions)
        for field in fields {
            guard let value = answer.value(field.key, of: record) else { continue }
            let path = path + [.key(field.responseKey)]
            if let stream = field.stream {
                var items: [Value] = []
                if case .links(let records) = value { items = records.map { $0 == .none ? .null : .link($0) } }
                if case .list(let values) = value { items = values }
                let list = List(
                    label: stream, record: record, type: type, responseKey: field.responseKey, key: field.key,
                    nodes: field.sources, items: items,
                    handled: (handled.map { [$0] } ?? []) + field.mutations.map { .init(record: record, work: $0) })
                addList(list, at: path)
            }
            if field.children.isEmpty { continue }
            let call = field.handle.map { HandledCall(record: record, work: .copy($0)) }
            try notePlaces(value, field.children, at: path, in: field.label, of: answer, limit: limit, handled: call)
        }
    }

    /// Notes the places in an item of a list, or in a list of lists. The recursion is bounded by the number of lists in
    /// a type.
    mutating func notePlaces(
        _ value: Value, _ nodes: [Int], at path: [PathComponent], in label: String?, of answer: SaidValues, limit: Int,
        handled: HandledCall? = nil
    ) throws(ResponseError) {
        switch value {
        case .link(let record):
            try notePlaces(record, nodes, at: path, in: label, of: answer, limit: limit, handled: handled)
        case .links(let records):
            for (index, record) in records.enumerated() where record != .none {
                try notePlaces(record, nodes, at: path + [.index(index)], in: label, of: answer, limit: limit)
            }
        case .list(let values):
            for (index, value) in values.enumerated() {
                try notePlaces(value, nodes, at: path + [.index(index)], in: label, of: answer, limit: limit)
            }
        default: break
        }
    }

    private struct Field {
        let responseKey: String
        let key: StorageKeyID
        let label: String?
        let sources: [Int]
        var stream: String?
        var children: [Int]
        let handle: BoundMarks.Handle?
        var mutations: [FieldWork] = []
    }

    /// Collects the fields of selection sets that may contain places. The recursion is bounded by the depth of the
    /// plan.
    private mutating func collect(
        _ nodes: [Int], _ sources: [Int], _ label: String?, _ record: RecordID, _ type: TypeID,
        _ path: [PathComponent], _ answer: SaidValues, _ handled: HandledCall?, _ fields: inout [Field],
        _ positions: inout [String: Int]
    ) {
        let plan = answer.plan
        for node in nodes where label != nil || leads[node] {
            for index in plan.items(of: node) {
                let item = plan.items[index]
                switch item.kind {
                case .excluded, .dataID, .spread: break
                case .inline:
                    let child = Int(item.child)
                    let later = plan.marks[index]?.label
                    // It is not known yet whether the abstract condition of a later part holds.
                    guard later != nil && item.isAbstract || answer.applies(item, to: type) else { break }
                    if let later {
                        var object = Object(label: later, record: record, type: type, nodes: [child])
                        if item.isAbstract, let condition = item.condition {
                            object.fact = TypeFact(type: type, abstractType: condition)
                        }
                        object.handled = handled
                        addObject(object, at: path)
                        collect([child], [child], later, record, type, path, answer, handled, &fields, &positions)
                    } else {
                        collect([child], sources, label, record, type, path, answer, handled, &fields, &positions)
                    }
                case .leaf, .composite:
                    let stream = item.marks.contains(.stream) ? plan.marks[index]?.label : nil
                    let isNeeded = stream != nil || item.child != .max && (label != nil || leads[Int(item.child)])
                    guard isNeeded, !item.marks.contains(.client) else { break }
                    let children = item.child == .max ? [] : [Int(item.child)]
                    let mutations: [FieldWork] = plan.marks[index]?.mutation.map { [.mutation($0)] } ?? []
                    let name = "\(label ?? "")\n\(plan.responseKeys[index])"
                    if let position = positions[name] {
                        fields[position].children += children
                        fields[position].stream = fields[position].stream ?? stream
                        fields[position].mutations += mutations
                    } else {
                        positions[name] = fields.count
                        fields.append(
                            Field(
                                responseKey: plan.responseKeys[index], key: item.key, label: label, sources: sources,
                                stream: stream, children: children, handle: plan.marks[index]?.handle,
                                mutations: mutations))
                    }
                }
            }
        }
    }
}

/// The values that an answer has brought or confirmed, without values that the store has from other answers.
struct SaidValues {
    let normalizer: Normalizer
    let confirmed: Set<RecordID>
    var plan: BoundPlan { normalizer.plan }

    func value(_ key: StorageKeyID, of record: RecordID) -> Value? {
        if let position = normalizer.staged.position(of: record),
            let value = normalizer.staged.value(position, key)
        {
            return value
        }
        return confirmed.contains(record) ? normalizer.base.value(key, of: record) : nil
    }

    func type(of record: RecordID) -> TypeID { normalizer.answeredType(of: record) }
    func applies(_ item: BoundPlan.Item, to type: TypeID) -> Bool { normalizer.applies(item, to: type) }
}
