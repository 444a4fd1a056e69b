import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let directivesAreUniquePerLocation = ValidationRule(
        .directives, "DirectivesAreUniquePerLocation",
        .directives { $0.checkDirectivesAreUnique($1) })
}

extension Traversal {
    /// Checks that a directive that is not repeatable occurs once at a place.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Directives-Are-Unique-per-Location
    func checkDirectivesAreUnique(_ directives: [Directive]) {
        if directives.count < 2 { return }
        var seen: [String: Span] = [:]
        for directive in directives {
            let name = directive.name.text
            guard let first = seen.updateValue(directive.name.span, forKey: name) else { continue }
            if schema.directive(named: name)?.isRepeatable ?? true { continue }
            report(
                .duplicateDirective,
                "directive '@\(name)' stands twice in one place",
                at: directive.name.span,
                notes: [.init("first here", at: first)]
            )
        }
    }
}
