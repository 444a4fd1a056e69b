import BatonIR
import BatonSchema
import BatonSyntax

/// An operation after all transforms.
package struct CompiledOperation: Sendable {
    package let operation: Operation
    package let reader: SelectionPlan
    package let normalization: SelectionPlan
    package let text: OperationText
}

/// A fragment after all transforms.
package struct CompiledFragment: Sendable {
    package let fragment: Fragment
    package let reader: SelectionPlan
}

/// What is sent: an operation and the fragments that stay apart.
package struct OperationText: Sendable {
    package let operation: Operation
    /// The variables that are used, in declaration order.
    package let variables: [OperationVariable]
    package let selections: SelectionPlan
    /// In the order in which they are first reached.
    package let fragments: [FragmentText]
}

/// A fragment as it stands in the text of every operation that does not inline it.
package final class FragmentText: Sendable {
    package let fragment: Fragment
    package let selections: SelectionPlan
    /// Variables used in the fragment itself.
    package let variables: Set<String>
    /// Fragments spread in the fragment itself, in order.
    package let spreads: [String]

    package init(fragment: Fragment, selections: SelectionPlan, schema: Schema) {
        self.fragment = fragment
        self.selections = selections
        var variables = CollectVariables(schema: schema)
        variables.visit(fragment.directives)
        variables.visit(selections)
        self.variables = variables.names
        spreads = Self.spreads(in: selections)
    }

    /// The fragments spread in a set, at any depth, in order.
    package static func spreads(in plan: SelectionPlan) -> [String] {
        plan.items.flatMap { item in
            switch item {
            case .field(let field): field.selections.map { spreads(in: $0) } ?? []
            case .inline(let inline): spreads(in: inline.selections)
            case .spread(let spread): [spread.fragment]
            }
        }
    }
}
