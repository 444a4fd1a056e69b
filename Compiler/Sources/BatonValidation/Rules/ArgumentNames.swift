import BatonDiagnostics
import BatonSyntax

extension Traversal {
    /// Every argument is defined by the field or directive.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Argument-Names
    func checkArgumentNames(_ given: GivenArguments) {
        for (name, meant) in given.unknown {
            let message = "unknown argument '\(name.text)' of \(given.owner.description)"
            reportUnknown(.unknownArgument, message, name, meant: meant)
        }
    }
}
