import Baton
import BatonSchema
import BatonSyntax

/// What documents show of a world, by the meaning of the language alone: no text, no plan and no store take part.
///
/// The data of a definition is a JSON object without its null fields. A spread is a member `...Name` with the data of
/// the fragment, in a list because two spreads of a fragment may pass different arguments.
struct SourceMeaning {
    /// What an argument stands for.
    private enum Argument {
        /// A null in the document, or an argument that was left out; a default takes its place.
        case literalNull
        /// A variable of the operation without a value.
        case absent
        case json(JSONValue)
    }

    /// The meaning of the arguments of a fragment. Other names are the operation's.
    private typealias Scope = [String: Argument]

    private struct Occurrence {
        let field: Field
        let scope: Scope
    }

    private struct Collected {
        var fields: [String: [Occurrence]] = [:]
        var spreads: [(fragment: FragmentDefinition, scope: Scope)] = []
    }

    private let world: World
    private let fragments: [String: FragmentDefinition]
    /// The values of the operation's variables, with defaults.
    private let values: [String: JSONValue]

    /// The data of an operation; null if a required field is null at its root.
    static func data(
        of operation: OperationDefinition, _ document: Document, in world: World, _ sent: [String: JSONValue]
    ) -> JSONValue {
        var values = sent
        for variable in operation.variables where values[variable.name.text] == nil {
            values[variable.name.text] = variable.defaultValue.flatMap(constant)
        }
        let fragments = Dictionary(
            document.fragments.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
        let meaning = SourceMeaning(world: world, fragments: fragments, values: values)
        return meaning.data(of: [(operation.selectionSet, [:])], on: World.Object(identity: "Q", typeName: "Query"))
    }

    /// A literal without variables; nil for null.
    private static func constant(_ value: BatonSyntax.Value) -> JSONValue? {
        if case .json(let json) = argument(value, { _ in nil }) { json } else { nil }
    }

    // MARK: - Objects

    private func data(of sets: [(SelectionSet, Scope)], on object: World.Object) -> JSONValue {
        guard let type = world.schema.type(named: object.typeName) else { return .null }
        var collected = Collected()
        for (set, scope) in sets { collect(set, type, scope, &collected) }
        var members: [JSONValue.Member] = []
        for (key, occurrences) in collected.fields.sorted(by: { $0.key < $1.key }) {
            let value = value(of: occurrences, on: object, type)
            if value == .null {
                if occurrences.contains(where: { $0.field.directives.contains { $0.name.text == "required" } }) {
                    return .null
                }
                continue
            }
            members.append(.init(key, value))
        }
        var shown: [String: Set<JSONValue>] = [:]
        for (fragment, scope) in collected.spreads {
            shown["...\(fragment.name.text)", default: []].insert(
                data(of: [(fragment.selectionSet, scope)], on: object))
        }
        members += shown.map { .init($0.key, .array($0.value.sorted { $0.text < $1.text })) }
        return .object(members.sorted { $0.name < $1.name })
    }

    private func value(of occurrences: [Occurrence], on object: World.Object, _ type: SchemaType) -> JSONValue {
        let first = occurrences[0]
        if first.field.name.text == "__typename" { return .string(object.typeName) }
        guard let field = world.schema.field(named: first.field.name.text, on: type) else { return .null }
        let arguments = field.arguments.compactMap { argument -> JSONValue.Member? in
            let given = first.field.arguments.first { $0.name.text == argument.name }
            switch given.map({ self.argument($0.value, first.scope) }) ?? .literalNull {
            case .json(let json): return .init(argument.name, json)
            case .absent, .literalNull:
                return argument.defaultValue.flatMap(Self.constant).map { .init(argument.name, $0) }
            }
        }
        let sets = occurrences.compactMap { occurrence in
            occurrence.field.selectionSet.map { ($0, occurrence.scope) }
        }
        return shown(world.value(of: field, on: object, arguments), sets)
    }

    private func shown(_ value: World.Value, _ sets: [(SelectionSet, Scope)]) -> JSONValue {
        switch value {
        case .null: .null
        case .leaf(let json): json
        case .object(let object): data(of: sets, on: object)
        case .list(let items): .array(items.map { shown($0, sets) })
        }
    }

    // MARK: - Collecting

    private func collect(_ set: SelectionSet, _ type: SchemaType, _ scope: Scope, _ collected: inout Collected) {
        for selection in set.selections where isIncluded(selection.directives, scope) {
            switch selection {
            case .field(let field):
                if field.alias == nil, field.name.text == "__typename" { continue }
                collected.fields[field.responseKey.text, default: []].append(Occurrence(field: field, scope: scope))
            case .inlineFragment(let inline):
                if let condition = inline.typeCondition, !matches(condition.text, type) { continue }
                collect(inline.selectionSet, type, scope, &collected)
            case .fragmentSpread(let spread):
                guard let fragment = fragments[spread.name.text], matches(fragment.typeCondition.text, type) else {
                    continue
                }
                let inner = self.scope(of: fragment, spread, in: scope)
                if spread.directives.contains(where: { $0.name.text == "relay" }) {
                    collect(fragment.selectionSet, type, inner, &collected)
                } else {
                    collected.spreads.append((fragment, inner))
                }
            }
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

    private func scope(of fragment: FragmentDefinition, _ spread: FragmentSpread, in outer: Scope) -> Scope {
        let definitions = fragment.directives.first { $0.name.text == "argumentDefinitions" }?.arguments ?? []
        let passed = spread.directives.first { $0.name.text == "arguments" }?.arguments ?? []
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
