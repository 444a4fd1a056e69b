import BatonDiagnostics
import BatonSyntax

extension ValidationRule {
    static let executableDefinitions = ValidationRule(
        .documents, "ExecutableDefinitions",
        .definition { $0.checkIsExecutable($1) })
}

extension Traversal {
    /// Checks that a document contains only operations and fragments.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Executable-Definitions
    func checkIsExecutable(_ definition: Definition) {
        let span: Span
        let what: String
        switch definition {
        case .schema(let schema):
            span = schema.span
            what = "the schema"
        case .type(let type):
            span = type.name.span
            what = "type '\(type.name.text)'"
        case .directive(let directive):
            span = directive.name.span
            what = "directive '@\(directive.name.text)'"
        case .operation, .fragment: return
        }
        report(
            .typeSystemInDocument,
            "\(what) does not belong in a document with operations",
            at: span,
            suggestion: "move it to the schema or to a schema extension"
        )
    }
}
