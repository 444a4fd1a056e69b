/// The places of the later parts of one answer. Each path and label has a record and selection sets, taken from the
/// answer itself.
///
/// A part's place is not looked up in the store when the part arrives, because another answer or an update may have
/// changed links by then.
struct IncrementalPlaces: Sendable {
    /// A fragment that arrives later, at one object of the answer.
    struct LaterFragment: Hashable, Sendable {
        let label: String
        let path: [PathComponent]
    }

    /// An object of the answer that receives more fields.
    struct Object: Sendable {
        /// The fragment that the fields belong to; it may begin at an object around this one.
        let fragment: LaterFragment
        let record: RecordID
        let type: TypeID
        var nodes: [Int]
        /// The type fact that the arrival of this part proves: a part under an abstract condition arrives only for
        /// objects of that type.
        var fact: TypeFact?
        /// The call of the handler of the field that led to the object; the handler runs again when the object grows.
        var handled: HandledCall?

        func isSame(as other: Object) -> Bool {
            fragment == other.fragment && record == other.record && nodes == other.nodes
        }
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
    /// The paths of the objects in each later fragment.
    private var members: [LaterFragment: [[PathComponent]]] = [:]
    /// The fragments that the server has announced and not completed.
    private var open: Set<LaterFragment> = []
    /// The fragments that have come completely.
    private var completed: Set<LaterFragment> = []
    private(set) var lists: [[PathComponent]: [List]] = [:]
    /// The labels under which the same field of the same record grows.
    private var growing: [RecordID: [StorageKeyID: Set<String>]] = [:]
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

    /// Returns the places at a path: of fragments, and of objects in fragments. The first one is that of the label;
    /// without a label, any will do.
    func objects(at path: [PathComponent], label: String?) -> [Object] {
        guard let all = objects[path],
            let first = all.first(where: { label == nil || $0.fragment.label == label })
        else { return [] }
        return [first] + all.filter { $0.record == first.record && !$0.isSame(as: first) }
    }

    /// Returns the place of a list. Without a label, any list at the path will do.
    func list(at path: [PathComponent], label: String?) -> List? {
        lists[path]?.first { label == nil || $0.label == label }
    }

    private mutating func addObject(_ object: Object, at path: [PathComponent]) {
        if objects[path]?.contains(where: { $0.isSame(as: object) }) == true { return }
        objects[path, default: []].append(object)
        members[object.fragment, default: []].append(path)
    }

    /// Adds a list. A known list stays as it is, unless it has come again with another beginning.
    private mutating func addList(_ list: List, at path: [PathComponent]) {
        guard let index = lists[path]?.firstIndex(where: { $0.label == list.label }) else {
            lists[path, default: []].append(list)
            growing[list.record, default: [:]][list.key, default: []].insert(list.label)
            return
        }
        let isKnown = lists[path]?[index].items.starts(with: list.items, by: { $0.isIdentical(to: $1) })
        if isKnown != true { lists[path]?[index] = list }
    }

    /// Returns true if the same field of the same record also grows in places with another label.
    func isShared(_ list: List) -> Bool { (growing[list.record]?[list.key]?.count ?? 0) > 1 }

    mutating func setItems(_ items: [Value], at path: [PathComponent], label: String) {
        guard let index = lists[path]?.firstIndex(where: { $0.label == label }) else { return }
        lists[path]?[index].items = items
    }

    // MARK: - The end of fragments

    /// Notes that the server has announced a fragment.
    mutating func noteAnnouncement(of fragment: LaterFragment) { open.insert(fragment) }

    /// Notes a part that failed. Nothing is known of the objects in it.
    mutating func noteFailure(at path: [PathComponent]) { failed.append(path) }

    /// Notes that a fragment has come completely. Returns the objects of which all selected fields have come.
    ///
    /// A server that announces fragments sends a field that two of them select once, with either. The older form has
    /// all fields of a fragment in its part.
    mutating func noteEnd(of fragment: LaterFragment, isAnnounced: Bool) -> [Object] {
        completed.insert(fragment)
        guard isAnnounced else {
            return members[fragment]?.flatMap { objects[$0] ?? [] }.filter { $0.fragment == fragment } ?? []
        }
        open.remove(fragment)
        return members[fragment]?.flatMap { path -> [Object] in
            let all = objects[path] ?? []
            return all.contains { open.contains($0.fragment) } ? [] : all.filter { completed.contains($0.fragment) }
        } ?? []
    }

    /// The objects of which all fields have come that ever will, once the answer has ended.
    var endedObjects: some Sequence<Object> {
        objects.lazy.filter { path, _ in !failed.contains { path.starts(with: $0) } }.flatMap(\.value)
    }

    // MARK: - Finding places

