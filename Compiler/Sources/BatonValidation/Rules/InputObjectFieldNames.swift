import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Traversal {
    /// Every field of an input object is defined by its type. Names that were probably meant are excused as missing.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Input-Object-Field-Names
    func checkInputFieldName(_ field: ObjectField, of type: SchemaType, excused: inout [String]) -> SchemaInputValue? {
        let name = field.name.text
        if let definition = type.inputField(named: name) { return definition }
        let suggestions = Spelling.suggestions(for: name, among: type.inputFields.map(\.name))
        excused += suggestions
        report(
            .unknownInputField,
            "unknown field '\(name)' of input object '\(type.name)'",
            at: field.name.span,
            suggestion: Spelling.question(naming: suggestions)
        )
        return nil
    }
}
