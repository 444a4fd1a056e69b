import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// A value and what is known of the place where it stands.
struct ExpectedValue {
    let value: Value
    /// Nil where the type is unknown or takes anything.
    var type: TypeReference?
    /// Whether the argument or input field itself has a default.
    var hasDefault = false
    var isOneOfField = false
}

/// An input object that is given.
struct GivenInputObject {
    let object: ObjectValue
    /// The type that is expected, or nil if it is unknown or no input object.
    let type: SchemaType?
    /// The names that the type does not define, each with those that were probably meant.
    let unknown: [(name: Name, meant: [String])]
    /// What is required and neither given nor meant by an unknown name.
    let missing: [SchemaInputValue]
}

extension Traversal {
    /// Asks the rules about a value and all values inside it. Variables are noted, and judged with the operations that
    /// define them.
    func visit(_ value: Value, _ type: TypeReference?, hasDefault: Bool = false) {
        // Values inside others stand in an array, so that deep nesting costs no stack.
        var pending: [ExpectedValue] = []
        visit(ExpectedValue(value: value, type: type, hasDefault: hasDefault), &pending)
        while let next = pending.popLast() { visit(next, &pending) }
    }

    /// Visits a value; those inside it are added to the pending ones, the first of them last.
    private func visit(_ expected: ExpectedValue, _ pending: inout [ExpectedValue]) {
        for case .value(let look) in rules.value { look(self, expected) }
        switch expected.value {
        case .variable(let variable): note(VariableUsage(variable: variable, expected))
        case .list(let list):
            let item = expected.type?.item
            pending += list.values.reversed().map { ExpectedValue(value: $0, type: item) }
        case .object(let object): visit(object, expected.type, &pending)
        default: break
        }
    }

    /// Notes a variable for the operations, or for the fragment that declares it.
    private func note(_ usage: VariableUsage) {
        if localArguments?[usage.variable.name] == nil {
            facts.usages.append(usage)
            if mayDeclareMore { metLocalVariable = true }
        } else {
            metLocalVariable = true
            facts.usedArguments.insert(usage.variable.name)
        }
    }

    private func visit(_ object: ObjectValue, _ type: TypeReference?, _ pending: inout [ExpectedValue]) {
        let expected = type.map { schema.namedType(of: $0) }
        let named = expected?.kind == .inputObject ? expected : nil
        for field in object.fields.reversed() {
            let definition = named?.inputField(named: field.name.text)
            pending.append(
                ExpectedValue(
                    value: field.value,
                    type: definition?.type,
                    hasDefault: definition?.defaultValue != nil,
                    isOneOfField: named?.isOneOf == true
                )
            )
            if let named, let reason = definition?.deprecation {
                askDeprecated("field '\(field.name.text)' of input object '\(named.name)'", reason, at: field.name.span)
            }
        }
        let given = given(object, named)
        for case .inputObject(let look) in rules.inputObject { look(self, given) }
    }

    private func given(_ object: ObjectValue, _ type: SchemaType?) -> GivenInputObject {
        guard let type else { return GivenInputObject(object: object, type: nil, unknown: [], missing: []) }
        let unknown = object.fields.filter { type.inputField(named: $0.name.text) == nil }
        var missing = type.inputFields.filter { definition in
            definition.isRequired && !object.fields.contains { $0.name.text == definition.name }
        }
        if unknown.isEmpty { return GivenInputObject(object: object, type: type, unknown: [], missing: missing) }
        var meant = MeantNames(
            defined: type.inputFields.map(\.name),
            given: object.fields.map(\.name.text),
            missing: missing.map(\.name)
        )
        let named = unknown.map { (name: $0.name, meant: meant.names(for: $0.name.text)) }
        missing.removeAll { !meant.missing.contains($0.name) }
        return GivenInputObject(object: object, type: type, unknown: named, missing: missing)
    }

    /// Asks the rules about something that the schema deprecates.
    func askDeprecated(_ description: String, _ reason: String, at span: Span) {
        let element = DeprecatedElement(description: description, reason: reason, span: span)
        for case .deprecated(let look) in rules.deprecated { look(self, element) }
    }
}

extension TypeReference {
    /// The type of an item, through any number of lists: a value that is no list is taken for the only item.
    var withoutLists: TypeReference {
        var type = self
        while let item = type.item { type = item }
        return type
    }
}
