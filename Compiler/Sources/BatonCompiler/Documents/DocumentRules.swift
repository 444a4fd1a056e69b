import BatonDiagnostics
import BatonSyntax

/// What Baton asks of documents beyond the specification.
enum DocumentRules {
    /// Every operation has a name, no response key is one that the runtime uses, and fragment names do not differ in case alone
    /// when one of them is in a Swift file.
    static func check(_ documents: [LoadedDocument]) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        var fragments: [String: (name: Name, isInSwift: Bool)] = [:]
        for loaded in documents {
            for definition in loaded.document.definitions {
                switch definition {
                case .operation(let operation):
                    if operation.name == nil {
                        let start = operation.span.start
                        let span = Span(source: operation.span.source, start: start, end: start + 1)
                        diagnostics.append(
                            Diagnostic(
                                .operationName, "an operation needs a name, since its Swift type has it", at: span)
                        )
                    }
                    check(operation.selectionSet, &diagnostics)
                case .fragment(let fragment):
                    let name = fragment.name
                    let key = name.text.lowercased()
                    if let other = fragments[key], other.name.text != name.text, other.isInSwift || loaded.isInSwift {
                        diagnostics.append(
                            Diagnostic(
                                .definitionName,
                                "the fragment '\(name.text)' differs from '\(other.name.text)' in case alone",
                                at: name.span,
                                notes: [.init("the other fragment is here", at: other.name.span)]
                            )
                        )
                    } else {
                        fragments[key] = (name, loaded.isInSwift)
                    }
                    check(fragment.selectionSet, &diagnostics)
                case .schema, .type, .directive:
                    diagnostics.append(
                        Diagnostic(
                            .unexpectedDefinition,
                            "a document with operations and fragments cannot define parts of a schema",
                            at: definition.span,
                            suggestion: "move it to a file of 'schema' or 'schemaExtensions' in baton.json"
                        )
                    )
                }
            }
        }
        return diagnostics
    }

    /// Recursion is bounded by the nesting limit of the parser.
    private static func check(_ set: SelectionSet, _ diagnostics: inout [Diagnostic]) {
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
                if let inner = field.selectionSet { check(inner, &diagnostics) }
            case .inlineFragment(let inline): check(inline.selectionSet, &diagnostics)
            case .fragmentSpread: break
            }
        }
    }
}
