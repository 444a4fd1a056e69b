import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// Checks that a required argument or input field is not deprecated, because it cannot be left out. Violations are
    /// warnings: real schemas have them, and clients take no harm.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec--deprecated
    mutating func checkDeprecation(of value: InputValueDefinition, _ role: String) {
        guard case .nonNull = value.type, value.defaultValue == nil,
            let directive = value.directives.first(where: { $0.name.text == "deprecated" })
        else { return }
        let isWritten = directive.name.span.source != .predeclared
        report(
            .deprecatedRequired,
            severity: .warning,
            "required \(role) '\(value.name.text)' cannot be deprecated",
            at: isWritten ? directive.name.span : value.name.span,
            suggestion: "make it nullable first, or give it a default"
        )
    }
}
