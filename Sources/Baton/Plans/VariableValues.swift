/// The values of the variables of one call, with defaults.
struct VariableValues: Sendable {
    private let values: [String: JSONValue]

    /// Takes the values that are sent, and the default of every variable that was left out.
    init(sent: JSONValue, declared: [SelectionPlan.Variable]) {
        var values: [String: JSONValue] = [:]
        for variable in declared { values[variable.name] = variable.defaultValue }
        if case .object(let members) = sent {
            for member in members { values[member.name] = member.value }
        }
        self.values = values
    }

    /// Evaluates `@skip` and `@include`. A variable without a value counts as false.
    func holds(_ condition: SelectionPlan.Condition) -> Bool {
        condition.alternatives.contains { conjunction in
            conjunction.allSatisfy { ((values[$0.variable] ?? .null) == .bool(true)) != $0.isNegated }
        }
    }

    /// Returns the value with variables replaced; nil for a variable without a value (specification, section 6.4.1).
    func resolve(_ value: SelectionPlan.Value) -> JSONValue? {
        switch value {
        case .variable(let name): values[name]
        case .constant(let constant): constant
        case .list(let values): .array(values.map { resolve($0) ?? .null })
        case .object(let members):
            .object(members.compactMap { member in resolve(member.value).map { .init(member.name, $0) } })
        }
    }

    /// Evaluates the `if` of `@defer` and `@stream`: true unless the variable is false.
    func holds(_ increment: SelectionPlan.Marks.Increment) -> Bool {
        increment.condition.map { values[$0] != .bool(false) } ?? true
    }

    /// Returns the arguments of a field that have a value.
    func arguments(of field: SelectionPlan.Field) -> [JSONValue.Member] {
        field.arguments.compactMap { argument in resolve(argument.value).map { .init(argument.name, $0) } }
    }

    func storageKey(_ field: SelectionPlan.Field) -> String {
        StorageKey(
            field.name, field.arguments.compactMap { argument in resolve(argument.value).map { (argument.name, $0) } }
        ).rawValue
    }
}
