import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Traversal {
    /// A field of an input object that is non-null and has no default is given.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Input-Object-Required-Fields
    func checkRequiredInputFields(_ object: ObjectValue, of type: SchemaType, excused: [String]) {
        for definition in type.inputFields where definition.isRequired {
            if object.fields.contains(where: { $0.name.text == definition.name }) { continue }
            if excused.contains(definition.name) { continue }
            report(
                .missingInputField,
                "input object '\(type.name)' needs field '\(definition.name)' of type '\(schema.describe(definition.type))'",
                at: object.span,
                notes: definition.span.source == .predeclared ? [] : [.init("declared here", at: definition.span)]
            )
        }
    }
}
