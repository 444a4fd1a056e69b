import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let directivesAreDefined = ValidationRule(
        .directives, "DirectivesAreDefined",
        .directive { $0.checkDirectiveIsDefined($1) })
}

extension Traversal {
    /// Checks that the schema declares the directive, or that Relay does.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Directives-Are-Defined
    func checkDirectiveIsDefined(_ placed: PlacedDirective) {
        if placed.definition != nil { return }
        let (directive, location) = (placed.directive, placed.location)
        let name = directive.name.text
        // Directives that are allowed at the location are suggested first.
        let known = schema.directives.values.filter { !$0.name.hasPrefix("__") }
        let here = known.filter { $0.locations.contains(location) }
        var suggestions = Spelling.suggestions(for: name, among: here.map(\.name))
        if suggestions.isEmpty { suggestions = Spelling.suggestions(for: name, among: known.map(\.name)) }
        reportUnknown(.unknownDirective, "unknown directive '@\(name)'", directive.name, sign: "@", meant: suggestions)
    }
}
