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

/// The text of a request as selections: an operation and the fragments that are not inlined.
package struct OperationText: Sendable {
    package let operation: Operation
    /// The used variables in declaration order.
    package let variables: [OperationVariable]
    package let selections: SelectionPlan
    /// The fragments in the order in which they are first reached.
    package let fragments: [FragmentText]
}

/// A fragment in the text of every operation that does not inline it.
package final class FragmentText: Sendable {
    package let fragment: Fragment
    package let selections: SelectionPlan
    /// The variables that the fragment itself uses.
    package let variables: Set<String>
    /// The fragments that the fragment itself spreads, in order.
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

    /// The fragments that a set spreads, at any depth, in order.
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
