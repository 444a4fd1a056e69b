import BatonDiagnostics
import BatonSyntax

extension ValidationRule {
    static let variableUniqueness = ValidationRule(
        .variables, "VariableUniqueness",
        .operation { $0.checkVariableUniqueness($1) })
}

extension Traversal {
    /// Checks that no variable of an operation is defined twice.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Variable-Uniqueness
    func checkVariableUniqueness(_ operation: OperationDefinition) {
        if operation.variables.count < 2 { return }
        var seen: [String: Span] = [:]
        for variable in operation.variables {
            let name = variable.name
            if let first = seen[name.text] {
                report(
                    .duplicateVariable,
                    "variable '$\(name.text)' is defined twice",
                    at: name.span,
                    notes: [.init("first defined here", at: first)]
                )
            } else {
                seen[name.text] = name.span
            }
        }
    }
}
