import BatonDiagnostics
import BatonSyntax

extension Traversal {
    /// A subscription selects one field at its root, counted through fragments, and no condition may take it away.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Single-Root-Field
    func checkSubscriptionRoots() {
        for operation in program.operations where operation.definition.kind == .subscription {
            if !operation.definition.isBroken { checkRoot(of: operation.definition) }
        }
    }

    private func checkRoot(of operation: OperationDefinition) {
        var keys: [String: Field] = [:]
        var order: [Field] = []
        var visited: Set<Int> = []
        var pending = [operation.selectionSet]
        while let selectionSet = pending.popLast() {
            for selection in selectionSet.selections {
                if let condition = selection.directives.first(where: { ["skip", "include"].contains($0.name.text) }) {
                    report(
                        .subscriptionRoot,
                        "directive '@\(condition.name.text)' cannot stand at the root of a subscription",
                        at: condition.name.span
                    )
                }
                switch selection {
                case .field(let field):
                    let key = field.responseKey.text
                    if keys.updateValue(field, forKey: key) == nil { order.append(field) }
                case .inlineFragment(let fragment): pending.append(fragment.selectionSet)
                case .fragmentSpread(let spread):
                    if let index = program.fragmentIndex[spread.name.text], visited.insert(index).inserted {
                        pending.append(program.fragments[index].definition.selectionSet)
                    }
                }
            }
        }
        order.sort { $0.span < $1.span }
        if let first = order.first, order.count > 1 {
            for field in order.dropFirst() {
                report(
                    .subscriptionRoot,
                    "a subscription selects one field at its root, '\(field.responseKey.text)' is one too many",
                    at: field.responseKey.span,
                    notes: [.init("the first is here", at: first.responseKey.span)]
                )
            }
        } else if let field = order.first, field.name.text.hasPrefix("__") {
            report(
                .subscriptionRoot,
                "a subscription cannot select '\(field.name.text)' at its root",
                at: field.name.span
            )
        }
    }
}
