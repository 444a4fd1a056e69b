import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let fragmentSpreadTypeExistence = ValidationRule(
        .fragments, "FragmentSpreadTypeExistence",
        .typeCondition { $0.checkTypeExists($1, $2) })
}

extension Traversal {
    /// Checks that the type of a type condition exists.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Fragment-Spread-Type-Existence
    func checkTypeExists(_ name: Name, _ type: SchemaType?) {
        if type != nil { return }
        let names = schema.types.lazy.filter { $0.isComposite && !$0.isPredeclared }.map(\.name)
        let meant = Spelling.suggestions(for: name.text, among: names)
        reportUnknown(.unknownType, "unknown type '\(name.text)'", name, meant: meant)
    }
}
