import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Traversal {
    /// Reads `@argumentDefinitions(name: {type: "Int!", defaultValue: 10})`, which gives a fragment variables of its own.
    ///
    /// Reference: https://relay.dev/docs/api-reference/graphql/graphql-directives/#argumentdefinitions
    func fragmentArguments(of fragment: FragmentDefinition) -> [String: FragmentArgument]? {
        guard let directive = fragment.directives.first(where: { $0.name.text == "argumentDefinitions" }) else {
            return nil
        }
        var arguments: [String: FragmentArgument] = [:]
        for argument in directive.arguments {
            var type: TypeReference?
            var defaultValue: Value?
            var isProvided = false
            if case .object(let object) = argument.value {
                for field in object.fields {
                    switch (field.name.text, field.value) {
                    case ("type", .string(let text)): type = argumentType(text)
                    case ("defaultValue", let value): defaultValue = value
                    case ("provider", _): isProvided = true
                    default: break
                    }
                }
            } else {
                report(
                    .invalidValue,
                    "expected '{type: \"...\"}' for fragment argument '\(argument.name.text)'",
                    at: argument.value.span
                )
            }
            if let defaultValue { checkValue(defaultValue, type) }
            arguments[argument.name.text] = FragmentArgument(
                name: argument.name,
                type: type,
                defaultValue: defaultValue,
                isProvided: isProvided
            )
        }
        return arguments
    }

    private func argumentType(_ text: StringValue) -> TypeReference? {
        guard let node = Parser.parseType(text.text) else {
            report(.invalidValue, "'\(text.text)' is no type", at: text.span)
            return nil
        }
        let name = node.innermost.text
        guard schema.type(named: name)?.isInput == true else {
            report(
                .unknownType,
                "unknown input type '\(name)'",
                at: text.span,
                suggestion: Spelling.question(
                    for: name,
                    among: schema.types.lazy.filter { $0.isInput && !$0.name.hasPrefix("__") }.map(\.name)
                )
            )
            return nil
        }
        return schema.resolve(node)
    }

    /// Checks `@arguments(name: value)` of a spread against what the fragment declares.
    func checkFragmentArguments(_ directive: Directive, target: Int?) {
        checkArgumentUniqueness(directive.arguments)
        if directive.name.text == "argumentDefinitions" { return }
        guard let target else {
            checkUntyped(directive.arguments)
            return
        }
        let fragment = program.fragments[target]
        let declared = fragment.arguments ?? [:]
        var excused: [String] = []
        for argument in directive.arguments {
            let name = argument.name.text
            if let declaration = declared[name] {
                let hasDefault = declaration.defaultValue != nil
                checkValue(argument.value, declaration.type, hasDefault: hasDefault)
                continue
            }
            checkValue(argument.value, nil)
            let suggestions = Spelling.suggestions(for: name, among: declared.keys)
            excused += suggestions
            report(
                .unknownArgument,
                "unknown argument '\(name)' of fragment '\(fragment.definition.name.text)'",
                at: argument.name.span,
                notes: [.init("the fragment is here", at: fragment.definition.name.span)],
                suggestion: Spelling.question(naming: suggestions)
            )
        }
    }
}
