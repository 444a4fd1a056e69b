import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Traversal {
    /// Every field of an input object is defined by its type.
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
