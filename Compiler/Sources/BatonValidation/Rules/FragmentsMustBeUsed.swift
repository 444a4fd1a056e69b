import BatonDiagnostics
import BatonSyntax

extension Traversal {
    /// Some operation spreads each fragment, directly or through others. Relay and Apollo accept unused ones, so this
    /// is a warning.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Fragments-Must-Be-Used
    func checkFragmentsUsed() {
        if definitions.hasBrokenDefinitions || !definitions.incompleteDocuments.isEmpty { return }
        // What a misspelled spread meant is used, and so is what that spreads; of a name that was taken twice it is
        // said.
        let isExcused = reach(
            from: excusedFragments.compactMap { definitions.fragmentIndex[$0] } + definitions.duplicates)
        for index in definitions.fragments.indices where !definitions.isReached[index] && !isExcused[index] {
            let name = definitions.fragments[index].definition.name
            report(.unusedFragment, severity: .warning, "fragment '\(name.text)' is never used", at: name.span)
        }
    }

    /// Notes for each fragment whether some operation reaches it.
    func findReachedFragments() {
        definitions.isReached = reach(from: definitions.operations.flatMap { $0.facts.spreads.map(\.fragment) })
    }

    /// For each fragment, whether it is among those to start with or reached from one of them.
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
