import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let streamOnListFields = ValidationRule(
        .incrementalDelivery, "StreamOnListFields",
        .field { $0.checkStreamIsOnList($1, definition: $3) })
}

extension Traversal {
    /// Checks that `@stream` is on list fields only.
    ///
    /// Specification: https://github.com/graphql/graphql-spec/pull/1110
    func checkStreamIsOnList(_ field: Field, definition: SchemaField?) {
        guard !field.directives.isEmpty, let definition, !definition.type.isList else { return }
        for directive in field.directives where directive.name.text == "stream" {
            report(
                .misplacedDirective,
                "directive '@stream' cannot stand on field '\(field.name.text)' of type "
                    + "'\(schema.describe(definition.type))', which is no list",
                at: directive.name.span
            )
        }
    }
}
