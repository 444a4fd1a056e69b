import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Traversal {
    /// The schema declares the directive, or it is one of Relay's.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Directives-Are-Defined
    func checkDirectiveIsDefined(_ directive: Directive) -> SchemaDirective? {
        let name = directive.name.text
        if let definition = schema.directive(named: name) { return definition }
        let suggestions = Spelling.suggestions(for: name, among: schema.directives.keys)
        report(
            .unknownDirective,
            "unknown directive '@\(name)'",
            at: directive.name.span,
            suggestion: Spelling.question(naming: suggestions.map { "@\($0)" })
        )
        return nil
    }
}
