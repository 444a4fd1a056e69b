import BatonDiagnostics
import BatonSyntax

extension Traversal {
    /// The fragment that is spread exists in some document.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Fragment-spread-target-defined
    func checkSpreadTarget(_ spread: FragmentSpread) -> Int? {
        let name = spread.name.text
        if let index = program.fragment(named: name, spreadIn: currentDocument) { return index }
        facts.hasUnknownSpread = true
        // It may be one of those that could not be read. Other documents may well belong to other programs.
        if program.incompleteDocuments.contains(currentDocument) { return nil }
        let isType = schema.type(named: name)?.isComposite == true
        let suggestions = isType ? [] : Spelling.suggestions(for: name, among: program.fragmentIndex.keys)
        excusedFragments.formUnion(suggestions)
        let message = "unknown fragment '\(name)'"
        if isType {
            let question = "did you mean '... on \(name)'?"
            report(.unknownFragment, message, at: spread.name.span, suggestion: question)
        } else {
            reportUnknown(.unknownFragment, message, spread.name, meant: suggestions)
        }
        return nil
    }
}
