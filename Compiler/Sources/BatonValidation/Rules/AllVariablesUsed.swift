import BatonDiagnostics
import BatonSyntax

extension Traversal {
    /// Checks that every variable of an operation is used, in the operation or in a fragment that it reaches.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-All-Variables-Used
    func checkVariablesUsed(_ followed: FollowedOperation) {
        for definition in followed.operation.definition.variables {
            let name = definition.name
            guard let variable = followed.variables[name.text], !variable.isUsed, !followed.excused.contains(name.text),
                variable.span == name.span
            else { continue }
            report(.unusedVariable, "variable '$\(name.text)' is never used", at: name.span)
        }
    }
}
