import BatonSchema

/// Finds the types of client schema extensions that a plan may meet.
///
/// Answers show by `__isX` which types of the server belong to its interfaces and unions. No answer shows that for the
/// client's types, so that the plan states it. For each object type that the plan may meet, the plan lists the abstract
/// types of its conditions to which the object type belongs.
package struct ClientTypes: Sendable {
    package enum Fact: Sendable {
        /// An object type of the server, and the abstract types of the client to which it belongs.
        case server(String, [String])
        /// An object type of the client, and all abstract types to which it belongs.
        case object(String, [String])
        /// An abstract type of the client.
        case abstract(String)
    }

    private let schema: Schema
    private let isEmpty: Bool

    init(_ schema: Schema) {
        self.schema = schema
        isEmpty = !schema.types.contains { $0.isComposite && $0.isClientOnly }
    }

    /// The facts for a plan: abstract types, then objects, each sorted by name.
    func met(in plan: SelectionPlan) -> [Fact] {
        if isEmpty { return [] }
        var met = Met()
        visit(plan, into: &met)
        if met.conditions.isEmpty { return [] }
        let conditions = met.conditions.map { schema[$0] }.sorted { $0.name < $1.name }
        var facts = conditions.filter(\.isClientOnly).map { Fact.abstract($0.name) }
        for type in met.objects.map({ schema[$0] }).sorted(by: { $0.name < $1.name }) {
            let own = conditions.filter { schema.isPossible(type, for: $0) }
            if type.isClientOnly {
                facts.append(.object(type.name, own.map(\.name)))
            } else if own.contains(where: \.isClientOnly) {
                facts.append(.server(type.name, own.filter(\.isClientOnly).map(\.name)))
            }
        }
        return facts
    }

    private struct Met {
        var conditions: Set<TypeID> = []
        var objects: Set<TypeID> = []
    }

    /// The depth limit of `Flatten` bounds the recursion.
    private func visit(_ plan: SelectionPlan, into met: inout Met) {
        met.objects.formUnion(schema.possibleTypes(of: plan.type).map(\.id))
        for item in plan.items {
            switch item {
            case .field(let field): if let inner = field.selections { visit(inner, into: &met) }
            case .inline(let inline):
                if inline.type.isAbstract { met.conditions.insert(inline.type.id) }
                visit(inline.selections, into: &met)
            case .spread(let spread):
                if let type = spread.typeCondition, type.isAbstract { met.conditions.insert(type.id) }
            }
        }
    }
}
