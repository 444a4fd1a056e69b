import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// What must be given is not deprecated, since nobody could do without it. Real schemas do so, which harms no
    /// client.
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
