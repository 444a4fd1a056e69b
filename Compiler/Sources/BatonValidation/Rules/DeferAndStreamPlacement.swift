import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let deferAndStreamPlacement = ValidationRule(
        .incrementalDelivery, "DeferAndStreamPlacement",
        .followed { $0.checkDeferAndStreamPlacement() })
}

extension Traversal {
    /// Checks that root fields of mutations and subscriptions have no `@defer` or `@stream`. At other places in a
    /// subscription, the two directives need an argument that can switch them off. Violations in subscriptions are
    /// warnings, because Relay and servers accept them.
    ///
    /// Specification: https://github.com/graphql/graphql-spec/pull/1110
    func checkDeferAndStreamPlacement() {
        if !definitions.hasIncrementalDelivery { return }
        var reported: Set<Span> = []
        for operation in definitions.operations where operation.definition.kind != .query {
            checkRootIsComplete(of: operation, &reported)
            if operation.definition.kind == .subscription { checkIsUnconditional(operation, &reported) }
        }
    }

    private func checkRootIsComplete(of operation: OperationFacts, _ reported: inout Set<Span>) {
        walk(operation) { selection in
            if let directive = selection.directives.first(where: Self.isIncremental),
                reported.insert(directive.name.span).inserted
            {
                let isSubscription = operation.definition.kind == .subscription
                report(
                    .misplacedDirective,
                    severity: isSubscription ? .warning : .error,
                    isSubscription
                        ? "the specification forbids directive '@\(directive.name.text)' at the root of a subscription"
                        : "directive '@\(directive.name.text)' cannot stand at the root of a mutation",
                    at: directive.name.span
                )
            }
            // The rule concerns root fields only.
            if case .field = selection { return false }
            return true
        }
    }

    private func checkIsUnconditional(_ operation: OperationFacts, _ reported: inout Set<Span>) {
        walk(operation) { selection in
            if selection.directives.contains(where: mayRemove) { return false }
            for directive in selection.directives where Self.isIncremental(directive) && !mayBeOff(directive) {
                guard reported.insert(directive.name.span).inserted else { continue }
                report(
                    .misplacedDirective,
                    severity: .warning,
                    "the specification forbids directive '@\(directive.name.text)' in a subscription",
                    at: directive.name.span,
                    suggestion: "switch it off there by '@\(directive.name.text)(if: false)', or by a variable"
                )
            }
            return true
        }
    }

    /// Visits the selections of an operation, each fragment once. `body` returns whether to visit the selections below.
    private func walk(_ operation: OperationFacts, _ body: (Selection) -> Bool) {
        var visited: Set<Int> = []
        var pending = [(operation.definition.selectionSet, document: operation.document)]
        while let (selectionSet, document) = pending.popLast() {
            guard mayFollow(operation.definition, steps: 1 + selectionSet.selections.count) else { return }
            for selection in selectionSet.selections where body(selection) {
                switch selection {
                case .field(let field): if let below = field.selectionSet { pending.append((below, document)) }
                case .inlineFragment(let fragment): pending.append((fragment.selectionSet, document))
                case .fragmentSpread(let spread):
                    guard let index = definitions.fragment(named: spread.name.text, spreadIn: document),
                        visited.insert(index).inserted
                    else { continue }
                    let fragment = definitions.fragments[index]
                    pending.append((fragment.definition.selectionSet, fragment.document))
                }
            }
        }
    }

    /// Whether a directive may remove its selection: `@skip`, `@include`, or an unknown directive that may be a
    /// misspelled one of these.
    private func mayRemove(_ directive: Directive) -> Bool {
        guard schema.directive(named: directive.name.text) != nil else { return true }
        switch (directive.name.text, directive.argument("if")) {
        case ("skip", .boolean(let value)): return value.isTrue
        case ("include", .boolean(let value)): return !value.isTrue
        case ("skip", _), ("include", _): return true
        default: return false
        }
    }

    /// Whether `if`, or an unknown argument that may be a misspelled `if`, can switch `@defer` or `@stream` off.
    private func mayBeOff(_ directive: Directive) -> Bool {
        switch directive.argument("if") {
        case .boolean(let value): return !value.isTrue
        case .some: return true
        case nil:
            let definition = schema.directive(named: directive.name.text)
            return directive.arguments.contains { definition?.argument(named: $0.name.text) == nil }
        }
    }
}
