import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Traversal {
    /// The directive may stand where it stands.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Directives-Are-in-Valid-Locations
    func checkDirectiveLocation(
        _ directive: Directive,
        _ definition: SchemaDirective,
        _ location: DirectiveLocation
    ) {
        if definition.locations.contains(location) { return }
        let allowed = DirectiveLocation.allCases.filter(definition.locations.contains).map(\.rawValue)
        report(
            .misplacedDirective,
            "directive '@\(directive.name.text)' cannot stand on \(location.rawValue)",
            at: directive.name.span,
            suggestion: "it may stand on \(allowed.joined(separator: ", "))"
        )
    }
}
