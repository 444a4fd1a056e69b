import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// The field or directive that takes arguments.
enum ArgumentOwner {
    /// A field by its name.
    case field(Name)
    case directive(Name)

    /// The text of the owner in messages.
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

/// The arguments that a document gives to a field or directive.
struct GivenArguments {
    let owner: ArgumentOwner
    let arguments: [Argument]
    /// The names that the owner does not define, each with similar names.
    let unknown: [(name: Name, meant: [String])]
    /// The required arguments that are neither given nor matched with an unknown name.
    let missing: [SchemaInputValue]
}

extension Traversal {
    /// Visits all arguments of a field or directive and calls the rules about them.
    func visit(_ arguments: [Argument], _ definitions: [SchemaInputValue], of owner: ArgumentOwner) {
        if arguments.isEmpty, !definitions.contains(where: \.isRequired) { return }
        var unknown: [Name] = []
        var found: Set<String> = []
        for argument in arguments {
            let definition =
                definitions.first { $0.name == argument.name.text }
                ?? Self.otherSpelling(of: argument.name.text, among: definitions, of: owner)
            if let definition {
                found.insert(definition.name)
                if let reason = definition.deprecation {
                    let what = "argument '\(definition.name)' of \(owner.description)"
                    askDeprecated(what, reason, at: argument.name.span)
                }
            } else {
                unknown.append(argument.name)
            }
            visit(argument.value, definition?.type, hasDefault: definition?.defaultValue != nil)
        }
        var missing = definitions.filter { definition in
            definition.isRequired && !found.contains(definition.name) && !Self.isLabel(definition, of: owner)
                && !found.contains { Self.otherSpelling(of: $0, among: [definition], of: owner) != nil }
        }
        var named: [(name: Name, meant: [String])] = []
        if !unknown.isEmpty {
            var meant = MeantNames(
                defined: definitions.map(\.name),
                given: arguments.map(\.name.text),
                missing: missing.map(\.name)
            )
            named = unknown.map { (name: $0, meant: meant.names(for: $0.text)) }
            missing.removeAll { !meant.missing.contains($0.name) }
        }
        let given = GivenArguments(owner: owner, arguments: arguments, unknown: named, missing: missing)
        for case .arguments(let look) in rules.arguments { look(self, given) }
    }

    /// Visits the arguments of an unknown field or directive to find their variables.
    func visitUntyped(_ arguments: [Argument]) {
        for argument in arguments { visit(argument.value, nil) }
    }
}
