import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let inputObjectFieldUniqueness = ValidationRule(
        .values, "InputObjectFieldUniqueness",
        .inputObject { $0.checkInputFieldUniqueness($1.object) })
}

extension Traversal {
    /// Checks that no field of an input object is given twice.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Input-Object-Field-Uniqueness
    func checkInputFieldUniqueness(_ object: ObjectValue) {
        checkNames(object.fields.lazy.map(\.name), .duplicateInputField, "input field")
    }
}
