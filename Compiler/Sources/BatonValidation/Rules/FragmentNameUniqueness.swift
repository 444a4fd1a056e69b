import BatonDiagnostics
import BatonSyntax

extension ValidationRule {
    static let fragmentNameUniqueness = ValidationRule(
        .fragments, "FragmentNameUniqueness",
        .collected { $0.checkFragmentNameUniqueness() })
}

extension Traversal {
    /// Checks that the fragments of all documents have different names. Broken definitions are skipped.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Fragment-Name-Uniqueness
    func checkFragmentNameUniqueness() {
        for index in definitions.fragments.indices where !definitions.fragments[index].definition.isBroken {
            let name = definitions.fragments[index].definition.name
            guard let first = definitions.fragmentIndex[name.text], first != index else { continue }
            report(
                .duplicateFragment,
                "fragment '\(name.text)' is defined twice",
                at: name.span,
                notes: [.init("first defined here", at: definitions.fragments[first].definition.name.span)]
            )
        }
    }
}
