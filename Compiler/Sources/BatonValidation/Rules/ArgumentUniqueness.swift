import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let argumentUniqueness = ValidationRule(
        .arguments, "ArgumentUniqueness",
        .arguments { $0.checkArgumentUniqueness($1.arguments) })
}

extension Traversal {
    /// Checks that no argument is given twice.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Argument-Uniqueness
    func checkArgumentUniqueness(_ arguments: [Argument]) {
        checkNames(arguments.lazy.map(\.name), .duplicateArgument, "argument")
    }

    /// Reports names that occur twice; the rules on uniqueness within one place share this function.
    func checkNames(_ names: some Collection<Name>, _ id: DiagnosticID, _ role: String, sign: String = "") {
        if names.count < 2 { return }
        var seen: [String: Span] = [:]
        for name in names {
            if let first = seen[name.text] {
                report(
                    id,
                    "\(role) '\(sign)\(name.text)' is given twice",
                    at: name.span,
                    notes: [.init("first given here", at: first)]
                )
            } else {
                seen[name.text] = name.span
            }
        }
    }
}
