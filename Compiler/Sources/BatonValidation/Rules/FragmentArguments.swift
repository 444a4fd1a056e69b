import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// An argument of a spread that the fragment does not declare.
struct UnknownFragmentArgument: Sendable {
    struct Key: Hashable {
        let fragment: Int
        let name: String
    }

    let key: Key
    let diagnostic: Diagnostic
}

/// Checks the arguments that Relay's `@arguments` passes to fragments against `@argumentDefinitions`.
///
/// Reference: https://relay.dev/docs/api-reference/graphql/graphql-directives/#arguments
extension Traversal {
    /// Checks `@arguments(name: value)` of a spread against the declarations of the fragment.
    func checkFragmentArguments(_ directive: Directive, target: Int?) {
        checkArgumentUniqueness(directive.arguments)
        if directive.name.text == "argumentDefinitions" {
            excuseVariables(in: directive.arguments)
            return
        }
        guard let target, directive.name.text == "arguments" else {
            visitUntyped(directive.arguments)
            if let target { warnOfUnknownArguments(directive, of: definitions.fragments[target]) }
            return
        }
        let fragment = definitions.fragments[target]
        let name = fragment.definition.name
        let declared = fragment.arguments ?? [:]
        var unknown: [Argument] = []
        for argument in directive.arguments {
            guard let declaration = declared[argument.name.text] else {
                visit(argument.value, nil)
                if !fragment.mayDeclareMore { unknown.append(argument) }
                continue
            }
            visit(argument.value, declaration.type, hasDefault: declaration.defaultValue != nil)
            if declaration.isProvided {
                report(
                    .providedArgument,
                    "argument '\(argument.name.text)' of fragment '\(name.text)' has a provider, nobody else may pass it",
                    at: argument.name.span,
                    notes: [.init("declared here", at: declaration.name.span)]
                )
            }
        }
        var meant = meantArguments(of: fragment, given: directive.arguments)
        for argument in unknown {
            let names = meant.names(for: argument.name.text)
            excusedArguments[target, default: []].formUnion(names)
            let diagnostic = Diagnostic.unknown(
                .unknownArgument,
                "unknown argument '\(argument.name.text)' of fragment '\(name.text)'",
                argument.name,
                notes: [.init("the fragment is here", at: name.span)],
                meant: names
            )
            let key = UnknownFragmentArgument.Key(fragment: target, name: argument.name.text)
            unknownFragmentArguments.append(UnknownFragmentArgument(key: key, diagnostic: diagnostic))
        }
        reportMissing(meant.missing, of: fragment, at: directive.name.span)
    }

    /// Warns of arguments that a fragment does not declare, of `@uncheckedArguments_DEPRECATED`: they have no effect.
    private func warnOfUnknownArguments(_ directive: Directive, of fragment: FragmentFacts) {
        if fragment.mayDeclareMore { return }
        let name = fragment.definition.name
        for argument in directive.arguments where fragment.arguments?[argument.name.text] == nil {
            report(
                .unknownArgument,
                severity: .warning,
                "fragment '\(name.text)' has no argument '\(argument.name.text)', so it has no effect",
                at: argument.name.span
            )
        }
    }

    /// Reports arguments that fragments do not declare. It runs when undefined variables are known: if the fragment
    /// uses an undefined variable of the name, its declaration is missing and the argument is right.
    func reportUnknownFragmentArguments() {
        for unknown in unknownFragmentArguments where !undefinedInFragments.contains(unknown.key) {
            diagnostics.append(unknown.diagnostic)
        }
    }

    /// Checks that a spread without `@arguments` is of a fragment without required arguments.
    func checkRequiredFragmentArguments(_ spread: FragmentSpread, target: Int?) {
        guard let target, definitions.fragments[target].arguments != nil else { return }
        let fragment = definitions.fragments[target]
        // The check of `@arguments` covers spreads with this directive. An unknown directive may mean it.
        for directive in spread.directives {
            if schema.directive(named: directive.name.text)?.takesAnyArgument == true
                || schema.directive(named: directive.name.text) == nil
            {
                return
            }
        }
        reportMissing(meantArguments(of: fragment, given: []).missing, of: fragment, at: spread.name.span)
    }

    /// Checks that a variable of the fragment itself fits the place of its use.
    func checkLocalUse(_ expected: ExpectedValue) {
        guard case .variable(let variable) = expected.value, let local = localArguments?[variable.name],
            let type = local.type
        else { return }
        let usage = VariableUsage(variable: variable, expected)
        checkUsageIsAllowed(usage, type: type, defaultValue: local.defaultValue, definedAt: local.name.span)
    }

    private func meantArguments(of fragment: FragmentFacts, given: [Argument]) -> MeantNames {
        let declared = (fragment.arguments ?? [:]).values.filter { !$0.isProvided }
        return MeantNames(
            defined: declared.map(\.name.text),
            given: given.map(\.name.text),
            missing: declared.filter { argument in
                argument.isRequired && !given.contains { $0.name.text == argument.name.text }
            }.map(\.name.text)
        )
    }

    private func reportMissing(_ names: [String], of fragment: FragmentFacts, at span: Span) {
        for name in names.sorted() {
            guard let argument = fragment.arguments?[name], let type = argument.type else { continue }
            report(
                .missingArgument,
                "fragment '\(fragment.definition.name.text)' needs argument '\(name)' of type '\(schema.describe(type))'",
                at: span,
                notes: [.init("declared here", at: argument.name.span)]
            )
        }
    }

    /// Checks that a fragment uses every argument that it declares. A violation is a warning, because Relay accepts it.
    func checkFragmentArgumentsUsed() {
        for index in definitions.fragments.indices {
            guard definitions.fragments[index].arguments != nil, !definitions.fragments[index].definition.isBroken
            else {
                continue
            }
            let fragment = definitions.fragments[index]
            let arguments = (fragment.arguments ?? [:]).values.sorted { $0.name.span < $1.name.span }
            for argument in arguments where !argument.mayBeUnused && !argument.isWrong {
                let name = argument.name.text
                if fragment.facts.usedArguments.contains(name) { continue }
                if excusedArguments[index]?.contains(name) == true { continue }
                report(
                    .unusedFragmentArgument,
                    severity: .warning,
                    "argument '\(name)' of fragment '\(fragment.definition.name.text)' is never used",
                    at: argument.name.span
                )
            }
        }
    }
}
