import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let fragmentSpreadIsPossible = ValidationRule(
        .fragments, "FragmentSpreadIsPossible",
        .applied { $0.checkSpreadIsPossible($1, on: $2, name: $3, at: $4) })
}

extension Traversal {
    /// Checks that an object can be of both the fragment's type and the parent type.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Fragment-Spread-Is-Possible
    func checkSpreadIsPossible(_ type: SchemaType, on parent: SchemaType, name: String?, at span: Span) {
        if schema.overlap(type, parent) { return }
        let what = name.map { "fragment '\($0)' on '\(type.name)'" } ?? "a fragment on '\(type.name)'"
        report(
            .impossibleSpread,
            "\(what) can never apply to '\(parent.name)'",
            at: span,
            notes: parent.span == .none || name == nil
                ? [] : [.init("'\(parent.name)' is defined here", at: parent.span)]
        )
    }
}
