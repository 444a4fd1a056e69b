import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let directivesAreInValidLocations = ValidationRule(
        .directives, "DirectivesAreInValidLocations",
        .directive { $0.checkDirectiveLocation($1) })
}

extension Traversal {
    /// Checks that the directive is allowed at its location.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Directives-Are-in-Valid-Locations
    func checkDirectiveLocation(_ placed: PlacedDirective) {
        let (directive, location) = (placed.directive, placed.location)
        guard let definition = placed.definition, !definition.locations.contains(location) else { return }
        let allowed = DirectiveLocation.allCases.filter(definition.locations.contains).map(\.rawValue)
        report(
            .misplacedDirective,
            "directive '@\(directive.name.text)' cannot stand on \(location.rawValue)",
            at: directive.name.span,
            suggestion: "it may stand on \(allowed.joined(separator: ", "))"
        )
    }
}
