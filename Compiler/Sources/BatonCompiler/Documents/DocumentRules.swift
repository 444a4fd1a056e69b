import BatonDiagnostics
import BatonSyntax

/// Baton's own rules for the documents of a project.
enum DocumentRules {
    /// Checks that no response key is reserved for the runtime, and that fragment names do not differ in case alone.
    ///
    /// Such fragments would share one file on disks that ignore case.
    static func check(_ documents: [LoadedDocument], severity: Severity, _ workers: Workers) -> [Diagnostic] {
        let found = checkFragmentNames(documents) + workers.map(documents) { $0.flatMap(checkAliases) }.joined()
        return found.map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.severity = severity
            return diagnostic
        }
    }

    private static func checkFragmentNames(_ documents: [LoadedDocument]) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        var fragments: [String: Name] = [:]
        for loaded in documents {
            for definition in loaded.document.definitions {
                guard case .fragment(let fragment) = definition else { continue }
                let name = fragment.name
                let key = name.text.lowercased()
                guard let other = fragments[key], other.text != name.text else {
                    fragments[key] = name
                    continue
                }
                diagnostics.append(
                    Diagnostic(
                        .fragmentNameCase,
                        "the fragments '\(name.text)' and '\(other.text)' differ only in case",
                        at: name.span,
                        notes: [.init("'\(other.text)' is defined here", at: other.span)]
                    )
                )
            }
        }
        return diagnostics
    }

    private static func checkAliases(in loaded: LoadedDocument) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        for definition in loaded.document.definitions {
            switch definition {
            case .operation(let operation): checkAliases(in: operation.selectionSet, &diagnostics)
            case .fragment(let fragment): checkAliases(in: fragment.selectionSet, &diagnostics)
            case .schema, .type, .directive: break
            }
        }
        return diagnostics
    }

    /// The parser's nesting limit bounds the recursion.
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
