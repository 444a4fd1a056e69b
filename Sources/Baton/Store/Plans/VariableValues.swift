/// The values of the variables of one call, with defaults, or the values that variables have inside a fragment.
struct VariableValues: Sendable {
    private var values: [String: JSONValue]
    /// The arguments of a fragment for which a spread passes nothing. They count as literal nulls, which are left out
    /// of fields.
    private var literalNulls: Set<String> = []

    /// Takes the values that are sent, and the default of every variable that was left out.
    init(sent: JSONValue, declared: [SelectionPlan.Variable]) {
        var values: [String: JSONValue] = [:]
        for variable in declared { values[variable.name] = variable.defaultValue }
        if case .object(let members) = sent {
            for member in members { values[member.name] = member.value }
        }
        self.values = values
    }

    /// Replaces the value of a variable; nil leaves it out.
    mutating func set(_ name: String, _ value: JSONValue?) {
        values[name] = value
        literalNulls.remove(name)
    }

    /// Gives a variable the value of a literal null.
    mutating func setLiteralNull(_ name: String) {
        values[name] = .null
        literalNulls.insert(name)
    }

    /// Returns the value of a variable; nil if it has none or is a literal null.
    func value(_ name: String) -> JSONValue? { literalNulls.contains(name) ? nil : values[name] }

    /// Returns true for null, and for a variable that is a literal null.
    func isLiteralNull(_ value: SelectionPlan.Value) -> Bool {
        switch value {
        case .constant(let value): value == .null
        case .variable(let name): literalNulls.contains(name)
        case .list, .object: false
        }
    }

    /// Evaluates `@skip` and `@include`. A variable without a value counts as false.
    func holds(_ condition: SelectionPlan.Condition) -> Bool {
        condition.alternatives.contains { conjunction in
            conjunction.allSatisfy { ((values[$0.variable] ?? .null) == .bool(true)) != $0.isNegated }
        }
    }

    /// Returns the value with variables replaced; nil for a variable without a value (specification, section 6.4.1).
    ///
    /// A variable that is a literal null is left out of objects, as the compiler leaves out literal nulls. A list keeps
    /// its length.
    func resolve(_ value: SelectionPlan.Value) -> JSONValue? {
        switch value {
        case .variable(let name): values[name]
        case .constant(let constant): constant
        case .list(let values): .array(values.map { resolve($0) ?? .null })
        case .object(let members):
            .object(
                members.filter { !standsForNull($0.value) }
                    .compactMap { member in resolve(member.value).map { .init(member.name, $0) } })
        }
    }

    private func standsForNull(_ value: SelectionPlan.Value) -> Bool {
        if case .variable(let name) = value { literalNulls.contains(name) } else { false }
    }

    /// Evaluates the `if` of `@defer` and `@stream`: true unless the variable is false.
    func holds(_ increment: SelectionPlan.Marks.Increment) -> Bool {
        increment.condition.map { values[$0] != .bool(false) } ?? true
    }

    /// Returns the arguments of a field that have a value. A variable that is a literal null counts as no argument,
    /// because the compiler leaves out an argument that is a literal null.
    func arguments(of field: SelectionPlan.Field) -> [JSONValue.Member] {
        field.arguments.compactMap { argument in
            if case .variable(let name) = argument.value, literalNulls.contains(name) { return nil }
            return resolve(argument.value).map { .init(argument.name, $0) }
        }
    }

    func storageKey(_ field: SelectionPlan.Field) -> String {
        StorageKey(field.name, arguments(of: field).map { ($0.name, $0.value) }).rawValue
    }
}
