import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Traversal {
    /// A subscription selects one field at its root, which is no meta field, and no condition may take it away; all of
    /// it through fragments. What several subscriptions get wrong in one fragment is said once.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Single-Root-Field
    func checkSubscriptionRoots() {
        // Without the type it was said that there are no subscriptions.
        guard let root = schema.subscriptionType else { return }
        var reported: Set<Span> = []
        for operation in program.operations where operation.definition.kind == .subscription {
            if !operation.definition.isBroken { checkRoot(of: operation, on: root, &reported) }
        }
    }

    private func checkRoot(of operation: OperationFacts, on root: SchemaType, _ reported: inout Set<Span>) {
        var fields: [Field] = []
        var conditions: [Directive] = []
        for selection in rootSelections(of: operation, on: root) {
            conditions += selection.directives.filter { $0.name.text == "skip" || $0.name.text == "include" }.prefix(1)
            // What an unknown field was meant to be cannot be told.
            if case .field(let field) = selection, schema.field(named: field.name.text, on: root) != nil {
                fields.append(field)
            }
        }
        for directive in conditions where reported.insert(directive.name.span).inserted {
            report(
                .subscriptionRoot,
                "directive '@\(directive.name.text)' cannot stand at the root of a subscription",
                at: directive.name.span
            )
        }
        // What a condition might leave cannot be told.
        if !conditions.isEmpty { return }

        fields.sort { $0.span < $1.span }
        for field in fields where field.name.text.hasPrefix("__") && reported.insert(field.name.span).inserted {
            report(
                .subscriptionRoot,
                "a subscription cannot select '\(field.name.text)' at its root",
                at: field.name.span
            )
        }
        fields.removeAll { $0.name.text.hasPrefix("__") }
        guard let first = fields.first else { return }
        var keys: Set<String> = [first.responseKey.text]
        let others = fields.filter { keys.insert($0.responseKey.text).inserted }
        guard let second = others.first, reported.insert(second.responseKey.span).inserted else { return }
        report(
            .subscriptionRoot,
            "a subscription selects one field at its root, '\(second.responseKey.text)' is one too many",
            at: second.responseKey.span,
            notes: [.init("the first is here", at: first.responseKey.span)]
                + others.dropFirst().prefix(5).map {
                    .init("'\($0.responseKey.text)' here is too many, too", at: $0.responseKey.span)
                }
        )
    }

    /// The selections at the root, those of fragments that apply to it included.
    private func rootSelections(of operation: OperationFacts, on root: SchemaType) -> [Selection] {
        var selections: [Selection] = []
        var visited: Set<Int> = []
        var pending = [(operation.definition.selectionSet, document: operation.document)]
        while let (selectionSet, document) = pending.popLast() {
            for selection in selectionSet.selections {
                selections.append(selection)
                switch selection {
                case .field: break
                case .inlineFragment(let fragment):
                    let type = fragment.typeCondition.flatMap { schema.type(named: $0.text) }
                    if type.map({ schema.overlap($0, root) }) ?? true {
                        pending.append((fragment.selectionSet, document))
                    }
                case .fragmentSpread(let spread):
                    guard let index = program.fragment(named: spread.name.text, spreadIn: document),
                        visited.insert(index).inserted,
                        program.fragments[index].type.map({ schema.overlap($0, root) }) ?? true
                    else { continue }
                    let fragment = program.fragments[index]
                    pending.append((fragment.definition.selectionSet, fragment.document))
                }
            }
        }
        return selections
    }
}
