import BatonIR
import BatonSchema
import BatonSyntax

/// Turns the arguments with a provider into variables of the operations that reach their fragments.
///
/// Before:
///
///     query Q { hero { ...Rank } }
///     fragment Rank on Hero @argumentDefinitions(size: {type: "Int!", provider: "my-Size"}) { ranks(first: $size) }
///
/// After:
///
///     query Q($__relay_internal__pv__mySize: Int!) { hero { ...Rank } }
///     fragment Rank on Hero { ranks(first: $__relay_internal__pv__mySize) }
///
/// The variables come after those that the operation declares, in the order in which spreads reach the fragments.
///
/// `CheckProviders` ensures that no two providers have the same variable. Runs after `GenerateRefetchQueries`. The cost
/// is linear in the documents, and for each operation in the fragments that it reaches.
struct ProvideVariables {
    private let program: Program

    private init(_ program: Program) {
        self.program = program
    }

    static func apply(to program: Program) -> Program {
        guard program.fragments.contains(where: { $0.arguments.contains { $0.provider != nil } }) else {
            return program
        }
        let transform = ProvideVariables(program)
        let operations = program.operations.map { operation in
            var operation = operation
            operation.provided = transform.provided(operation)
            return operation
        }
        let fragments = program.fragments.map(renamed)
        return Program(schema: program.schema, operations: operations, fragments: fragments)
    }

    /// The name of the variable in texts: Relay's prefix, and the characters of the provider's name that a name can
    /// have.
    static func variableName(of provider: String) -> String {
        "__relay_internal__pv__" + provider.unicodeScalars.filter(isNameScalar).map(String.init).joined()
    }

    private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }

    /// The variables of the fragments that an operation reaches.
    private func provided(_ operation: Operation) -> [ProvidedVariable] {
        var variables: [ProvidedVariable] = []
        var names: Set<String> = []
        var seen: Set<String> = []
        var pending = Array(TypedSelection.spreads(in: operation.selections).reversed())
        while let spread = pending.popLast() {
            guard seen.insert(spread.fragment).inserted, let fragment = program.fragment(named: spread.fragment) else {
                continue
            }
            variables += Self.provided(fragment).filter { names.insert($0.name).inserted }
            pending += TypedSelection.spreads(in: fragment.selections).reversed()
        }
        return variables
    }

    private static func provided(_ fragment: Fragment) -> [ProvidedVariable] {
        fragment.arguments.compactMap { argument in
            argument.provider.map {
                ProvidedVariable(name: variableName(of: $0), type: argument.type, provider: $0, span: argument.span)
            }
        }
    }

    // MARK: - Fragments

    private static func renamed(_ fragment: Fragment) -> Fragment {
        let provided = provided(fragment)
        if provided.isEmpty { return fragment }
        var fragment = fragment
        var names: [String: String] = [:]
        for argument in fragment.arguments {
            if let provider = argument.provider { names[argument.name] = variableName(of: provider) }
        }
        fragment.arguments.removeAll { $0.provider != nil }
        fragment.provided = provided
        fragment.selections = renamed(fragment.selections, names)
        return fragment
    }

    /// The parser's nesting limit bounds the recursion.
    private static func renamed(_ selections: [TypedSelection], _ names: [String: String]) -> [TypedSelection] {
        selections.map { selection in
            switch selection {
            case .field(var field):
                field.arguments = renamed(field.arguments, names)
                field.directives = renamed(field.directives, names)
                field.selections = renamed(field.selections, names)
                return .field(field)
            case .inlineFragment(var inline):
                inline.directives = renamed(inline.directives, names)
                inline.selections = renamed(inline.selections, names)
                return .inlineFragment(inline)
            case .spread(var spread):
                spread.directives = renamed(spread.directives, names)
                return .spread(spread)
            }
        }
    }

    private static func renamed(_ directives: [Directive], _ names: [String: String]) -> [Directive] {
        directives.map { directive in
            var directive = directive
            directive.arguments = renamed(directive.arguments, names)
            return directive
        }
    }

    private static func renamed(_ arguments: [Argument], _ names: [String: String]) -> [Argument] {
        arguments.map { argument in
            var argument = argument
            argument.value = renamed(argument.value, names)
            return argument
        }
    }

    /// The parser's nesting limit bounds the recursion.
    private static func renamed(_ value: Value, _ names: [String: String]) -> Value {
        switch value {
        case .variable(var variable):
            variable.name = names[variable.name] ?? variable.name
            return .variable(variable)
        case .list(var list):
            list.values = list.values.map { renamed($0, names) }
            return .list(list)
        case .object(var object):
            object.fields = object.fields.map { field in
                var field = field
                field.value = renamed(field.value, names)
                return field
            }
            return .object(object)
        case .int, .float, .string, .boolean, .null, .enum: return value
        }
    }
}
