import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Traversal {
    /// An argument that is non-null and has no default is given; this one is not.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Required-Arguments
    func reportMissingArgument(_ definition: SchemaInputValue, of owner: ArgumentOwner) {
        report(
            .missingArgument,
            "\(owner.description) needs argument '\(definition.name)' of type '\(schema.describe(definition.type))'",
            at: owner.span,
            notes: definition.span.source == .predeclared ? [] : [.init("declared here", at: definition.span)]
        )
    }
}
