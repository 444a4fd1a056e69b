import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Traversal {
    /// The type that a fragment is on exists.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Fragment-Spread-Type-Existence
    func checkFragmentType(_ condition: Name) -> SchemaType? {
        guard let type = schema.type(named: condition.text) else {
            report(
                .unknownType,
                "unknown type '\(condition.text)'",
                at: condition.span,
                suggestion: Spelling.question(
                    for: condition.text,
                    among: schema.types.lazy.filter { $0.isComposite && !$0.isPredeclared }.map(\.name)
                )
            )
            return nil
        }
        return checkIsComposite(type, at: condition) ? type : nil
    }
}