    /// Walks over the records that an answer, or a part of it, has brought, and notes every place.
    ///
    /// - Parameters:
    ///   - fragment: The later fragment that the object is part of; nil outside of such fragments.
    ///   - limit: The greatest number of objects to visit. An answer cannot have more objects than bytes.
    mutating func notePlaces(
        _ record: RecordID, _ nodes: [Int], at path: [PathComponent], in fragment: LaterFragment?,
        of answer: SaidValues,
        limit: Int, handled: HandledCall? = nil
    ) throws(ResponseError) {
        visits += 1
        guard visits <= limit else { throw ResponseError(.unusablePart("the answer contradicts itself")) }
        let type = answer.type(of: record)
        if let fragment { addObject(Object(fragment: fragment, record: record, type: type, nodes: nodes), at: path) }
        var fields: [Field] = []
        var positions: [String: Int] = [:]
        collect(nodes, nodes, fragment, record, type, path, answer, handled, &fields, &positions)
        for field in fields {
            guard let value = answer.value(field.key, of: record) else { continue }
            let path = path + [.key(field.responseKey)]
            // Without a beginning, the value is that of another field of the record.
            if let stream = field.stream, let beginning = answer.beginning(of: stream, at: record) {
                let list = List(
                    label: stream, record: record, type: type, responseKey: field.responseKey, key: field.key,
                    nodes: field.sources, items: beginning.items ?? [],
                    handled: (handled.map { [$0] } ?? []) + field.mutations.map { .init(record: record, work: $0) })
                addList(list, at: path)
            }
            if field.children.isEmpty { continue }
            let call = field.handle.map { HandledCall(record: record, work: .copy($0)) }
            try notePlaces(value, field.children, at: path, in: field.fragment, of: answer, limit: limit, handled: call)
        }
    }

    /// Notes the places in an item of a list, or in a list of lists. The recursion is bounded by the number of lists in
    /// a type.
    mutating func notePlaces(
        _ value: Value, _ nodes: [Int], at path: [PathComponent], in fragment: LaterFragment?, of answer: SaidValues,
        limit: Int,
        handled: HandledCall? = nil
    ) throws(ResponseError) {
        switch value {
        case .link(let record):
            try notePlaces(record, nodes, at: path, in: fragment, of: answer, limit: limit, handled: handled)
        case .links(let records):
            for (index, record) in records.enumerated() where record != .none {
                try notePlaces(record, nodes, at: path + [.index(index)], in: fragment, of: answer, limit: limit)
            }
        case .list(let values):
            for (index, value) in values.enumerated() {
                try notePlaces(value, nodes, at: path + [.index(index)], in: fragment, of: answer, limit: limit)
            }
        default: break
        }
    }

    private struct Field {
        let responseKey: String
        let key: StorageKeyID
        let fragment: LaterFragment?
        let sources: [Int]
        var stream: String?
        var children: [Int]
        let handle: BoundMarks.Handle?
        var mutations: [FieldWork] = []
    }

    /// Collects the fields of selection sets that may contain places. The recursion is bounded by the depth of the
    /// plan.
    private mutating func collect(
        _ nodes: [Int], _ sources: [Int], _ fragment: LaterFragment?, _ record: RecordID, _ type: TypeID,
        _ path: [PathComponent], _ answer: SaidValues, _ handled: HandledCall?, _ fields: inout [Field],
        _ positions: inout [String: Int]
    ) {
        let plan = answer.plan
        for node in nodes where fragment != nil || leads[node] {
            for index in plan.items(of: node) {
                let item = plan.items[index]
                switch item.kind {
                case .excluded, .dataID, .spread: break
                case .inline:
                    let child = Int(item.child)
                    let later = plan.marks[index]?.label
                    // It is not known yet whether the abstract condition of a later part holds.
                    guard later != nil && item.isAbstract || answer.applies(item, to: type) else { break }
                    if let later = later.map({ LaterFragment(label: $0, path: path) }) {
                        var object = Object(fragment: later, record: record, type: type, nodes: [child])
                        if item.isAbstract, let condition = item.condition {
                            object.fact = TypeFact(type: type, abstractType: condition)
                        }
                        object.handled = handled
                        addObject(object, at: path)
                        collect([child], [child], later, record, type, path, answer, handled, &fields, &positions)
                    } else {
                        collect([child], sources, fragment, record, type, path, answer, handled, &fields, &positions)
                    }
                case .leaf, .composite:
                    let stream = item.marks.contains(.stream) ? plan.marks[index]?.label : nil
                    let isNeeded = stream != nil || item.child != .max && (fragment != nil || leads[Int(item.child)])
                    guard isNeeded, !item.marks.contains(.client) else { break }
                    let children = item.child == .max ? [] : [Int(item.child)]
                    let mutations: [FieldWork] = plan.marks[index]?.mutation.map { [.mutation($0)] } ?? []
                    let name = "\(fragment?.label ?? "")\n\(plan.responseKeys[index])"
                    if let position = positions[name] {
                        fields[position].children += children
                        fields[position].stream = fields[position].stream ?? stream
                        fields[position].mutations += mutations
                    } else {
                        positions[name] = fields.count
                        fields.append(
                            Field(
                                responseKey: plan.responseKeys[index], key: item.key, fragment: fragment,
                                sources: sources,
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

    /// The beginning of a list whose items arrive later; nil if this payload has not brought it.
    func beginning(of label: String, at record: RecordID) -> Value? {
        normalizer.streamed[.init(label: label, record: record)]
    }

    func type(of record: RecordID) -> TypeID { normalizer.answeredType(of: record) }
    func applies(_ item: BoundPlan.Item, to type: TypeID) -> Bool { normalizer.applies(item, to: type) }
}

extension Value {
    /// The items of a list, links included; nil for other values.
    var items: [Value]? {
        switch self {
        case .links(let records): records.map { $0 == .none ? .null : .link($0) }
        case .list(let values): values
        default: nil
        }
    }
}
