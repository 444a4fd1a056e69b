import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Traversal {
    /// The type that a fragment is on exists.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Fragment-Spread-Type-Existence
    func checkFragmentType(_ condition: Name) -> SchemaType? {
        guard let type = schema.type(named: condition.text) else {
            let names = schema.types.lazy.filter { $0.isComposite && !$0.isPredeclared }.map(\.name)
            let meant = Spelling.suggestions(for: condition.text, among: names)
            reportUnknown(.unknownType, "unknown type '\(condition.text)'", condition, meant: meant)
            return nil
        }
        return checkIsComposite(type, at: condition) ? type : nil
    }
}
