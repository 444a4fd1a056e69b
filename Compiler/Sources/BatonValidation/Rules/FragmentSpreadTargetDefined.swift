import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let fragmentSpreadTargetDefined = ValidationRule(
        .fragments, "FragmentSpreadTargetDefined",
        .spread { $0.noteUnknownTarget(of: $1, target: $2) }, .followed { $0.reportUnknownSpreads() })
}

/// The spreads of one missing fragment in one document.
struct UnknownSpread: Sendable {
    struct Key: Hashable {
        let document: Int
        let name: String
    }

    /// The diagnostic for the first spread.
    let diagnostic: Diagnostic
    var spans: [Span]
}

extension Traversal {
    /// Records a spread of a fragment that no document defines. The spread is reported when all spreads are known.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Fragment-spread-target-defined
    func noteUnknownTarget(of spread: FragmentSpread, target: Int?) {
        if target != nil { return }
        let name = spread.name.text
        // A definition of this document that the parser left out may define the fragment. Other documents may belong to
        // other programs.
        if definitions.incompleteDocuments.contains(currentDocument) { return }
        let key = UnknownSpread.Key(document: currentDocument, name: name)
        if unknownSpreads[key] != nil {
            unknownSpreads[key]?.spans.append(spread.name.span)
            return
        }
        let suggestions = Spelling.suggestions(for: name, among: definitions.fragmentIndex.keys)
        excusedFragments.formUnion(suggestions)
        let message = "unknown fragment '\(name)'"
        var diagnostic = Diagnostic.unknown(.unknownFragment, message, spread.name, meant: suggestions)
        if schema.type(named: name)?.isComposite == true {
            diagnostic.suggestion = "did you mean '... on \(name)'?"
            diagnostic.fix = nil
        }
        unknownSpreads[key] = UnknownSpread(diagnostic: diagnostic, spans: [spread.name.span])
    }

    /// Reports missing fragments: each name once in a document, at its first spread.
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
}
