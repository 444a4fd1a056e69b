import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let inputObjectRequiredFields = ValidationRule(
        .values, "InputObjectRequiredFields",
        .inputObject { $0.checkRequiredInputFields($1) })
}

extension Traversal {
    /// Checks that all required fields of an input object are given: those that are non-null and have no default.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Input-Object-Required-Fields
    func checkRequiredInputFields(_ given: GivenInputObject) {
        guard let type = given.type else { return }
        for definition in given.missing {
            let expected = schema.describe(definition.type)
            report(
                .missingInputField,
                "input object '\(type.name)' needs field '\(definition.name)' of type '\(expected)'",
                at: given.object.span,
                notes: definition.span.source == .predeclared ? [] : [.init("declared here", at: definition.span)]
            )
        }
    }
}
