import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Traversal {
    /// An argument that is non-null and has no default is given.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Required-Arguments
    func checkRequiredArguments(
        _ arguments: [Argument],
        _ definitions: [SchemaInputValue],
        of owner: ArgumentOwner,
        excused: [String]
    ) {
        for definition in definitions where definition.isRequired {
            if arguments.contains(where: { $0.name.text == definition.name }) { continue }
            if excused.contains(definition.name) { continue }
            report(
                .missingArgument,
                "\(owner.description) needs argument '\(definition.name)' of type '\(schema.describe(definition.type))'",
                at: owner.span,
                notes: definition.span.source == .predeclared ? [] : [.init("declared here", at: definition.span)]
            )
        }
    }
}
