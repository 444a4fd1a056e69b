import BatonDiagnostics
import BatonSyntax

extension ValidationRule {
    static let allVariableUsesDefined = ValidationRule(
        .variables, "AllVariableUsesDefined",
        .variableUse { $0.checkUseIsDefined($1) })
}

/// Collects variables that operations use and do not define.
///
/// A missing variable is reported at its first use. If several operations reach a fragment and lack the variable, notes
/// name the operations.
///
/// Specification: https://spec.graphql.org/September2025/#sec-All-Variable-Uses-Defined
struct UndefinedVariables {
    private struct Key: Hashable {
        let fragment: Span
        let name: String
    }

    /// The use of an undefined variable in one source. Another source may define the name.
    struct Use: Hashable {
        let name: String
        let source: SourceID

        init(of variable: Variable) {
            name = variable.name
            source = variable.span.source
        }
    }

    private var ofFragments: [Key: Int] = [:]
    /// The names that are reported for the current operation.
    private var ofOperation: Set<String> = []
    private(set) var diagnostics: [Diagnostic] = []
    private(set) var uses: Set<Use> = []

    private static let advice =
        "define it in the operation, or declare it in the fragment with '@argumentDefinitions'"

    /// Starts an operation. Its own uses must be added before those of its fragments.
    mutating func beginOperation() {
        ofOperation.removeAll(keepingCapacity: true)
    }

    /// Adds the use of an undefined variable. Returns similar names: variables of the operation, or arguments of the
    /// fragment with the use.
    mutating func add(
        _ usage: VariableUsage,
        in operation: OperationFacts,
        fragment: FragmentFacts?,
        _ defined: some Sequence<String>
    ) -> [String] {
        let name = usage.variable.name
        let own = fragment?.arguments?.keys.map { $0 } ?? []
        let suggestions = Spelling.suggestions(for: name, among: own + defined)
        uses.insert(Use(of: usage.variable))
        guard ofOperation.insert(name).inserted else { return suggestions }
        let definition = operation.definition
        let title = definition.name.map { " '\($0.text)'" } ?? ""
        var notes: [Diagnostic.Note] = []
        if let fragment {
            let note = Diagnostic.Note("\(definition.kind.rawValue)\(title) is here", at: definition.headSpan)
            let key = Key(fragment: fragment.definition.span, name: name)
            if let index = ofFragments[key] {
                if diagnostics[index].notes.count < 5 { diagnostics[index].notes.append(note) }
                return suggestions
            }
            ofFragments[key] = diagnostics.count
            notes.append(note)
        }
        diagnostics.append(
            Diagnostic(
                .unknownVariable,
                "variable '$\(name)' is not defined by \(definition.kind.rawValue)\(title)",
                at: usage.variable.span,
                notes: notes,
                suggestion: Spelling.question(naming: suggestions.map { "$\($0)" })
                    ?? (fragment == nil ? nil : Self.advice),
                fix: Spelling.certain(for: name, among: suggestions).map { .init("$\($0)", at: usage.variable.span) }
            )
        )
        return suggestions
    }
}

extension Traversal {
    /// Records the use of an undefined variable.
    func checkUseIsDefined(_ use: VariableUse) {
        if use.variable != nil { return }
        let facts = use.fragment.map { definitions.fragments[$0] }
        // The variable may be an argument in a declaration that could not be parsed.
        if facts?.mayDeclareMore == true { return }
        // A value that no fragment uses is never needed; `@uncheckedArguments_DEPRECATED` may pass such values.
        if let target = use.usage.target, !hasEffect(target) { return }
        let operation = definitions.operations[use.operation]
        let meant = undefined.add(use.usage, in: operation, fragment: facts, use.variables.keys)
        excusedVariables.formUnion(meant)
        guard let fragment = use.fragment else { return }
        excusedArguments[fragment, default: []].formUnion(meant)
        undefinedInFragments.insert(UnknownFragmentArgument.Key(fragment: fragment, name: use.usage.variable.name))
    }
}
