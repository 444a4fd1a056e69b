import BatonDiagnostics
import BatonSyntax

extension ValidationRule {
    static let operationNameUniqueness = ValidationRule(
        .operations, "OperationNameUniqueness",
        .collected { $0.checkOperationNameUniqueness() })
}

extension Traversal {
    /// Checks that the operations of all documents have different names. Broken definitions are skipped.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Operation-Name-Uniqueness
    func checkOperationNameUniqueness() {
        var seen: [String: Name] = [:]
        for operation in definitions.operations where !operation.definition.isBroken {
            guard let name = operation.definition.name else { continue }
            if let first = seen[name.text] {
                report(
                    .duplicateOperation,
                    "operation '\(name.text)' is defined twice",
                    at: name.span,
                    notes: [.init("first defined here", at: first.span)]
                )
            } else {
                seen[name.text] = name
            }
        }
    }
}
