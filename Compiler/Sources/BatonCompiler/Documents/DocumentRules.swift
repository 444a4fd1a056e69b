import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Baton's own rules for the documents of a project.
struct DocumentRules {
    private let schema: Schema
    /// The severity of what breaks a rule.
    private let severity: Severity
    /// The severity of what Relay takes for a mistake and other clients do not.
    private let relaysSeverity: Severity
    /// Fields at roots that a rule of the specification has refused, which are reported once.
    private let refusedRoots: Set<Span>
    private var diagnostics: [Diagnostic] = []

    /// Checks that no response key and no variable is reserved for the compiler, that no type is asked for at the root,
    /// and that fragment names do not differ in case alone.
    ///
    /// Fragments whose names differ in case alone would share one file on disks that ignore case. `usesRelay` is true
    /// if documents use Relay's directives; then a violation of a rule that Relay has too is an error in a project.
    /// `refusedRoots` are fields at roots that another rule has refused.
    static func check(
        _ documents: [LoadedDocument], _ schema: Schema, severity: Severity, usesRelay: Bool,
        refusedRoots: Set<Span>, _ workers: Workers
    ) -> [Diagnostic] {
        let rules = DocumentRules(
            schema: schema, severity: severity, relaysSeverity: usesRelay ? severity : .warning,
            refusedRoots: refusedRoots)
        var whole = rules
        whole.checkFragmentNames(documents)
        let selections = workers.map(documents) { documents in
            var rules = rules
            for loaded in documents { rules.checkSelections(in: loaded) }
            return rules.diagnostics
        }
        return whole.diagnostics + selections.joined()
    }

    private init(schema: Schema, severity: Severity, relaysSeverity: Severity, refusedRoots: Set<Span>) {
        self.schema = schema
        self.severity = severity
        self.relaysSeverity = relaysSeverity
        self.refusedRoots = refusedRoots
    }

    private mutating func report(
        _ id: DiagnosticID, _ severity: Severity, _ message: String, at span: Span, notes: [Diagnostic.Note] = [],
        suggestion: String? = nil
    ) {
        diagnostics.append(
            Diagnostic(id, severity: severity, message, at: span, notes: notes, suggestion: suggestion))
    }

    private mutating func checkFragmentNames(_ documents: [LoadedDocument]) {
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
                report(
                    .fragmentNameCase, severity,
                    "the fragments '\(name.text)' and '\(other.text)' differ only in case", at: name.span,
                    notes: [.init("'\(other.text)' is defined here", at: other.span)])
            }
        }
    }

    private mutating func checkSelections(in loaded: LoadedDocument) {
        for definition in loaded.document.definitions {
            switch definition {
            case .operation(let operation):
                checkVariables(of: operation)
                checkRoot(operation.selectionSet, isSubscription: operation.kind == .subscription)
                checkAliases(in: operation.selectionSet)
            case .fragment(let fragment):
                let type = schema.type(named: fragment.typeCondition.text)
                // An assignable fragment has only this selection.
                let isAssignable = fragment.directives.contains { $0.name.text == "assignable" }
                if let type, schema.isRoot(type), !isAssignable {
                    checkRoot(fragment.selectionSet, isSubscription: type === schema.subscriptionType)
                }
                checkAliases(in: fragment.selectionSet)
            case .schema, .type, .directive: break
            }
        }
    }

    /// Checks that no variable has a name that the values of providers have.
    private mutating func checkVariables(of operation: OperationDefinition) {
        let prefix = "__relay_internal"
        for variable in operation.variables where variable.name.text.hasPrefix(prefix) {
            report(
                .reservedName, severity, "a variable must not begin with '\(prefix)'", at: variable.name.span,
                suggestion: "choose another name")
        }
    }

    /// Checks that `__typename` is not selected on a root type. Relay refuses this selection, because the answer is
    /// known. Applications of other clients select it in subscriptions. It is therefore a warning there without Relay's
    /// directives.
    private mutating func checkRoot(_ set: SelectionSet, isSubscription: Bool) {
        for case .field(let field) in set.selections where field.name.text == "__typename" {
            if refusedRoots.contains(field.responseKey.span) { continue }
            report(
                .rootTypename, isSubscription ? relaysSeverity : severity,
                "the type at the root of an operation is known without '__typename'", at: field.responseKey.span,
                suggestion: "leave it out")
        }
    }

    /// Checks all aliases in a set. The parser's nesting limit bounds the recursion.
    private mutating func checkAliases(in set: SelectionSet) {
        for selection in set.selections {
            switch selection {
            case .field(let field):
                if let alias = field.alias { checkAlias(alias, of: field.name.text) }
                if let inner = field.selectionSet { checkAliases(in: inner) }
            case .inlineFragment(let inline): checkAliases(in: inline.selectionSet)
            case .fragmentSpread: break
            }
        }
    }

    /// Checks one alias. Relay refuses the alias `id` of another field, because an answer then has no other `id`.
    /// Without Relay's directives such an alias is a warning, because applications of other clients use it. The schema
    /// may have another name for the field.
    private mutating func checkAlias(_ alias: Name, of field: String) {
        if alias.text.hasPrefix("__") {
            let message = "the alias '\(alias.text)' begins with '__', which is reserved"
            report(.reservedAlias, severity, message, at: alias.span)
            return
        }
        let identifier = schema.names.nodeInterfaceIDField
        if alias.text == identifier, field != identifier {
            let message =
                "the alias '\(identifier)' hides the field '\(identifier)', without which an object is stored by its "
                + "place alone"
            report(.reservedAlias, relaysSeverity, message, at: alias.span, suggestion: "choose another alias")
        }
    }
}
