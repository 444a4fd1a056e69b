import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Spreads of one fragment that does not exist, in one document.
struct UnknownSpread: Sendable {
    struct Key: Hashable {
        let document: Int
        let name: String
    }

    /// What to say about the first spread.
    let diagnostic: Diagnostic
    var spans: [Span]
}

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
        let key = UnknownSpread.Key(document: currentDocument, name: name)
        if unknownSpreads[key] != nil {
            unknownSpreads[key]?.spans.append(spread.name.span)
            return nil
        }
        let suggestions = Spelling.suggestions(for: name, among: program.fragmentIndex.keys)
        excusedFragments.formUnion(suggestions)
        let message = "unknown fragment '\(name)'"
        var diagnostic = Diagnostic.unknown(.unknownFragment, message, spread.name, meant: suggestions)
        if schema.type(named: name)?.isComposite == true {
            diagnostic.suggestion = "did you mean '... on \(name)'?"
            diagnostic.fix = nil
        }
        unknownSpreads[key] = UnknownSpread(diagnostic: diagnostic, spans: [spread.name.span])
        return nil
    }

    /// Reports the spreads that were met: each name once in a document, at the first place.
    func reportUnknownSpreads() {
        for unknown in unknownSpreads.values {
            let spans = unknown.spans.sorted()
            guard let first = spans.first else { continue }
            var diagnostic = unknown.diagnostic
            diagnostic.span = first
            diagnostic.fix?.span = first
            diagnostic.notes = spans.dropFirst().prefix(5).map { .init("it is also spread here", at: $0) }
            diagnostics.append(diagnostic)
        }
    }

    // MARK: - Misspelled 'on'

    /// The selections of a set, where `...onn Dog { id }` is a spread and a field for the parser, but certainly meant an
    /// inline fragment, which takes their place.
    func meantSelections(of selectionSet: SelectionSet, on parent: SchemaType?) -> [Selection] {
        let selections = selectionSet.selections
        guard selections.contains(where: mayMeanOn) else { return selections }
        var meant: [Selection] = []
        for (index, selection) in selections.enumerated() {
            if index > 0, let fragment = inlineFragment(meantBy: selections[index - 1], selection, on: parent) {
                meant[meant.count - 1] = .inlineFragment(fragment)
            } else {
                meant.append(selection)
            }
        }
        return meant
    }

    private func mayMeanOn(_ selection: Selection) -> Bool {
        guard case .fragmentSpread(let spread) = selection, spread.directives.isEmpty else { return false }
        return spread.name.text.utf8.count <= 3 && program.fragmentIndex[spread.name.text] == nil
            && !Spelling.suggestions(for: spread.name.text, among: ["on"]).isEmpty
    }

    /// The inline fragment that a spread and the field behind it meant, which is reported.
    private func inlineFragment(
        meantBy selection: Selection,
        _ next: Selection,
        on parent: SchemaType?
    ) -> InlineFragment? {
        guard mayMeanOn(selection), case .fragmentSpread(let spread) = selection, case .field(let field) = next,
            let selectionSet = field.selectionSet, field.alias == nil, field.arguments.isEmpty,
            schema.type(named: field.name.text)?.isComposite == true
        else { return nil }
        if let parent, schema.field(named: field.name.text, on: parent) != nil { return nil }
        report(
            .unknownFragment,
            "unknown fragment '\(spread.name.text)'",
            at: spread.name.span,
            suggestion: "did you mean '... on \(field.name.text)'?",
            fix: Diagnostic.Fix("on", at: spread.name.span)
        )
        return InlineFragment(
            typeCondition: field.name,
            directives: field.directives,
            selectionSet: selectionSet,
            span: spread.span.joined(with: field.span)
        )
    }
}
