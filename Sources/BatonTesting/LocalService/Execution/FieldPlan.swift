import Baton
import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// The selections of one response key on one object type, for one execution.
///
/// Arguments and subselections depend only on the variables, so the items of a long list share them.
final class FieldPlan {
    let responseKey: String
    let definition: SchemaField
    let parent: SchemaType
    let resolver: LocalResolvers.Resolver?
    /// Every selection with this response key. The first one determines the field's name and arguments.
    fileprivate(set) var nodes: [Field]
    private(set) lazy var spans: [Span] = nodes.map(\.span)
    fileprivate(set) var arguments: Result<LocalArguments, RequestProblem>
    fileprivate var subselections: [TypeID: [FieldPlan]] = [:]

    fileprivate init(
        _ node: Field,
        _ definition: SchemaField,
        on parent: SchemaType,
        _ resolver: LocalResolvers.Resolver?,
        _ arguments: Result<LocalArguments, RequestProblem>
    ) {
        responseKey = node.responseKey.text
        self.definition = definition
        self.parent = parent
        self.resolver = resolver
        self.arguments = arguments
        nodes = [node]
    }
}

/// Groups selections by response key.
///
/// Specification: https://spec.graphql.org/September2025/#CollectFields()
struct FieldCollector {
    let schema: Schema
    let resolvers: ResolverTable
    let fragments: [String: FragmentDefinition]
    let variables: [String: JSONValue]

    /// The fields below a field for an object of this type; they are computed once for each type.
    func subfields(of field: FieldPlan, on type: SchemaType) -> [FieldPlan] {
        if let known = field.subselections[type.id] { return known }
        let plans = collect(field.nodes.compactMap(\.selectionSet), on: type)
        field.subselections[type.id] = plans
        return plans
    }

    /// Walks fragments with an explicit stack, because a client may send a chain of fragments of any length.
    func collect(_ selectionSets: [SelectionSet], on type: SchemaType) -> [FieldPlan] {
        var plans: [FieldPlan] = []
        var indices: [String: Int] = [:]
        var visited: Set<String> = []
        var stack = selectionSets.reversed().map { $0.selections[...] }
        while var selections = stack.popLast() {
            guard let selection = selections.popFirst() else { continue }
            stack.append(selections)
            guard isIncluded(selection.directives) else { continue }
            switch selection {
            case .field(let field):
                if let index = indices[field.responseKey.text] {
                    plans[index].nodes.append(field)
                } else if let plan = plan(field, on: type) {
                    indices[field.responseKey.text] = plans.count
                    plans.append(plan)
                }
            case .fragmentSpread(let spread):
                guard visited.insert(spread.name.text).inserted, let fragment = fragments[spread.name.text],
                    applies(fragment.typeCondition, to: type)
                else { continue }
                stack.append(fragment.selectionSet.selections[...])
            case .inlineFragment(let fragment):
                guard fragment.typeCondition.map({ applies($0, to: type) }) ?? true else { continue }
                stack.append(fragment.selectionSet.selections[...])
            }
        }
        return plans
    }

    private func applies(_ condition: Name, to type: SchemaType) -> Bool {
        schema.type(named: condition.text).map { schema.isPossible(type, for: $0) } ?? false
    }

    private func isIncluded(_ directives: [Directive]) -> Bool {
        for directive in directives {
            switch directive.name.text {
            case "skip": if isTrue(directive.argument("if")) { return false }
            case "include": if !isTrue(directive.argument("if")) { return false }
            default: break
            }
        }
        return true
    }

    private func isTrue(_ value: Value?) -> Bool {
        switch value {
        case .boolean(let boolean): boolean.isTrue
        case .variable(let variable): variables[variable.name] == .bool(true)
        default: false
        }
    }

    private func plan(_ node: Field, on type: SchemaType) -> FieldPlan? {
        guard let definition = schema.field(named: node.name.text, on: type) else { return nil }
        let resolver = resolvers.resolver(of: definition.name, on: type, schema)
        return FieldPlan(
            node, definition, on: type, resolver,
            Result { () throws(RequestProblem) in
                try arguments(of: node, definition)
            })
    }

    /// Specification: https://spec.graphql.org/September2025/#CoerceArgumentValues()
    private func arguments(of node: Field, _ definition: SchemaField) throws(RequestProblem) -> LocalArguments {
        guard !definition.arguments.isEmpty else { return LocalArguments([:]) }
        let input = InputCoercion(schema: schema)
        let literals = LiteralCoercion(input: input) { variable, _ throws(InputProblem) in
            variables[variable.name].map { .value($0) } ?? .absent
        }
        var values: [String: JSONValue] = [:]
        for argument in definition.arguments {
            let given = node.arguments.first { $0.name.text == argument.name }
            let span = given?.value.span ?? node.span
            let type = schema.describe(argument.type)
            do throws(InputProblem) {
                if let given, !isAbsent(given.value) {
                    values[argument.name] = try literals.coerce(given.value, to: argument.type)
                } else if let value = try input.defaultValue(of: argument) {
                    values[argument.name] = value
                } else if argument.type.isNonNull {
                    throw InputProblem(message: "a value of type \"\(type)\" is required, but it was not provided.")
                }
            } catch {
                throw RequestProblem("Argument \"\(argument.name)\" has an invalid value: \(error.message)", at: [span])
            }
        }
        return LocalArguments(values)
    }

    private func isAbsent(_ value: Value) -> Bool {
        if case .variable(let variable) = value { variables[variable.name] == nil } else { false }
    }
}
