import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let requiredArguments = ValidationRule(
        .arguments, "RequiredArguments",
        .arguments { $0.checkRequiredArguments($1) })
}

extension Traversal {
    /// Checks that all required arguments are given: those that are non-null and have no default.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Required-Arguments
    func checkRequiredArguments(_ given: GivenArguments) {
        for definition in given.missing {
            let type = schema.describe(definition.type)
            report(
                .missingArgument,
                "\(given.owner.description) needs argument '\(definition.name)' of type '\(type)'",
                at: given.owner.span,
                notes: definition.span.source == .predeclared ? [] : [.init("declared here", at: definition.span)]
            )
        }
    }
}
