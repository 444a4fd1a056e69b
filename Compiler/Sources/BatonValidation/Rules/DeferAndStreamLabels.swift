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
    func noteLabel(_ placed: PlacedDirective) {
        let directive = placed.directive
        guard let definition = placed.definition, Self.isIncremental(directive) else { return }
        definitions.hasIncrementalDelivery = true
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

    /// Whether an argument is the label of what a server sends later. A schema may demand it, as Relay's does;
    /// documents need not give it, since the compiler makes one.
    static func isLabel(_ argument: SchemaInputValue, of owner: ArgumentOwner) -> Bool {
        guard argument.name == "label", case .directive(let name) = owner else { return false }
        return ["defer", "stream", "stream_connection"].contains(name.text)
    }

    /// Whether a directive delivers something later.
    static func isIncremental(_ directive: Directive) -> Bool {
        directive.name.text == "defer" || directive.name.text == "stream"
    }

    /// No label stands twice in one document, nor in definitions of several documents that one operation brings
    /// together, since answers name their part by it.
    func checkLabelUniqueness() {
        var reported: Set<Span> = []
        var ofDocument: [Int: [String: Span]] = [:]
        var documentCounts: [String: Int] = [:]
        for (document, label) in labelsByDocument() {
            if ofDocument[document]?[label.text] == nil { documentCounts[label.text, default: 0] += 1 }
            checkLabel(label, &ofDocument[document, default: [:]], &reported)
        }
        let shared = documentCounts.filter { $1 > 1 }
        if shared.isEmpty { return }
        var lastVisit = [Int](repeating: -1, count: definitions.fragments.count)
        for (number, operation) in definitions.operations.enumerated() {
            var seen: [String: Span] = [:]
            var pending = [operation.facts]
            while let facts = pending.popLast() {
                let steps = 1 + facts.labels.count + facts.spreads.count
                guard mayFollow(operation.definition, steps: steps) else { return }
                for label in facts.labels where shared[label.text] != nil { checkLabel(label, &seen, &reported) }
                for spread in facts.spreads where lastVisit[spread.fragment] != number {
                    lastVisit[spread.fragment] = number
                    pending.append(definitions.fragments[spread.fragment].facts)
                }
            }
        }
    }

    /// All labels in the order of the source, each with the number of its document.
    private func labelsByDocument() -> [(document: Int, label: LabelUse)] {
        let operations = definitions.operations.flatMap { operation in
            operation.facts.labels.map { (document: operation.document, label: $0) }
        }
        let fragments = definitions.fragments.flatMap { fragment in
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
