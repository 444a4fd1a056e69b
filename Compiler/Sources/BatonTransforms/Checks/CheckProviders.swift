import BatonDiagnostics
import BatonIR
import BatonSchema

extension DocumentCheck {
    static let providers = DocumentCheck(
        .mistake, "CheckProviders", [.unusableProvider], .written { CheckProviders.check($0.program) })
}

/// Checks that each variable that `ProvideVariables` makes belongs to one provider, with one type.
///
/// Reference: https://relay.dev/docs/api-reference/graphql/graphql-directives/#provided-variables
enum CheckProviders {
    static func check(_ program: Program) -> [Diagnostic] {
        var known: [String: (argument: FragmentArgument, provider: String)] = [:]
        var diagnostics: [Diagnostic] = []
        for fragment in program.fragments {
            for argument in fragment.arguments {
                guard let provider = argument.provider else { continue }
                let name = ProvideVariables.variableName(of: provider)
                guard let first = known[name] else {
                    known[name] = (argument, provider)
                    continue
                }
                let note = Diagnostic.Note("the other one is here", at: first.argument.span)
                if first.provider != provider {
                    let message =
                        "the providers '\(provider)' and '\(first.provider)' would be one variable, '$\(name)'"
                    diagnostics.append(Diagnostic(.unusableProvider, message, at: argument.span, notes: [note]))
                } else if first.argument.type != argument.type {
                    let type = program.schema.describe(argument.type)
                    let other = program.schema.describe(first.argument.type)
                    let message = "the provider '\(provider)' has the type '\(type)' here, and '\(other)' elsewhere"
                    diagnostics.append(Diagnostic(.unusableProvider, message, at: argument.span, notes: [note]))
                }
            }
        }
        return diagnostics
    }
}
