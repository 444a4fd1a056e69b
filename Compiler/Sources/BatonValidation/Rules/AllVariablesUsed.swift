import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let allVariablesUsed = ValidationRule(
        .variables, "AllVariablesUsed",
        .variablesOfOperation { $0.checkVariablesUsed($1) })
}

extension Traversal {
    /// Checks that every variable of an operation is used, in the operation or in a fragment that it reaches. Relay has
    /// a directive that turns this off; a variable that is not used is not sent.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-All-Variables-Used
    func checkVariablesUsed(_ followed: FollowedOperation) {
        let definition = followed.operation.definition
        let unused = definition.variables.filter { defined in
            followed.variables[defined.name.text].map { !$0.isUsed && $0.span == defined.name.span } ?? false
        }
        let ignored = "DEPRECATED__relay_ignore_unused_variables_error"
        if let directive = definition.directives.first(where: { $0.name.text == ignored }) {
            if unused.isEmpty {
                report(
                    .needlessSuppression, "every variable of the operation is used", at: directive.name.span,
                    suggestion: "leave out '@\(ignored)'")
            }
            return
        }
        // An unknown directive may be a misspelling of the one that allows unused variables.
        if definition.directives.contains(where: { schema.directive(named: $0.name.text) == nil }) { return }
        for variable in unused where !followed.excused.contains(variable.name.text) {
            report(.unusedVariable, "variable '$\(variable.name.text)' is never used", at: variable.name.span)
        }
    }
}
