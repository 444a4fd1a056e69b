import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let argumentNames = ValidationRule(.arguments, "ArgumentNames", .arguments { $0.checkArgumentNames($1) })
}

extension Traversal {
    /// Checks that the field or directive defines every given argument.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Argument-Names
    func checkArgumentNames(_ given: GivenArguments) {
        for (name, meant) in given.unknown {
            let message = "unknown argument '\(name.text)' of \(given.owner.description)"
            reportUnknown(.unknownArgument, message, name, meant: meant)
        }
    }
}
