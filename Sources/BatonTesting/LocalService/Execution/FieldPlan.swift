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
    /// What `@stream` says of the field; nil without it.
    let stream: Stream?
    fileprivate var subselections: [TypeID: CollectedFields] = [:]

    /// The `@stream` of a list.
    struct Stream {
        let label: String?
        /// The number of items that come at once.
        let initialCount: Int
    }

    fileprivate init(
        _ node: Field,
        _ definition: SchemaField,
        on parent: SchemaType,
        _ resolver: LocalResolvers.Resolver?,
        _ arguments: Result<LocalArguments, RequestProblem>,
        stream: Stream?
    ) {
        self.stream = stream
        responseKey = node.responseKey.text
        self.definition = definition
        self.parent = parent
        self.resolver = resolver
        self.arguments = arguments
        nodes = [node]
    }
}

/// What a selection set asks for on one object type.
struct CollectedFields {
    var fields: [FieldPlan] = []
    /// The fragments that arrive later, in the order of the document.
    var deferred: [Deferred] = []

    /// A fragment with `@defer`.
    struct Deferred {
        let label: String?
        let selectionSet: SelectionSet
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
    /// Whether `@defer` and `@stream` have a meaning.
    let isIncremental: Bool

    /// The fields below a field for an object of this type; they are computed once for each type.
    func subfields(of field: FieldPlan, on type: SchemaType) -> CollectedFields {
        if let known = field.subselections[type.id] { return known }
        let plans = collect(field.nodes.compactMap(\.selectionSet), on: type)
        field.subselections[type.id] = plans
        return plans
    }

    /// Walks fragments with an explicit stack, because a client may send a chain of fragments of any length.
    func collect(_ selectionSets: [SelectionSet], on type: SchemaType) -> CollectedFields {
        var collected = CollectedFields()
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
                    collected.fields[index].nodes.append(field)
                } else if let plan = plan(field, on: type) {
                    indices[field.responseKey.text] = collected.fields.count
                    collected.fields.append(plan)
                }
            case .fragmentSpread(let spread):
                guard let fragment = fragments[spread.name.text], applies(fragment.typeCondition, to: type) else {
                    continue
                }
                if let later = incremental("defer", spread.directives) {
                    collected.deferred.append(.init(label: label(later), selectionSet: fragment.selectionSet))
                } else if visited.insert(spread.name.text).inserted {
                    stack.append(fragment.selectionSet.selections[...])
                }
            case .inlineFragment(let fragment):
                guard fragment.typeCondition.map({ applies($0, to: type) }) ?? true else { continue }
                if let later = incremental("defer", fragment.directives) {
                    collected.deferred.append(.init(label: label(later), selectionSet: fragment.selectionSet))
                } else {
                    stack.append(fragment.selectionSet.selections[...])
                }
            }
        }
        return collected
    }

    /// A directive for later parts whose condition holds; it holds without an argument or a value.
    private func incremental(_ name: String, _ directives: [Directive]) -> Directive? {
        guard isIncremental, let directive = directives.first(where: { $0.name.text == name }) else { return nil }
        guard let condition = directive.argument("if"), !isAbsent(condition) else { return directive }
        return isTrue(condition) ? directive : nil
    }

    private func label(_ directive: Directive) -> String? {
        if case .string(let label) = directive.argument("label") { label.text } else { nil }
    }

    private func stream(_ node: Field) -> FieldPlan.Stream? {
        guard let directive = incremental("stream", node.directives) else { return nil }
        let count =
            switch directive.argument("initialCount") ?? directive.argument("initial_count") {
            case .int(let number): Int(number.text) ?? 0
            case .variable(let variable): variables[variable.name]?.intValue ?? 0
            default: 0
            }
        return .init(label: label(directive), initialCount: max(0, count))
    }

    func applies(_ condition: Name, to type: SchemaType) -> Bool {
        schema.type(named: condition.text).map { schema.isPossible(type, for: $0) } ?? false
    }

    func isIncluded(_ directives: [Directive]) -> Bool {
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
            },
            stream: stream(node))
    }

    /// Specification: https://spec.graphql.org/September2025/#CoerceArgumentValues()
    func arguments(of node: Field, _ definition: SchemaField) throws(RequestProblem) -> LocalArguments {
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
