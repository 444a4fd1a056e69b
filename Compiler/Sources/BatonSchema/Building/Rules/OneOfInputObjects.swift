import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// Checks that a field of a oneOf input object is nullable and has no default, because a value gives only one
    /// field.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-OneOf-Input-Objects
    mutating func checkOneOfField(_ field: InputValueDefinition, of type: TypeDraft) {
        let owner = "field '\(field.name.text)' of '@oneOf' input object '\(type.name.text)'"
        if case .nonNull(let nullable, let span) = field.type {
            report(
                .oneOfDefinition,
                "\(owner) must be nullable",
                at: span.wrappedValue,
                suggestion: "write '\(Printer.print(nullable))'"
            )
        }
        if let value = field.defaultValue {
            report(.oneOfDefinition, "\(owner) cannot have a default", at: value.span)
        }
    }
}
