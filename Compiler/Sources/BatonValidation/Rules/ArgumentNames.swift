import BatonDiagnostics
import BatonSyntax

extension Traversal {
    /// Every argument is defined by the field or directive; this one is not.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Argument-Names
    func reportUnknownArgument(_ argument: Argument, of owner: ArgumentOwner, meant: inout MeantNames) {
        let name = argument.name.text
        let message = "unknown argument '\(name)' of \(owner.description)"
        reportUnknown(.unknownArgument, message, argument.name, meant: meant.names(for: name))
    }
}
