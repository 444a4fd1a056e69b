import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// What arguments are given to.
enum ArgumentOwner {
    /// A field by its name.
    case field(Name)
    case directive(Name)

    /// In the words of a message.
    var description: String {
        switch self {
        case .field(let name): "field '\(name.text)'"
        case .directive(let name): "directive '@\(name.text)'"
        }
    }

    var span: Span {
        switch self {
        case .field(let name), .directive(let name): name.span
        }
    }
}

extension Traversal {
    /// Asks the rules about all arguments of a field or directive.
    func checkArguments(_ arguments: [Argument], _ definitions: [SchemaInputValue], of owner: ArgumentOwner) {
        if arguments.isEmpty, !definitions.contains(where: \.isRequired) { return }
        checkArgumentUniqueness(arguments)
        var unknown: [Argument] = []
        for argument in arguments {
            let definition = definitions.first { $0.name == argument.name.text }
            if let definition {
                if let reason = definition.deprecation {
                    let what = "argument '\(definition.name)' of \(owner.description)"
                    reportDeprecated(what, reason, at: argument.name.span)
                }
            } else {
                unknown.append(argument)
            }
            checkValue(argument.value, definition?.type, hasDefault: definition?.defaultValue != nil)
        }
        var missing = definitions.filter { definition in
            definition.isRequired && !arguments.contains { $0.name.text == definition.name }
                && !Self.isLabel(definition, of: owner)
        }
        if !unknown.isEmpty {
            var meant = MeantNames(
                defined: definitions.map(\.name),
                given: arguments.map(\.name.text),
                missing: missing.map(\.name)
            )
            for argument in unknown { reportUnknownArgument(argument, of: owner, meant: &meant) }
            missing.removeAll { !meant.missing.contains($0.name) }
        }
        for definition in missing { reportMissingArgument(definition, of: owner) }
    }

    /// Visits arguments of something unknown for the sake of the variables in them.
    func checkUntyped(_ arguments: [Argument]) {
        for argument in arguments { checkValue(argument.value, nil) }
    }
}
