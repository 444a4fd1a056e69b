import BatonDiagnostics
import BatonSyntax

extension Traversal {
    /// Checks that no field of an input object is given twice.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Input-Object-Field-Uniqueness
    func checkInputFieldUniqueness(_ object: ObjectValue) {
        checkNames(object.fields.lazy.map(\.name), .duplicateInputField, "input field")
    }
}
