// The references of results that are made by hand. The fields of a fragment's data go into a store of their own, from
// which a component reads them like any others.

extension GeneratedCode.MadeItem {
    /// The reference of a spread that always applies. Without data, it points at a record without fields.
    public static func fragment<Fragment: GraphQLFragment>(_: Fragment.Type, _ data: Fragment.Data?) -> Self {
        .init(.reference(MadeRecords.reference(Fragment.artifact, data?.__row)))
    }

    /// The reference of a spread that may not apply; it applies if there is data.
    public static func optionalFragment<Fragment: GraphQLFragment>(
        _ type: Fragment.Type, _ data: Fragment.Data?
    ) -> Self { data == nil ? .init(.nothing) : fragment(type, data) }
}

/// Writes data that was made by hand into records, under the keys that a fragment reads. The recursion is bounded by
/// the depth of the plans and by the nesting of the data.
private struct MadeRecords {
    private let names: NameTable
    private let plans: BoundPlans
    private var staged = StagedRecords()

    static func reference(
        _ fragment: GeneratedCode.FragmentArtifact, _ row: GeneratedCode.Row?
    ) -> GeneratedCode.MadeReference {
        if let row, !MadePlan.made(row) {
            // The data was read from a store, which has it still.
            let collection = row.shelf.use.source.records.slot(of: row.record).collection
            return .init(target: .init(use: row.shelf.use, record: row.record, collection: collection))
        }
        let store = Store()
        var choices: [String: JSONValue] = [:]
        if let row, case .success(let plan) = fragment.reader.plan { choose(row, plan.items, &choices) }
        let artifact = GeneratedCode.OperationArtifact(
            name: fragment.name, kind: .query, text: "", normalization: "{}", reader: "{}")
        let variables = choices.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value) }
        let operation = store.bind(artifact, variables: .object(variables))
        // The operation stays retained, so that the records are there as long as a reference to them.
        store.operations.retain(operation)
        let hold = NumberHold(store.names)
        defer { withExtendedLifetime(hold) {} }
        let record = store.names.newLocalRecord()
        let target = GeneratedCode.FragmentTarget(
            use: OperationUse(operation), record: record, collection: store.records.slot(of: record).collection)
        guard let row else { return .init(target: target) }
        var writer = MadeRecords(names: store.names, plans: operation.plans)
        writer.write(row, fragment, record)
        store.queue.publish(Publication(writer.staged, generation: store.version.generation)) { _ in }
        return .init(target: target, made: (fragment, row))
    }

    private init(names: NameTable, plans: BoundPlans) {
        self.names = names
        self.plans = plans
    }

    /// Chooses variables with which the fields that are given are selected.
    private static func choose(
        _ row: GeneratedCode.Row, _ items: [SelectionPlan.Item], _ choices: inout [String: JSONValue]
    ) {
        for (field, item) in items.enumerated() where field < row.itemCount {
            let shown = row.shown(at: field)
            if case .nothing = shown { continue }
            for literal in item.condition?.alternatives.first ?? [] {
                choices[literal.variable] = .bool(!literal.isNegated)
            }
            switch (item.kind, shown) {
            case (.field(let field), .object(let row)): choose(row, field.selections, &choices)
            case (.field(let field), .objects(let list)): choose(list, field.selections, &choices)
            case (.inline(_, let items), .object(let row)): choose(row, items, &choices)
            case (.spread, .reference):
                if let made = row.reference(field).made, case .success(let plan) = made.fragment.reader.plan {
                    choose(made.data, plan.items, &choices)
                }
            default: break
            }
        }
    }

    private static func choose(
        _ list: GeneratedCode.RowList, _ items: [SelectionPlan.Item], _ choices: inout [String: JSONValue]
    ) {
        for element in list.shownElements {
            switch element {
            case .null: break
            case .object(let row): choose(row, items, &choices)
            case .list(let list): choose(list, items, &choices)
            }
        }
    }

    // MARK: - Writing

    private mutating func write(
        _ row: GeneratedCode.Row, _ fragment: GeneratedCode.FragmentArtifact, _ record: RecordID
    ) {
        write(row, plans.plan(of: fragment), 0, record, names.type(row.typename))
    }

    private mutating func write(
        _ row: GeneratedCode.Row, _ plan: BoundPlan, _ node: Int, _ record: RecordID, _ type: TypeID
    ) {
        for (field, index) in plan.items(of: node).enumerated() where field < row.itemCount {
            let item = plan.items[index]
            let shown = row.shown(at: field)
            switch item.kind {
            case .excluded: break
            case .leaf, .composite:
                let value = value(shown, plan, Int(item.child))
                staged.set(staged.positionAdding(record, type), item.key, value, names)
            case .inline, .spread:
                var applies = false
                if case .object(let inner) = shown {
                    applies = true
                    write(inner, plan, Int(item.child), record, type)
                }
                if case .reference = shown {
                    applies = true
                    // What was read from a store and stands in data that was made by hand shows no fragment here.
                    if let made = row.reference(field).made {
                        write(made.data, plans.plan(of: made.fragment), 0, record, type)
                    }
                }
                if item.isAbstract, let condition = item.condition {
                    let fact = TypeFact(type: type, abstractType: condition)
                    staged.facts[fact] = applies || staged.facts[fact] == true
                }
            }
        }
    }

    private mutating func value(_ shown: GeneratedCode.Row.Shown, _ plan: BoundPlan, _ child: Int) -> Value {
        switch shown {
        case .leaf(let value): return value
        case .object(let row): return .link(link(row, plan, child))
        case .objects(let list): return self.list(list, plan, child)
        case .nothing, .reference, .caught: return .null
        }
    }

    private mutating func link(_ row: GeneratedCode.Row, _ plan: BoundPlan, _ node: Int) -> RecordID {
        let record = names.newLocalRecord()
        let type = names.type(row.typename)
        _ = staged.positionAdding(record, type)
        write(row, plan, node, record, type)
        return record
    }

    private mutating func list(_ list: GeneratedCode.RowList, _ plan: BoundPlan, _ child: Int) -> Value {
        if list.depth > 1 {
            var values: [Value] = []
            for element in list.shownElements {
                if case .list(let inner) = element {
                    values.append(self.list(inner, plan, child))
                } else {
                    values.append(.null)
                }
            }
            return .list(values)
        }
        var links: [RecordID] = []
        for element in list.shownElements {
            if case .object(let row) = element { links.append(link(row, plan, child)) } else { links.append(.none) }
        }
        return .links(links)
    }
}
