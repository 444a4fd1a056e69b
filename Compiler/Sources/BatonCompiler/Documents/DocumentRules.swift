import BatonDiagnostics
import BatonSyntax

/// What Baton asks of all documents beyond the specification.
enum DocumentRules {
    /// No response key is one that the runtime uses, and fragment names do not differ in case alone, because their files
    /// would be one on some disks.
    static func check(_ documents: [LoadedDocument]) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        var fragments: [String: Name] = [:]
        for loaded in documents {
            for definition in loaded.document.definitions {
                switch definition {
                case .operation(let operation):
                    checkAliases(in: operation.selectionSet, &diagnostics)
                case .fragment(let fragment):
                    let name = fragment.name
                    if let other = fragments[name.text.lowercased()], other.text != name.text {
                        diagnostics.append(
                            Diagnostic(
                                .fragmentNameCase,
                                "the fragments '\(name.text)' and '\(other.text)' differ only in case",
                                at: name.span,
                                notes: [.init("'\(other.text)' is defined here", at: other.span)]
                            )
                        )
                    } else {
                        fragments[name.text.lowercased()] = name
                    }
                    checkAliases(in: fragment.selectionSet, &diagnostics)
                case .schema, .type, .directive: break
                }
            }
        }
        return diagnostics
    }

    /// Recursion is bounded by the nesting limit of the parser.
    private static func checkAliases(in set: SelectionSet, _ diagnostics: inout [Diagnostic]) {
        for selection in set.selections {
            switch selection {
            case .field(let field):
                if let alias = field.alias, alias.text.hasPrefix("__") {
                    diagnostics.append(
                        Diagnostic(
                            .reservedAlias,
                            "the alias '\(alias.text)' begins with '__', which is reserved",
                            at: alias.span
                        )
                    )
                }
                if let inner = field.selectionSet { checkAliases(in: inner, &diagnostics) }
            case .inlineFragment(let inline): checkAliases(in: inline.selectionSet, &diagnostics)
            case .fragmentSpread: break
            }
        }
    }
}
