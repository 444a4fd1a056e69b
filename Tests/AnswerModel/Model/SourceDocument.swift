import Baton
import BatonSchema
import BatonSyntax

/// A document with values for the variables of one operation. Its selections have a meaning for each object, by the
/// language alone.
struct SourceDocument {
    /// The meaning of an argument or a variable.
    enum Argument {
        /// A null in the document, or an argument that was left out. A default value replaces it.
        case literalNull
        /// A variable of the operation without a value.
        case absent
        case json(JSONValue)
    }

    /// The meanings of a fragment's arguments. Other names are variables of the operation.
    typealias Scope = [String: Argument]

    /// A selection set with the meaning of its variables.
    typealias ScopedSet = (set: SelectionSet, scope: Scope)

    struct Occurrence {
        let field: Field
        let scope: Scope
    }

    /// The selections that apply to an object.
    struct Collected {
        var fields: [String: [Occurrence]] = [:]
        var spreads: [(fragment: FragmentDefinition, scope: Scope)] = []
        /// The inline fragments with data of their own, by alias.
        var aliased: [String: (directives: [Directive], sets: [ScopedSet])] = [:]
    }

    let world: World
    private let fragments: [String: FragmentDefinition]
    /// The values of the operation's variables, with defaults.
    private let values: [String: JSONValue]

    init(_ document: Document, _ operation: OperationDefinition, _ sent: [String: JSONValue], in world: World) {
        var values = sent
        for variable in operation.variables where values[variable.name.text] == nil {
            values[variable.name.text] = variable.defaultValue.flatMap(Self.constant)
        }
        self.values = values
        self.world = world
        fragments = Dictionary(document.fragments.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// A literal without variables; nil for null.
    private static func constant(_ value: BatonSyntax.Value) -> JSONValue? {
        if case .json(let json) = argument(value, { _ in nil }) { json } else { nil }
    }

    // MARK: - Collecting

    /// Adds the selections of a set that apply to objects of a type. A reader keeps fragments and named inline
    /// fragments apart; the server does not.
    func collect(_ source: ScopedSet, _ type: SchemaType, isReader: Bool, _ collected: inout Collected) {
        for selection in source.set.selections where isIncluded(selection.directives, source.scope) {
            switch selection {
            case .field(let field):
                if field.alias == nil, field.name.text == "__typename" { continue }
                collected.fields[field.responseKey.text, default: []]
                    .append(Occurrence(field: field, scope: source.scope))
            case .inlineFragment(let inline):
                if let condition = inline.typeCondition, !matches(condition.text, type) { continue }
                collect((inline.selectionSet, source.scope), inline.directives, type, isReader: isReader, &collected)
            case .fragmentSpread(let spread):
                guard let fragment = fragments[spread.name.text], matches(fragment.typeCondition.text, type) else {
                    continue
                }
                let inner = self.scope(of: fragment, spread, in: source.scope)
                if !isReader || spread.directives.named("relay") != nil {
                    collect((fragment.selectionSet, inner), spread.directives, type, isReader: isReader, &collected)
                } else {
                    collected.spreads.append((fragment, inner))
                }
            }
        }
    }

    /// Adds the selections of an inner set. They belong to the enclosing set, or have data of their own under an alias.
    private func collect(
        _ inner: ScopedSet, _ directives: [Directive], _ type: SchemaType, isReader: Bool, _ collected: inout Collected
    ) {
        if isReader, case .string(let alias)? = directives.named("alias")?.argument("as") {
            collected.aliased[alias.text, default: (directives, [])].sets.append(inner)
        } else {
            collect(inner, type, isReader: isReader, &collected)
        }
    }

    private func matches(_ condition: String, _ object: SchemaType) -> Bool {
        world.schema.type(named: condition).map { world.schema.isPossible(object, for: $0) } ?? false
    }

    private func isIncluded(_ directives: [Directive], _ scope: Scope) -> Bool {
        directives.allSatisfy { directive in
            let isSkip = directive.name.text == "skip"
            guard isSkip || directive.name.text == "include", let value = directive.argument("if") else { return true }
            guard case .json(.bool(let holds)) = argument(value, scope) else { return isSkip }
            return holds != isSkip
        }
    }

    // MARK: - Arguments

    /// The arguments of a field, with the defaults of the schema.
    func arguments(of occurrence: Occurrence, _ field: SchemaField) -> [JSONValue.Member] {
        field.arguments.compactMap { argument -> JSONValue.Member? in
            let given = occurrence.field.arguments.first { $0.name.text == argument.name }
            switch given.map({ self.argument($0.value, occurrence.scope) }) ?? .literalNull {
            case .json(let json): return .init(argument.name, json)
            case .absent, .literalNull:
                return argument.defaultValue.flatMap(Self.constant).map { .init(argument.name, $0) }
            }
        }
    }

    private func scope(of fragment: FragmentDefinition, _ spread: FragmentSpread, in outer: Scope) -> Scope {
        let definitions = fragment.directives.named("argumentDefinitions")?.arguments ?? []
        let passed = spread.directives.named("arguments")?.arguments ?? []
        var scope: Scope = [:]
        for definition in definitions {
            let given = passed.first { $0.name.text == definition.name.text }.map { argument($0.value, outer) }
            scope[definition.name.text] = given ?? .literalNull
            if case .object(let members) = definition.value, case .literalNull = given ?? .literalNull,
                let value = members.fields.first(where: { $0.name.text == "defaultValue" })?.value
            {
                scope[definition.name.text] = argument(value, [:])
            }
        }
        return scope
    }

    private func argument(_ value: BatonSyntax.Value, _ scope: Scope) -> Argument {
        Self.argument(value) { name in scope[name] ?? values[name].map { .json($0) } }
    }

    private static func argument(_ value: BatonSyntax.Value, _ variable: (String) -> Argument?) -> Argument {
        switch value {
        case .variable(let name): variable(name.name) ?? .absent
        case .null: .literalNull
        case .int(let number): .json(.int(Int(number.text) ?? 0))
        case .string(let string): .json(.string(string.text))
        case .boolean(let literal): .json(.bool(literal.isTrue))
        case .enum(let name): .json(.string(name.text))
        // Random documents have no other literals.
        case .float, .list: .absent
        case .object(let object):
            .json(
                .object(
                    object.fields.compactMap { member in
                        guard case .json(let json) = argument(member.value, variable) else { return nil }
                        return .init(member.name.text, json)
                    }))
        }
    }
}

extension [Directive] {
    func named(_ name: String) -> Directive? { first { $0.name.text == name } }
}
