/// The selections of results that are made by hand: the selections of a reader plan, with every item selected.
///
/// A result that is made by hand has no variables. Its fields are therefore kept under their response keys, which are
/// unique in a selection set.
final class MadePlan: Sendable {
    let plan: BoundPlan
    let use: OperationUse
    /// The type of the root objects; the type of the root fields if nil.
    private let typeCondition: String?

    /// The empty store of results that are made by hand.
    private final class NoRecords: RecordSource {
        let names: NameTable
        let records = Records()

        init(_ names: NameTable) { self.names = names }
    }

    private init(
        _ reader: DecodedPlan, _ name: String, _ scalars: [GeneratedCode.ScalarDecoder], typeCondition: String?
    ) {
        let names = NameTable()
        let selected = reader.plan.map { plan in
            SelectionPlan(variables: [], marks: plan.marks, items: Self.selected(plan.items))
        }
        plan = BoundPlan.bind(
            selected, VariableValues(sent: .null, declared: []), scalars, names, role: .made, component: name)
        if let failure = plan.failure { preconditionFailure("\(name): \(failure)") }
        let artifact = GeneratedCode.OperationArtifact(
            name: name, kind: .query, text: "", normalization: "{}", reader: "{}")
        let key = OperationKey(artifact: ObjectIdentifier(artifact), variables: .null, call: 0)
        use = OperationUse(
            BoundOperation(
                artifact: artifact, variables: .object([]), root: .root, key: key, home: RecordHome(),
                kept: NoRecords(names), plans: BoundPlans(artifact, variables: .object([]), names)))
        self.typeCondition = typeCondition
    }

    static func of(_ artifact: GeneratedCode.OperationArtifact) -> MadePlan {
        artifact.reader.derived { MadePlan(artifact.reader, artifact.name, artifact.scalars, typeCondition: nil) }
    }

    static func of(_ artifact: GeneratedCode.FragmentArtifact) -> MadePlan {
        artifact.reader.derived {
            MadePlan(artifact.reader, artifact.name, artifact.scalars, typeCondition: artifact.typeCondition)
        }
    }

    /// True for a row that was made by hand.
    static func made(_ row: GeneratedCode.Row) -> Bool { row.shelf.use.operation.kept is NoRecords }

    /// Returns the items without conditions and handlers. The recursion is bounded by the depth that the decoder of
    /// plans allows.
    private static func selected(_ items: [SelectionPlan.Item]) -> [SelectionPlan.Item] {
        items.map { item in
            var marks = item.marks
            marks.handle = nil
            let kind: SelectionPlan.Item.Kind
            switch item.kind {
            case .field(let field):
                kind = .field(
                    SelectionPlan.Field(
                        responseKey: field.responseKey, name: field.responseKey, arguments: [], type: field.type,
                        selections: selected(field.selections)))
            case .inline(let condition, let items): kind = .inline(condition, selected(items))
            case .spread(let name, _, let condition):
                // A spread under a condition needs a word for whether it applies.
                let always = SelectionPlan.TypeCondition(type: "", isAbstract: true)
                kind = .spread(
                    name: name, arguments: [], condition ?? (item.condition == nil ? nil : always))
            }
            return SelectionPlan.Item(condition: nil, kind: kind, marks: marks)
        }
    }

    /// Returns the selection set at a path of positions, and the name of the type that selects it; nil for the root
    /// fields of an operation.
    func place(_ path: [Int]) -> (node: Int, type: String?) {
        var (node, type) = (0, typeCondition)
        for position in path {
            precondition(position < plan.nodes[node].count, "the generated code is not that of the plan")
            let index = plan.nodes[node].first + position
            let item = plan.items[index]
            precondition(item.child != .max, "the generated code is not that of the plan")
            if case .object(let composite) = plan.types[index].leaf {
                type = composite.name
            } else if let condition = item.condition {
                type = plan.names.name(of: condition)
            }
            node = Int(item.child)
        }
        return (node, type)
    }
}
