import BatonDiagnostics
import BatonSyntax

extension Traversal {
    /// Every operation has a name. The specification allows one without where it is alone; generated code needs it.
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
