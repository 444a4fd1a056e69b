import BatonDiagnostics
import BatonSyntax

extension Traversal {
    /// The fragment that is spread exists in some document.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Fragment-spread-target-defined
    func checkSpreadTarget(_ spread: FragmentSpread) -> Int? {
        let name = spread.name.text
        if let index = program.fragmentIndex[name] { return index }
        facts.hasUnknownSpread = true
        let suggestions = Spelling.suggestions(for: name, among: program.fragmentIndex.keys)
        excusedFragments.formUnion(suggestions)
        let isType = suggestions.isEmpty && schema.type(named: name)?.isComposite == true
        report(
            .unknownFragment,
            "unknown fragment '\(name)'",
            at: spread.name.span,
            suggestion: isType ? "did you mean '... on \(name)'?" : Spelling.question(naming: suggestions)
        )
        return nil
    }
}
