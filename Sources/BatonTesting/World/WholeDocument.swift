import Baton
import BatonSchema

/// The text of an operation with all that it selects: also the fields of the client's own schema, which no request
/// has.
///
/// It is made of the plan along which responses are written. Variables are replaced by their values, and what
/// `@include` and `@skip` leave out is left out. The recursion is bounded by the depth of the plan and of the values.
struct WholeDocument {
    private let schema: Schema
    private let variables: [String: JSONValue]
    private var text = ""

    /// Returns the text; nil if the generated code is malformed.
    static func text(
        of artifact: GeneratedCode.OperationArtifact, _ variables: JSONValue, in schema: Schema
    ) -> String? {
        guard case .success(let plan) = artifact.normalization.plan else { return nil }
        var values: [String: JSONValue] = [:]
        for variable in plan.variables { values[variable.name] = variable.defaultValue }
        for member in variables.objectValue ?? [] { values[member.name] = member.value }
        let root =
            switch artifact.kind {
            case .query: schema.queryType
            case .mutation: schema.mutationType
            case .subscription: schema.subscriptionType
            }
        var document = WholeDocument(schema, values)
        document.add(plan.items, on: root, also: "")
        return "\(artifact.kind.rawValue) \(artifact.name)\(document.text)"
    }

    /// True if an operation selects something that only the client knows.
    static func hasClientFields(_ artifact: GeneratedCode.OperationArtifact) -> Bool {
        guard case .success(let plan) = artifact.normalization.plan else { return false }
        return plan.items.contains { $0.hasClientFields }
    }

    private init(_ schema: Schema, _ variables: [String: JSONValue]) {
        self.schema = schema
        self.variables = variables
    }

    private mutating func add(_ items: [SelectionPlan.Item], on type: SchemaType?, also first: String) {
        text += " { __typename\(first)"
        for item in items where holds(item.condition) { add(item, on: type) }
        text += " }"
    }

    private mutating func add(_ item: SelectionPlan.Item, on type: SchemaType?) {
        switch item.kind {
        case .field(let field):
            let known = type.flatMap { schema.field(named: field.name, on: $0) }
            // The data ID of a record is no answer, and a world without the client's schema has nothing of it.
            if field.name == SelectionPlan.Field.dataID || item.marks.isClient && known == nil { return }
            text += field.responseKey == field.name ? " \(field.name)" : " \(field.responseKey): \(field.name)"
            add(field.arguments, of: known)
            guard field.type.named.isComposite else { return }
            add(field.selections, on: known.map { schema.namedType(of: $0.type) }, also: "")
        case .inline(let condition, let items):
            guard let condition else {
                text += " ..."
                return add(items, on: type, also: "")
            }
            guard let target = schema.type(named: condition.type) else { return }
            text += " ... on \(condition.type)"
            // Answers show in this way which objects are of an abstract type.
            add(items, on: target, also: condition.isAbstract ? " __is\(condition.type): __typename" : "")
        case .spread: return
        }
    }

    private func holds(_ condition: SelectionPlan.Condition?) -> Bool {
        condition?.alternatives.contains { literals in
            literals.allSatisfy { (variables[$0.variable] == .bool(true)) != $0.isNegated }
        } ?? true
    }

    // MARK: - Arguments

    private mutating func add(_ arguments: [SelectionPlan.Argument], of field: SchemaField?) {
        let given = arguments.compactMap { argument -> String? in
            guard let value = value(argument.value) else { return nil }
            return "\(argument.name): \(literal(value, field?.argument(named: argument.name)?.type))"
        }
        if !given.isEmpty { text += "(\(given.joined(separator: ", ")))" }
    }

    /// The value of an argument; nil for a variable without one.
    private func value(_ value: SelectionPlan.Value) -> JSONValue? {
        switch value {
        case .variable(let name): variables[name]
        case .constant(let constant): constant
        case .list(let items): .array(items.map { self.value($0) ?? .null })
        case .object(let members):
            .object(members.compactMap { member in self.value(member.value).map { .init(member.name, $0) } })
        }
    }

    /// The literal of a value, for which the names of enum values must be known.
    private func literal(_ value: JSONValue, _ type: TypeReference?) -> String {
        if case .array(let items) = value {
            let item = type?.item ?? type
            return "[" + items.map { literal($0, item) }.joined(separator: ", ") + "]"
        }
        let named = type.map { schema.namedType(of: $0) }
        switch value {
        case .string(let name) where named?.kind == .enum: return name
        case .object(let members):
            let fields = members.map { "\($0.name): \(literal($0.value, named?.inputField(named: $0.name)?.type))" }
            return "{" + fields.joined(separator: ", ") + "}"
        default: return value.text
        }
    }
}

extension World {
    /// True if the world knows the client's own schema.
    var hasClientSchema: Bool { data.known.schema.server != nil }

    /// The document of an operation with the fields of the client; nil if the generated code is malformed.
    func wholeDocument(of artifact: GeneratedCode.OperationArtifact, _ variables: JSONValue) -> String? {
        WholeDocument.text(of: artifact, variables, in: data.known.schema)
    }
}

extension SelectionPlan.Item {
    fileprivate var hasClientFields: Bool {
        if marks.isClient { return true }
        return switch kind {
        case .field(let field): field.selections.contains { $0.hasClientFields }
        case .inline(_, let items): items.contains { $0.hasClientFields }
        case .spread: false
        }
    }
}
