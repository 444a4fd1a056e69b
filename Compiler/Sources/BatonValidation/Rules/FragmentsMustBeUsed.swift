import BatonDiagnostics
import BatonSyntax

extension Traversal {
    /// Some operation spreads each fragment, directly or through others. Relay and Apollo accept unused ones, so this is
    /// a warning.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Fragments-Must-Be-Used
    func checkFragmentsUsed() {
        findReachedFragments()
        if program.hasBrokenDefinitions || !program.incompleteDocuments.isEmpty { return }
        for index in program.fragments.indices where !program.isReached[index] {
            let name = program.fragments[index].definition.name
            // A second definition of the name was reported already, and so was a spread that meant this one.
            if program.fragmentIndex[name.text] != index || excusedFragments.contains(name.text) { continue }
            report(.unusedFragment, severity: .warning, "fragment '\(name.text)' is never used", at: name.span)
        }
    }

    private func findReachedFragments() {
        var isReached = [Bool](repeating: false, count: program.fragments.count)
        var pending = program.operations.indices.flatMap { program.operations[$0].facts.spreads.map(\.fragment) }
        while let index = pending.popLast() {
            if isReached[index] { continue }
            isReached[index] = true
            pending += program.fragments[index].facts.spreads.map(\.fragment)
        }
        program.isReached = isReached
    }
}
