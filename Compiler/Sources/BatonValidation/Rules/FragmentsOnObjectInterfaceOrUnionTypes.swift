import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let fragmentsOnObjectInterfaceOrUnionTypes = ValidationRule(
        .fragments, "FragmentsOnObjectInterfaceOrUnionTypes",
        .typeCondition { $0.checkIsComposite($1, $2) })
}

extension Traversal {
    /// Checks that the type of a type condition has fields to select.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Fragments-on-Object-Interface-or-Union-Types
    func checkIsComposite(_ name: Name, _ type: SchemaType?) {
        guard let type, !type.isComposite else { return }
        report(
            .invalidFragmentType,
            "a fragment cannot be on '\(type.name)', which is no object, interface or union",
            at: name.span
        )
    }
}
