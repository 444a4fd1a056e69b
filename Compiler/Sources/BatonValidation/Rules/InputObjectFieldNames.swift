import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Traversal {
    /// Every field of an input object is defined by its type; this one is not.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Input-Object-Field-Names
    func reportUnknownInputField(_ field: ObjectField, of type: SchemaType, meant: inout MeantNames) {
        let name = field.name.text
        let message = "unknown field '\(name)' of input object '\(type.name)'"
        reportUnknown(.unknownInputField, message, field.name, meant: meant.names(for: name))
    }
}
