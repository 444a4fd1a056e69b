import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Traversal {
    /// Every argument is defined by the field or directive. Names that were probably meant are excused as missing.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Argument-Names
    func checkArgumentName(
        _ argument: Argument,
        _ definitions: [SchemaInputValue],
        of owner: ArgumentOwner,
        excused: inout [String]
    ) -> SchemaInputValue? {
        let name = argument.name.text
        if let definition = definitions.first(where: { $0.name == name }) { return definition }
        let suggestions = Spelling.suggestions(for: name, among: definitions.map(\.name))
        excused += suggestions
        report(
            .unknownArgument,
            "unknown argument '\(name)' of \(owner.description)",
            at: argument.name.span,
            suggestion: Spelling.question(naming: suggestions)
        )
        return nil
    }
}
