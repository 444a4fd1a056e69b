import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Traversal {
    /// A field of an input object that is non-null and has no default is given; this one is not.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Input-Object-Required-Fields
    func reportMissingInputField(_ definition: SchemaInputValue, of type: SchemaType, at object: ObjectValue) {
        report(
            .missingInputField,
            "input object '\(type.name)' needs field '\(definition.name)' of type '\(schema.describe(definition.type))'",
            at: object.span,
            notes: definition.span.source == .predeclared ? [] : [.init("declared here", at: definition.span)]
        )
    }
}
