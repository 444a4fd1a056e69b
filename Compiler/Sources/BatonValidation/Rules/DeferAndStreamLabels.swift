import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// A label that a definition gives to a part that a server sends later.
struct LabelUse {
    let text: String
    /// The string of the argument.
    let span: Span
}

extension Traversal {
    /// Notes the label of `@defer` or `@stream`, which is a string and no variable.
    ///
    /// Specification: https://github.com/graphql/graphql-spec/pull/1110
    func noteLabel(_ directive: Directive, _ definition: SchemaDirective) {
        guard Self.isIncremental(directive) else { return }
        program.hasIncrementalDelivery = true
        guard definition.argument(named: "label") != nil, let value = directive.argument("label") else { return }
        switch value {
        case .string(let string): facts.labels.append(LabelUse(text: string.text, span: string.span))
        case .variable(let variable):
            report(
                .invalidValue,
                "the label of '@\(directive.name.text)' is a string, it cannot be the variable '$\(variable.name)'",
                at: variable.span
            )
        default: break
        }
    }

    /// Whether a directive delivers something later.
    static func isIncremental(_ directive: Directive) -> Bool {
        directive.name.text == "defer" || directive.name.text == "stream"
    }

    /// No label stands twice in one document, nor in definitions of several documents that one operation brings
    /// together, since answers name their part by it.
    func checkLabelUniqueness() {
        var reported: Set<Span> = []
        var ofDocument: [[String: Span]] = []
        for (document, label) in labelsByDocument() {
            while ofDocument.count <= document { ofDocument.append([:]) }
            checkLabel(label, &ofDocument[document], &reported)
        }
        if ofDocument.count < 2 { return }
        for operation in program.operations {
            var seen: [String: Span] = [:]
            var visited: Set<Int> = []
            for label in operation.facts.labels { checkLabel(label, &seen, &reported) }
            var pending = operation.facts.spreads.map(\.fragment)
            while let fragment = pending.popLast() {
                guard visited.insert(fragment).inserted else { continue }
                let facts = program.fragments[fragment].facts
                for label in facts.labels { checkLabel(label, &seen, &reported) }
                pending += facts.spreads.map(\.fragment)
            }
        }
    }

    /// All labels in the order of the source, each with the number of its document.
    private func labelsByDocument() -> [(document: Int, label: LabelUse)] {
        let operations = program.operations.flatMap { operation in
            operation.facts.labels.map { (document: operation.document, label: $0) }
        }
        let fragments = program.fragments.flatMap { fragment in
            fragment.facts.labels.map { (document: fragment.document, label: $0) }
        }
        return (operations + fragments).sorted { $0.label.span < $1.label.span }
    }

    private func checkLabel(_ label: LabelUse, _ seen: inout [String: Span], _ reported: inout Set<Span>) {
        guard let other = seen[label.text] else {
            seen[label.text] = label.span
            return
        }
        let (first, second) = other < label.span ? (other, label.span) : (label.span, other)
        guard first != second, reported.insert(second).inserted else { return }
        report(
            .duplicateLabel,
            "label '\(label.text)' is given twice",
            at: second,
            notes: [.init("first given here", at: first)]
        )
    }
}
