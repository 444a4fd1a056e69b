import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let fragmentArguments = ValidationRule(
        .relay, "FragmentArguments",
        .spread { $0.checkRequiredFragmentArguments($1, target: $2) },
        .value { $0.checkLocalUse($1) },
        .spread { traversal, spread, _ in traversal.checkOneDirectivePassesArguments(spread) },
        .fragmentArguments { $0.checkFragmentArguments($1.directive, target: $1.target, isAlone: $1.passesAlone) },
        .followed { $0.checkFragmentArgumentsUsed() },
        .followed { $0.reportUnknownFragmentArguments() })
}

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
    ///
    /// `@uncheckedArguments_DEPRECATED` may pass arguments that the fragment does not declare, and values that do not
    /// fit. Each of these is a warning. Like Relay, the check refuses the directive if all arguments fit. `isAlone` is
    /// true if no other directive of the spread passes arguments; several such directives are a mistake of their own.
    func checkFragmentArguments(_ directive: Directive, target: Int?, isAlone: Bool) {
        checkArgumentUniqueness(directive.arguments)
        if directive.name.text == "argumentDefinitions" {
            excuseVariables(in: directive.arguments)
            return
        }
        guard let target else { return visitUntyped(directive.arguments) }
        let fragment = definitions.fragments[target]
        let name = fragment.definition.name
        let isUnchecked = directive.name.text != "arguments"
        var unknown: [Argument] = []
        var fits = !fragment.mayDeclareMore
        let reportCount = diagnostics.count
        defer { passingTarget = nil }
        for argument in directive.arguments {
            let declaration = fragment.arguments?[argument.name.text]
            if isUnchecked || declaration != nil {
                passingTarget = PassingTarget(fragment: target, argument: declaration?.name.text)
            }
            guard let declaration else {
                visit(argument.value, nil)
                if !fragment.mayDeclareMore { unknown.append(argument) }
                continue
            }
            if isUnchecked, !mayFit(argument.value, declaration) { fits = false }
            let before = diagnostics.count
            visit(
                argument.value, declaration.type, hasDefault: declaration.defaultValue != nil, isUnchecked: isUnchecked)
            if isUnchecked, lower(after: before) { fits = false }
            if declaration.isProvided {
                report(
                    .providedArgument,
                    "argument '\(argument.name.text)' of fragment '\(name.text)' has a provider, nobody else may pass it",
                    at: argument.name.span,
                    notes: [.init("declared here", at: declaration.name.span)]
                )
            }
        }
        if isUnchecked {
            for argument in unknown { warn(ofUnknown: argument, of: name) }
            let missing = missingArguments(of: fragment, given: directive.arguments)
            reportMissing(missing, of: fragment, at: directive.name.span)
            let hasErrors = diagnostics[reportCount...].hasErrors
            if isAlone, fits, unknown.isEmpty, !hasErrors { reportNeedless(directive, to: name) }
        } else {
            let meant = reportUnknown(unknown, of: fragment, target, given: directive.arguments)
            reportMissing(meant.missing, of: fragment, at: directive.name.span)
        }
    }

    /// Whether the value that a spread passes to an argument has an effect: the fragment uses the argument, or passes
    /// it on to an argument whose value has an effect.
    func hasEffect(_ target: PassingTarget) -> Bool {
        guard let argument = target.argument else { return false }
        let effective = definitions.effectiveArguments ?? effectiveArguments()
        definitions.effectiveArguments = effective
        return effective.contains(PassingTarget(fragment: target.fragment, argument: argument))
    }

    private func effectiveArguments() -> Set<PassingTarget> {
        var effective: Set<PassingTarget> = []
        var passing: [PassingTarget: [PassingTarget]] = [:]
        var pending: [PassingTarget] = []
        for (index, fragment) in definitions.fragments.enumerated() {
            pending += fragment.facts.effectiveArguments.map { PassingTarget(fragment: index, argument: $0) }
            for passed in fragment.facts.passedArguments {
                passing[passed.target, default: []].append(PassingTarget(fragment: index, argument: passed.name))
            }
        }
        while let next = pending.popLast() {
            if effective.insert(next).inserted { pending += passing[next] ?? [] }
        }
        return effective
    }

    /// Turns the errors in an unchecked value into warnings with one id. Returns whether there was an error.
    private func lower(after count: Int) -> Bool {
        var isLowered = false
        for index in count..<diagnostics.count where diagnostics[index].severity == .error {
            diagnostics[index].id = .invalidValue
            diagnostics[index].severity = .warning
            isLowered = true
        }
        return isLowered
    }

    /// Records the arguments that a fragment does not declare. Returns the names that they may mean, and the missing
    /// names.
    private func reportUnknown(
        _ unknown: [Argument], of fragment: FragmentFacts, _ target: Int, given: [Argument]
    ) -> MeantNames {
        var meant = meantArguments(of: fragment, given: given)
        let name = fragment.definition.name
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
        return meant
    }

    private func warn(ofUnknown argument: Argument, of fragment: Name) {
        report(
            .unknownArgument,
            severity: .warning,
            "fragment '\(fragment.text)' has no argument '\(argument.name.text)', so it has no effect",
            at: argument.name.span
        )
    }

    private func reportNeedless(_ directive: Directive, to fragment: Name) {
        report(
            .needlessSuppression,
            "all arguments fit the fragment '\(fragment.text)', so they can be checked",
            at: directive.name.span,
            suggestion: "write '@arguments'",
            fix: Diagnostic.Fix("@arguments", at: directive.name.span)
        )
    }

    /// Whether a variable may fit an argument, as far as the definition tells.
    private func mayFit(_ value: Value, _ declaration: FragmentArgument) -> Bool {
        guard case .variable(let variable) = value, let expected = declaration.type else { return true }
        func fits(_ type: TypeReference, _ defaultValue: Value?) -> Bool {
            let hasDefault = declaration.defaultValue != nil || defaultValue.map { !$0.isNull } ?? false
            return Self.isAllowed(type, where: expected, hasDefault: hasDefault)
        }
        if let local = localArguments?[variable.name] { return local.type.map { fits($0, local.defaultValue) } ?? true }
        if let own = currentVariables.first(where: { $0.name.text == variable.name }) {
            return inputType(of: own).map { fits($0, own.defaultValue) } ?? true
        }
        return facts.usages.allSatisfy { usage in
            usage.variable.name != variable.name || usage.type.map { areCompatible($0, expected) } ?? true
        }
    }

    /// Whether a directive of a spread passes arguments to the fragment.
    static func passesArguments(_ directive: Directive) -> Bool {
        directive.name.text == "arguments" || directive.name.text == "uncheckedArguments_DEPRECATED"
    }

    /// Checks that a spread has one directive that passes arguments.
    func checkOneDirectivePassesArguments(_ spread: FragmentSpread) {
        let passing = spread.directives.filter(Self.passesArguments)
        guard passing.count > 1, let other = passing.first(where: { $0.name.text != passing[0].name.text }) else {
            return
        }
        report(
            .duplicateDirective,
            "the arguments of a spread stand in one directive",
            at: other.name.span,
            notes: [.init("others are passed here", at: passing[0].name.span)]
        )
    }

    /// Reports arguments that fragments do not declare. The check runs when undefined variables are known. If the
    /// fragment uses an undefined variable of the same name, its declaration is missing and the argument is right.
    func reportUnknownFragmentArguments() {
        for unknown in unknownFragmentArguments where !undefinedInFragments.contains(unknown.key) {
            diagnostics.append(unknown.diagnostic)
        }
    }

    /// Checks that the fragment of a spread without `@arguments` has no required arguments.
    func checkRequiredFragmentArguments(_ spread: FragmentSpread, target: Int?) {
        guard let target, definitions.fragments[target].arguments != nil else { return }
        let fragment = definitions.fragments[target]
        // The check of `@arguments` covers spreads with this directive. An unknown directive may be a misspelled
        // `@arguments`.
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
            missing: missingArguments(of: fragment, given: given)
        )
    }

    /// The names of the arguments that a spread must pass and does not pass.
    private func missingArguments(of fragment: FragmentFacts, given: [Argument]) -> [String] {
        (fragment.arguments ?? [:]).values.filter { argument in
            argument.isRequired && !given.contains { $0.name.text == argument.name.text }
        }.map(\.name.text)
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

    /// Checks that a fragment uses every argument that it declares, and no argument that it declares as unused.
    func checkFragmentArgumentsUsed() {
        for index in definitions.fragments.indices {
            guard definitions.fragments[index].arguments != nil, !definitions.fragments[index].definition.isBroken
            else {
                continue
            }
            let fragment = definitions.fragments[index]
            let arguments = (fragment.arguments ?? [:]).values.sorted { $0.name.span < $1.name.span }
            for argument in arguments where !argument.isWrong {
                let name = argument.name.text
                if fragment.facts.usedArguments.contains(name) {
                    guard let mark = argument.unusedMark else { continue }
                    report(
                        .needlessSuppression,
                        "argument '\(name)' of fragment '\(fragment.definition.name.text)' is used",
                        at: mark,
                        suggestion: "leave out 'unusedLocalVariable_DEPRECATED'"
                    )
                    continue
                }
                if argument.unusedMark != nil || excusedArguments[index]?.contains(name) == true { continue }
                report(
                    .unusedFragmentArgument,
                    "argument '\(name)' of fragment '\(fragment.definition.name.text)' is never used",
                    at: argument.name.span
                )
            }
        }
    }
}
