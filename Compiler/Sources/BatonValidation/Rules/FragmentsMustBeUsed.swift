import BatonDiagnostics
import BatonSyntax

extension ValidationRule {
    static let fragmentsMustBeUsed = ValidationRule(
        .fragments, "FragmentsMustBeUsed",
        .followed { $0.checkFragmentsUsed() })
}

extension Traversal {
    /// Checks that an operation spreads each fragment, directly or through others. A violation is a warning, because
    /// Relay and Apollo accept unused fragments.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Fragments-Must-Be-Used
    func checkFragmentsUsed() {
        if definitions.hasBrokenDefinitions || !definitions.incompleteDocuments.isEmpty { return }
        // Fragments that a misspelled spread may mean count as used, together with the fragments that they reach. So do
        // fragments with a duplicate name, whose mistake has been reported.
        let isExcused = reach(
            from: excusedFragments.compactMap { definitions.fragmentIndex[$0] } + definitions.duplicates)
        for index in definitions.fragments.indices where !definitions.isReached[index] && !isExcused[index] {
            let name = definitions.fragments[index].definition.name
            diagnostics.append(.unusedFragment(name.text, at: name.span))
        }
    }

    /// Records for each fragment whether an operation reaches it.
    func findReachedFragments() {
        definitions.isReached = reach(from: definitions.operations.flatMap { $0.facts.spreads.map(\.fragment) })
    }

    /// For each fragment, whether it is in `start` or reached from a fragment in `start`.
    private func reach(from start: [Int]) -> [Bool] {
        var isReached = [Bool](repeating: false, count: definitions.fragments.count)
        var pending = start
        while let index = pending.popLast() {
            if isReached[index] { continue }
            isReached[index] = true
            pending += definitions.fragments[index].facts.spreads.map(\.fragment)
        }
        return isReached
    }
}

extension Diagnostic {
    /// The warning about a fragment that no operation reaches.
    package static func unusedFragment(_ name: String, at span: Span) -> Diagnostic {
        Diagnostic(.unusedFragment, severity: .warning, "fragment '\(name)' is never used", at: span)
    }
}
