import BatonDiagnostics
import BatonSyntax

/// Every variable that an operation reaches is defined by it.
///
/// A variable that a definition uses several times is reported at the first place; where several operations reach a
/// fragment and lack the variable, notes name them.
///
/// Specification: https://spec.graphql.org/September2025/#sec-All-Variable-Uses-Defined
struct UndefinedVariables {
    private struct Key: Hashable {
        /// The definition that uses the variable.
        let scope: Span
        let name: String
    }

    private var found: [Key: Int] = [:]
    private(set) var diagnostics: [Diagnostic] = []

    /// Adds a use without a definition, and gives the names that were probably meant: variables of the operation, or
    /// arguments of the fragment that it stands in.
    mutating func add(
        _ usage: VariableUsage,
        in operation: OperationFacts,
        fragment: FragmentFacts?,
        _ defined: some Sequence<String>
    ) -> [String] {
        let name = usage.variable.name
        let own = fragment?.arguments?.keys.map { $0 } ?? []
        let suggestions = Spelling.suggestions(for: name, among: own + defined)
        let definition = operation.definition
        let title = definition.name.map { " '\($0.text)'" } ?? ""
        let note = Diagnostic.Note("\(definition.kind.rawValue)\(title) is here", at: definition.headSpan)
        let key = Key(scope: fragment?.definition.span ?? definition.span, name: name)
        if let index = found[key] {
            if fragment != nil, !diagnostics[index].notes.contains(note), diagnostics[index].notes.count < 5 {
                diagnostics[index].notes.append(note)
            }
            return suggestions
        }
        found[key] = diagnostics.count
        diagnostics.append(
            Diagnostic(
                .unknownVariable,
                "variable '$\(name)' is not defined by \(definition.kind.rawValue)\(title)",
                at: usage.variable.span,
                notes: fragment == nil ? [] : [note],
                suggestion: Spelling.question(naming: suggestions.map { "$\($0)" }),
                fix: Spelling.certain(for: name, among: suggestions).map { .init("$\($0)", at: usage.variable.span) }
            )
        )
        return suggestions
    }
}
