// The search for places in the data that a response has brought.

extension IncrementalPlaces {
    /// The data and the limit of one walk.
    struct Walk {
        let response: SaidValues
        /// The greatest number of objects to visit. A response cannot have more objects than bytes.
        let limit: Int
    }

    /// Walks over the records that a response, or a part of it, has brought, and notes every place.
    ///
    /// - Parameters:
    ///   - fragment: The fragment with `@defer` that the object is part of; nil outside of such fragments.
    ///   - reaches: The work that must be done again when a later payload writes to the record.
    mutating func notePlaces(
        _ record: RecordID, _ nodes: [Int], at path: [JSONValue.PathComponent], in fragment: LaterFragment?,
        _ walk: Walk,
        _ reaches: [LaterWorks.Reach] = []
    ) throws(RelayError.InvalidResponse) {
        visits += 1
        guard visits <= walk.limit else {
            throw RelayError.InvalidResponse(.unusablePart("the response contradicts itself"))
        }
        let type = walk.response.type(of: record)
        if let fragment { addObject(Object(fragment: fragment, record: record, type: type, nodes: nodes), at: path) }
        for reach in reaches { works.note(reach, at: record) }
        var search = FieldSearch(record: record, type: type, path: path, response: walk.response)
        // Another place of the record may have noted more. What is below concerns that work too, whichever place brings
        // it.
        let below = works.reaches(at: record).compactMap(\.below)
        collect(nodes, nodes, fragment, isWide: !below.isEmpty || works.pages.isNeeded, &search)
        if works.pages.isNeeded {
            for field in search.fields {
                let place = path + [.key(field.responseKey)]
                works.pages.note(field.children, at: place, in: field.fragment)
                works.expect(field.works, of: record, at: place, in: field.fragment)
            }
        }
        for field in search.fields {
            guard let value = walk.response.value(field.key, of: record) else { continue }
            let path = path + [.key(field.responseKey)]
            let own = field.works.map { works.enter($0, of: record, at: path, in: field.fragment) }
            // Without a beginning, the value belongs to another field of the record.
            if let stream = field.stream, let beginning = walk.response.beginning(of: stream, at: record) {
                let list = List(
                    label: stream, record: record, type: type, responseKey: field.responseKey, key: field.key,
                    nodes: field.sources, items: GrowingList(Self.list(beginning, field)), works: own)
                addList(list, at: path)
                if works.pages.isNeeded { works.pages.noteStream(of: record) }
            }
            if !field.children.isEmpty {
                let inner = below + own.compactMap { works.reach($0) }
                try notePlaces(value, field.children, at: path, in: field.fragment, walk, inner)
            }
            for number in own { works.order(number) }
        }
    }

    /// Notes the places in an item of a list, or in a list of lists. The recursion is bounded by the number of lists in
    /// a type.
    mutating func notePlaces(
        _ value: Value, _ nodes: [Int], at path: [JSONValue.PathComponent], in fragment: LaterFragment?, _ walk: Walk,
        _ reaches: [LaterWorks.Reach] = []
    ) throws(RelayError.InvalidResponse) {
        switch value {
        case .link(let record): try notePlaces(record, nodes, at: path, in: fragment, walk, reaches)
        case .links(let records):
            for (index, record) in records.enumerated() where record != .none {
                try notePlaces(record, nodes, at: path + [.index(index)], in: fragment, walk, reaches)
            }
        case .list(let values):
            for (index, value) in values.enumerated() {
                try notePlaces(value, nodes, at: path + [.index(index)], in: fragment, walk, reaches)
            }
        default: break
        }
    }

    /// Returns the beginning of a list. An empty or null beginning gets the kind of the later items.
    private static func list(_ beginning: Value, _ field: FieldSearch.Field) -> Value {
        if beginning.itemCount > 0 { return beginning }
        return field.children.isEmpty || field.isNested ? .list([]) : .links([])
    }

    /// The work that must be done again when a later payload writes to the items of a list.
    func reaches(inItemsOf list: List) -> [LaterWorks.Reach] {
        works.reaches(at: list.record).compactMap(\.below) + list.works.compactMap { works.reach($0) }
    }

