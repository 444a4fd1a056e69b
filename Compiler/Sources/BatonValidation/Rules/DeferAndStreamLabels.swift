import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let deferAndStreamLabels = ValidationRule(
        .incrementalDelivery, "DeferAndStreamLabels",
        .directive { $0.noteLabel($1) }, .followed { $0.checkLabelUniqueness() })
}

/// The label of a `@defer` or `@stream` directive.
struct LabelUse {
    let text: String
    /// `defer` or `stream`.
    let directive: String
    /// Whether the literal `if: false` switches the directive off.
    let isSwitchedOff: Bool
    /// The place of the argument's string.
    let span: Span
}

extension Traversal {
    /// Records the label of `@defer` or `@stream`; checks that it is a string and not a variable.
    ///
    /// Specification: https://github.com/graphql/graphql-spec/pull/1110
    func noteLabel(_ placed: PlacedDirective) {
        let directive = placed.directive
        guard let definition = placed.definition, Self.isIncremental(directive) else { return }
        definitions.hasIncrementalDelivery = true
        guard definition.argument(named: "label") != nil, let value = directive.argument("label") else { return }
        switch value {
        case .string(let string):
            let condition = directive.argument("if")
            let isSwitchedOff = if case .boolean(let value)? = condition { !value.isTrue } else { false }
            facts.labels.append(
                LabelUse(
                    text: string.text, directive: directive.name.text, isSwitchedOff: isSwitchedOff,
                    span: string.span))
        case .variable(let variable):
            report(
                .invalidValue,
                "the label of '@\(directive.name.text)' is a string, it cannot be the variable '$\(variable.name)'",
                at: variable.span
            )
        default: break
        }
    }

    /// Whether an argument is the label of a `@defer` or `@stream` directive. A schema may require it, as Relay's does;
    /// a document need not give it, because the compiler generates one.
    static func isLabel(_ argument: SchemaInputValue, of owner: ArgumentOwner) -> Bool {
        guard argument.name == "label", case .directive(let name) = owner else { return false }
        return ["defer", "stream", "stream_connection"].contains(name.text)
    }

    /// The definition of an argument of a directive of Relay's or the specification's under its other spelling.
    ///
    /// The specification has `initialCount`, Relay's directives have `initial_count`. A document may have either one,
    /// because the compiler sends what the schema declares.
    static func otherSpelling(
        of name: String, among definitions: [SchemaInputValue], of owner: ArgumentOwner
    ) -> SchemaInputValue? {
        guard case .directive(let directive) = owner, ["stream", "stream_connection"].contains(directive.text),
            let other = spellings[name]
        else { return nil }
        return definitions.first { $0.name == other }
    }

    private static let spellings = [
        "initialCount": "initial_count", "initial_count": "initialCount",
        "useCustomizedBatch": "use_customized_batch", "use_customized_batch": "useCustomizedBatch",
    ]

    /// Whether a directive is `@defer` or `@stream`.
    static func isIncremental(_ directive: Directive) -> Bool {
        directive.name.text == "defer" || directive.name.text == "stream"
    }

    /// Checks that a label occurs once in its scope. An answer names its part by the label.
    func checkLabelUniqueness() {
        switch settings.labelScope {
        case .operation: checkLabelsOfOperations()
        case .definition: checkLabelsOfDefinitions()
        case .nowhere: break
        }
    }

    private func checkLabelsOfDefinitions() {
        let facts = definitions.operations.map(\.facts) + definitions.fragments.map(\.facts)
        var reported: Set<Span> = []
        for facts in facts where facts.labels.count > 1 {
            var seen: [String: [String: Span]] = [:]
            for label in facts.labels where !label.isSwitchedOff {
                checkLabel(label, &seen[label.directive, default: [:]], &reported)
            }
        }
    }

    private func checkLabelsOfOperations() {
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

    /// All labels in the order of the source, with the numbers of their documents.
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
