import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Baton's own rules for the documents of a project.
enum DocumentRules {
    /// Checks that no response key and no variable is reserved for the compiler, that no type is selected at a root,
    /// and that fragment names do not differ in case alone.
    ///
    /// Fragments whose names differ in case alone would share one file on disks that ignore case. `usesRelay` is true
    /// if documents use Relay's directives; then a violation of a rule that Relay has too is an error in a project.
    /// `refusedRoots` are fields at roots that another rule has refused.
    static func check(
        _ documents: [LoadedDocument], _ schema: Schema, severity: Severity, usesRelay: Bool,
        refusedRoots: Set<Span>, _ workers: Workers
    ) -> [Diagnostic] {
        let selections = workers.map(documents) { $0.flatMap { checkSelections(in: $0, schema, refusedRoots) } }
        let found = checkFragmentNames(documents) + selections.joined()
        return found.map { diagnostic in
            var diagnostic = diagnostic
            if usesRelay, severity == .error, relayRules.contains(diagnostic.id) {
                diagnostic.severity = .error
            } else if diagnostic.severity == .error {
                diagnostic.severity = severity
            }
            return diagnostic
        }
    }

    /// The rules that Relay has too. They are as strict as Relay's in documents that use Relay's directives.
    private static let relayRules: Set<DiagnosticID> = [.reservedAlias, .rootTypename]

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

    private static func checkSelections(
        in loaded: LoadedDocument, _ schema: Schema, _ refused: Set<Span>
    ) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        for definition in loaded.document.definitions {
            switch definition {
            case .operation(let operation):
                checkVariables(of: operation, &diagnostics)
                let severity: Severity = operation.kind == .subscription ? .warning : .error
                checkRoot(operation.selectionSet, severity, besides: refused, &diagnostics)
                checkAliases(in: operation.selectionSet, schema.names.nodeInterfaceIDField, &diagnostics)
            case .fragment(let fragment):
                let type = schema.type(named: fragment.typeCondition.text)
                // An assignable fragment has only this selection.
                let isAssignable = fragment.directives.contains { $0.name.text == "assignable" }
                if let type, schema.isRoot(type), !isAssignable {
                    let severity: Severity = type === schema.subscriptionType ? .warning : .error
                    checkRoot(fragment.selectionSet, severity, besides: refused, &diagnostics)
                }
                checkAliases(in: fragment.selectionSet, schema.names.nodeInterfaceIDField, &diagnostics)
            case .schema, .type, .directive: break
            }
        }
        return diagnostics
    }

    /// Checks that no variable has a name that is reserved for the values of providers.
    private static func checkVariables(of operation: OperationDefinition, _ diagnostics: inout [Diagnostic]) {
        let prefix = "__relay_internal"
        for variable in operation.variables where variable.name.text.hasPrefix(prefix) {
            diagnostics.append(
                Diagnostic(
                    .reservedName, "a variable must not begin with '\(prefix)'", at: variable.name.span,
                    suggestion: "choose another name"))
        }
    }

    /// Checks that `__typename` is not selected on a root type. Relay refuses this selection, because the answer is
    /// known. Applications of other clients select it in subscriptions. It is therefore a warning there without Relay's
    /// directives.
    private static func checkRoot(
        _ set: SelectionSet, _ severity: Severity, besides refused: Set<Span>, _ diagnostics: inout [Diagnostic]
    ) {
        for case .field(let field) in set.selections where field.name.text == "__typename" {
            if refused.contains(field.responseKey.span) { continue }
            diagnostics.append(
                Diagnostic(
                    .rootTypename,
                    severity: severity,
                    "the type at the root of an operation is known without '__typename'",
                    at: field.responseKey.span,
                    suggestion: "leave it out"
                )
            )
        }
    }

    /// The parser's nesting limit bounds the recursion.
    private static func checkAliases(
        in set: SelectionSet, _ identifier: String, _ diagnostics: inout [Diagnostic]
    ) {
        for selection in set.selections {
            switch selection {
            case .field(let field):
                if let alias = field.alias { checkAlias(alias, of: field.name.text, identifier, &diagnostics) }
                if let inner = field.selectionSet { checkAliases(in: inner, identifier, &diagnostics) }
            case .inlineFragment(let inline): checkAliases(in: inline.selectionSet, identifier, &diagnostics)
            case .fragmentSpread: break
            }
        }
    }

    /// Relay refuses the alias `id` of another field, because an answer has no other `id` then; without Relay's
    /// directives it is a warning, because applications of other clients have it. The schema may have another name for
    /// the field.
    private static func checkAlias(
        _ alias: Name, of field: String, _ identifier: String, _ diagnostics: inout [Diagnostic]
    ) {
        if alias.text.hasPrefix("__") {
            let message = "the alias '\(alias.text)' begins with '__', which is reserved"
            diagnostics.append(Diagnostic(.reservedAlias, message, at: alias.span))
        } else if alias.text == identifier, field != identifier {
            let message =
                "the alias '\(identifier)' hides the field '\(identifier)', without which an object is stored by its "
                + "place alone"
            diagnostics.append(
                Diagnostic(
                    .reservedAlias, severity: .warning, message, at: alias.span, suggestion: "choose another alias"))
        }
    }
}

extension Schema {
    /// Whether operations start at a type.
    fileprivate func isRoot(_ type: SchemaType) -> Bool {
        type === queryType || type === mutationType || type === subscriptionType
    }
}