    /// The fields of one object that may contain places.
    private struct FieldSearch {
        struct Field {
            let responseKey: String
            let key: StorageKeyID
            let fragment: LaterFragment?
            let sources: [Int]
            /// True for lists of lists.
            let isNested: Bool
            var stream: String?
            var children: [Int]
            var works: [FieldWork]
        }

        let record: RecordID
        let type: TypeID
        let path: [JSONValue.PathComponent]
        let response: SaidValues
        var fields: [Field] = []
        private var positions: [String: Int] = [:]

        init(record: RecordID, type: TypeID, path: [JSONValue.PathComponent], response: SaidValues) {
            self.record = record
            self.type = type
            self.path = path
            self.response = response
        }

        mutating func add(_ field: Field) {
            let name = "\(field.fragment?.label ?? "")\n\(field.responseKey)"
            if let position = positions[name] {
                fields[position].children += field.children
                fields[position].stream = fields[position].stream ?? field.stream
                fields[position].works += field.works
            } else {
                positions[name] = fields.count
                fields.append(field)
            }
        }
    }

    /// Collects the fields of selection sets that may contain places. The recursion is bounded by the depth of the
    /// plan.
    ///
    /// - Parameter isWide: True if every object below is visited, because of work around it.
    private mutating func collect(
        _ nodes: [Int], _ sources: [Int], _ fragment: LaterFragment?, isWide: Bool, _ search: inout FieldSearch
    ) {
        let plan = search.response.plan
        for node in nodes where fragment != nil || isWide || leads[node] {
            var hasGap = false
            for index in plan.items(of: node) {
                let item = plan.items[index]
                switch item.kind {
                case .excluded, .dataID, .spread: break
                case .inline:
                    let child = Int(item.child)
                    let later = plan.marks[index]?.label
                    // For a later part, it is not known yet whether an abstract condition holds.
                    guard later != nil && item.isAbstract || search.response.applies(item, to: search.type) else {
                        break
                    }
                    if let later = later.map({ LaterFragment(label: $0, path: search.path) }) {
                        var object = Object(
                            fragment: later, record: search.record, type: search.type, nodes: [child])
                        if item.isAbstract, let condition = item.condition {
                            object.fact = TypeFact(type: search.type, abstractType: condition)
                        }
                        if works.pages.isNeeded {
                            let isDecided = search.response.applies(item, to: search.type)
                            works.pages.noteCondition(of: later, in: fragment, isOwn: item.isAbstract && !isDecided)
                        }
                        addObject(object, at: search.path)
                        if let fragment { note(later, in: fragment) }
                        collect([child], [child], later, isWide: isWide, &search)
                    } else {
                        collect([child], sources, fragment, isWide: isWide, &search)
                    }
                case .leaf, .composite:
                    guard !item.marks.contains(.client) else { break }
                    let marks = plan.marks[index]
                    if fragment != nil, works.isNeeded, search.response.value(item.key, of: search.record) == nil {
                        hasGap = true
                    }
                    let stream = item.marks.contains(.stream) ? marks?.label : nil
                    let fieldWorks = marks?.works ?? []
                    let hasPlaces = item.child != .max && (fragment != nil || isWide || leads[Int(item.child)])
                    guard stream != nil || !fieldWorks.isEmpty || hasPlaces else { break }
                    search.add(
                        .init(
                            responseKey: plan.responseKeys[index], key: item.key, fragment: fragment, sources: sources,
                            isNested: plan.types[index].listDepth > 1, stream: stream,
                            children: item.child == .max ? [] : [Int(item.child)], works: fieldWorks))
                }
            }
            if let fragment, works.isNeeded { works.see(fragment, node, at: search.record, hasGap: hasGap) }
        }
    }
}

extension BoundMarks {
    /// The work to do when a response brings the field.
    fileprivate var works: [FieldWork] {
        (handle.map { [.copy($0)] } ?? []) + (mutation.map { [.mutation($0)] } ?? [])
    }
}
