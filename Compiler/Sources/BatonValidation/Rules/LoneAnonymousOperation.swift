import BatonDiagnostics
import BatonSyntax

extension ValidationRule {
    static let loneAnonymousOperation = ValidationRule(
        .operations, "LoneAnonymousOperation",
        .operation { $0.checkHasName($1) })
}

extension Traversal {
    /// Checks that every operation has a name. The specification allows a single operation without a name, but
    /// generated code needs the name.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Lone-Anonymous-Operation
    func checkHasName(_ operation: OperationDefinition) {
        guard operation.name == nil else { return }
        report(
            .anonymousOperation,
            "the \(operation.kind.rawValue) has no name",
            at: operation.keywordSpan,
            suggestion: "write '\(operation.kind.rawValue) Name'"
        )
    }
}
