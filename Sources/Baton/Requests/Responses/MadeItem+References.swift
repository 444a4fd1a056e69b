// The references of results that are made by hand. The fields of a fragment's data are written into a store of their
// own, from which a component reads them like other data.

extension GeneratedCode.MadeItem {
    /// Makes the reference of a spread that always applies. Without data, the reference points at a record without
    /// fields.
    public static func fragment<Fragment: GraphQLFragment>(_: Fragment.Type, _ data: Fragment.Data?) -> Self {
        .init(.reference(MadeRecords.reference(Fragment.artifact, data?.__row)))
    }

    /// Makes the reference of a spread that may not apply. The spread applies if there is data.
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
            // The data was read from a store, which still has it as long as its environment lives.
            let shelf = row.shelf
            let use = shelf.plan.arguments.map { OperationUse(shelf.use.operation, passing: $0) } ?? shelf.use
            let collection = use.operation.source?.records.slot(of: row.record).collection ?? 0
            return .init(target: .init(use: use, record: row.record, collection: collection))
        }
        let store = Store()
        var choices = MadeChoices()
        if let row, case .success(let plan) = fragment.reader.plan {
            choices.choose(row, plan.items, in: MadeChoices.Scope(declared: plan.variables))
        }
        let artifact = GeneratedCode.OperationArtifact(
            name: fragment.name, kind: .query, text: "", normalization: "{}", reader: "{}")
        // The operation stays retained, so that the records exist as long as a reference to them.
        let operation = store.bind(artifact, variables: .object(choices.sentVariables), retaining: true)
        let arguments = choices.passedArguments
        let hold = NumberHold(store.names)
        defer { withExtendedLifetime(hold) {} }
        let plan = operation.plans.plan(of: fragment, passing: arguments)
        let record = row.map { Self.record(of: $0, plan, 0, store.names) } ?? store.names.newLocalRecord()
        let target = GeneratedCode.FragmentTarget(
            use: OperationUse(operation, passing: arguments), record: record,
            collection: store.records.slot(of: record).collection)
        guard let row else { return .init(target: target) }
        var writer = MadeRecords(names: store.names, plans: operation.plans)
        writer.write(
            row, plan, 0, record, store.names.type(row.typename))
        store.land(Publication(writer.staged, generation: store.version.generation))
        return .init(target: target, made: (fragment, row))
    }

    private init(names: NameTable, plans: BoundPlans) {
        self.names = names
        self.plans = plans
    }

    // MARK: - Writing

    private mutating func write(
        _ row: GeneratedCode.Row, _ plan: BoundPlan, _ node: Int, _ record: RecordID, _ type: TypeID
    ) {
        for (field, index) in plan.items(of: node).enumerated() where field < row.itemCount {
            let item = plan.items[index]
            let shown = row.shown(at: field)
            switch item.kind {
            case .excluded, .dataID: break
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
                    // Data that was read from a store shows no fragments when it is used inside data that was made by
                    // hand.
                    if let made = row.reference(field).made {
                        let inner = plans.plan(of: made.fragment, passing: plan.passed[index])
                        write(made.data, inner, 0, record, type)
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

    /// Returns the record with the data ID that an object was made with, or a new record.
    private static func record(
        of row: GeneratedCode.Row, _ plan: BoundPlan, _ node: Int, _ names: NameTable
    ) -> RecordID {
        for (field, index) in plan.items(of: node).enumerated()
        where field < row.itemCount && plan.items[index].kind == .dataID {
            if case .leaf(.string(let id)) = row.shown(at: field), let record = names.record(DataID(id), adding: true) {
                return record
            }
        }
        return names.newLocalRecord()
    }

    private mutating func link(_ row: GeneratedCode.Row, _ plan: BoundPlan, _ node: Int) -> RecordID {
        let record = Self.record(of: row, plan, node, names)
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
