import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// Reads `@argumentDefinitions(name: {type: "Int!", defaultValue: 10})`, which declares arguments of a fragment. A bare
/// name as the type, `type: Int`, is accepted too, because older applications write it.
///
/// Reference: https://relay.dev/docs/api-reference/graphql/graphql-directives/#argumentdefinitions
extension Traversal {
    /// The arguments that a fragment declares, by name; nil without the directive.
    func fragmentArguments(of fragment: FragmentDefinition) -> [String: FragmentArgument]? {
        guard let directive = fragment.directives.first(where: { $0.name.text == "argumentDefinitions" }) else {
            return nil
        }
        var arguments: [String: FragmentArgument] = [:]
        // The check of the fragment's directives reports a second declaration of a name.
        for argument in directive.arguments where arguments[argument.name.text] == nil {
            arguments[argument.name.text] = declaration(of: argument)
        }
        return arguments
    }

    private static let keys = ["type", "defaultValue", "provider", "unusedLocalVariable_DEPRECATED"]

    private func declaration(of argument: Argument) -> FragmentArgument {
        let reportCount = diagnostics.count
        var fields: [String: Value] = [:]
        var type: TypeReference?
        if case .object(let object) = argument.value {
            for field in object.fields { fields[field.name.text] = field.value }
            checkKeys(of: object)
            type = declaredType(of: argument, fields["type"], in: object)
            if let value = fields["defaultValue"] { checkConstant(value, type) }
        } else {
            report(
                .invalidValue,
                "expected '{type: \"...\"}' for fragment argument '\(argument.name.text)'",
                at: argument.value.span
            )
        }
        if let provider = fields["provider"], let value = fields["defaultValue"] {
            report(
                .providedArgument,
                "argument '\(argument.name.text)' has a provider, it needs no default value",
                at: value.span,
                notes: [.init("the provider is here", at: provider.span)]
            )
        }
        let unusedMark = fields["unusedLocalVariable_DEPRECATED"]?.span
        return FragmentArgument(
            name: argument.name,
            type: type,
            defaultValue: fields["defaultValue"],
            isProvided: fields["provider"] != nil,
            unusedMark: unusedMark,
            isWrong: diagnostics.dropFirst(reportCount).hasErrors
        )
    }

    private func checkKeys(of object: ObjectValue) {
        checkInputFieldUniqueness(object)
        var meant = MeantNames(defined: Self.keys, given: object.fields.map(\.name.text), missing: [])
        for field in object.fields {
            switch (field.name.text, field.value) {
            case ("type", .string), ("type", .enum), ("provider", .string): break
            case ("unusedLocalVariable_DEPRECATED", .boolean(let mark)) where mark.isTrue: break
            case ("defaultValue", _): break
            case ("type", _), ("provider", _), ("unusedLocalVariable_DEPRECATED", _):
                let expected = field.name.text.hasPrefix("unused") ? "'true'" : "a string"
                report(
                    .invalidValue,
                    "expected \(expected) for '\(field.name.text)' of a fragment argument",
                    at: field.value.span
                )
            default:
                let message = "unknown field '\(field.name.text)' of a fragment argument"
                reportUnknown(.unknownInputField, message, field.name, meant: meant.names(for: field.name.text))
            }
        }
    }

    /// Marks variables in a declaration as used: they are reported as misplaced, and must not be reported as unused
    /// too.
    func excuseVariables(in arguments: [Argument]) {
        var pending = arguments.map(\.value)
        while let value = pending.popLast() {
            switch value {
            case .variable(let variable):
                facts.bareWords.insert(variable.name)
                if localArguments?[variable.name] != nil { facts.usedArguments.insert(variable.name) }
            case .list(let list): pending += list.values
            case .object(let object): pending += object.fields.map(\.value)
            default: break
            }
        }
    }

    /// Checks that a default value of a fragment argument contains no variable.
    private func checkConstant(_ value: Value, _ type: TypeReference?) {
        if case .variable(let variable) = value {
            report(.invalidValue, "a default value cannot be the variable '$\(variable.name)'", at: variable.span)
        } else {
            visit(value, type)
        }
    }

    private func declaredType(of argument: Argument, _ value: Value?, in object: ObjectValue) -> TypeReference? {
        switch value {
        case .string(let text): return argumentType(text.text, at: text.span)
        case .enum(let name): return argumentType(name.text, at: name.span)
        case .some: return nil
        case nil:
            // A misspelled key is reported already.
            if object.fields.contains(where: { !Self.keys.contains($0.name.text) }) { return nil }
            report(
                .missingInputField,
                "fragment argument '\(argument.name.text)' needs a type",
                at: object.span,
                suggestion: "write '\(argument.name.text): {type: \"...\"}'"
            )
            return nil
        }
    }

    private func argumentType(_ text: String, at span: Span) -> TypeReference? {
        guard let node = Parser.parseType(text) else {
            report(.invalidValue, "'\(text)' is no type", at: span)
            return nil
        }
        let name = node.innermost.text
        guard let type = schema.type(named: name) else {
            report(
                .unknownType,
                "unknown type '\(name)'",
                at: span,
                suggestion: Spelling.question(for: name, among: inputTypeNames)
            )
            return nil
        }
        guard type.isInput else {
            report(
                .invalidVariableType,
                "a fragment argument cannot have type '\(name)', which is no input type",
                at: span
            )
            return nil
        }
        guard let reference = schema.resolve(node) else {
            report(
                .typeNesting,
                "the type has more than \(TypeReference.maximumDepth) lists and exclamation marks",
                at: span
            )
            return nil
        }
        return reference
    }
}
