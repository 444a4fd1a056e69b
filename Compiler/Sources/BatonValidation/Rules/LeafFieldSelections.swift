import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let leafFieldSelections = ValidationRule(
        .fields, "LeafFieldSelections",
        .field { $0.checkLeafSelection($1, definition: $3) })
}

extension Traversal {
    /// Checks that a field of a scalar or enum has no selections, and that every other field has some.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Leaf-Field-Selections
    func checkLeafSelection(_ field: Field, definition: SchemaField?) {
        guard let definition else { return }
        let type = schema.namedType(of: definition.type)
        if type.isLeaf {
            guard let selectionSet = field.selectionSet else { return }
            report(
                .unexpectedSelection,
                "field '\(field.name.text)' of type '\(schema.describe(definition.type))' has no fields to select",
                at: Span(
                    source: selectionSet.span.source,
                    start: selectionSet.span.start,
                    end: selectionSet.span.start + 1
                )
            )
        } else if field.selectionSet == nil {
            report(
                .missingSelection,
                "field '\(field.name.text)' of type '\(schema.describe(definition.type))' needs a selection of fields",
                at: field.name.span,
                suggestion: "write '\(field.name.text) { ... }'"
            )
        }
    }
}
