import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let variablesAreInputTypes = ValidationRule(
        .variables, "VariablesAreInputTypes",
        .variable { $0.checkIsInputType($1) })
}

extension Traversal {
    /// Checks that the type of a variable exists and is an input type.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Variables-Are-Input-Types
    func checkIsInputType(_ variable: VariableDefinition) {
        let name = variable.type.innermost
        guard let type = schema.type(named: name.text) else {
            let meant = Spelling.suggestions(for: name.text, among: inputTypeNames)
            reportUnknown(.unknownType, "unknown type '\(name.text)'", name, meant: meant)
            return
        }
        guard type.isInput else {
            report(
                .invalidVariableType,
                "variable '$\(variable.name.text)' cannot have type '\(type.name)', which is no input type",
                at: name.span
            )
            return
        }
        if schema.resolve(variable.type) != nil { return }
        report(
            .typeNesting,
            "the type of '$\(variable.name.text)' has more than \(TypeReference.maximumDepth) lists and exclamation marks",
            at: variable.type.span
        )
    }
}
