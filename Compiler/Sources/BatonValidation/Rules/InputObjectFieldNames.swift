import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let inputObjectFieldNames = ValidationRule(
        .values, "InputObjectFieldNames",
        .inputObject { $0.checkInputFieldNames($1) })
}

extension Traversal {
    /// Checks that the type of an input object defines all its given fields.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Input-Object-Field-Names
    func checkInputFieldNames(_ given: GivenInputObject) {
        guard let type = given.type else { return }
        for (name, meant) in given.unknown {
            let message = "unknown field '\(name.text)' of input object '\(type.name)'"
            reportUnknown(.unknownInputField, message, name, meant: meant)
        }
    }
}
