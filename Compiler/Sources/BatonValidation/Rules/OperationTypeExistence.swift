import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let operationTypeExistence = ValidationRule(
        .operations, "OperationTypeExistence",
        .operation { $0.checkOperationType($1) })
}

extension Traversal {
    /// Checks that the schema has the root type of an operation.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Operation-Type-Existence
    func checkOperationType(_ operation: OperationDefinition) {
        if schema.rootType(for: operation.kind) != nil { return }
        report(
            .missingRootType,
            "the schema has no \(operation.kind.rawValue) type",
            at: operation.keywordSpan
        )
    }
}
