import BatonDiagnostics
import BatonSchema
import BatonSyntax

/// A value with facts about its place.
struct ExpectedValue {
    let value: Value
    /// The expected type; nil if it is unknown or any value is allowed.
    var type: TypeReference?
    /// Whether the argument or input field has a default value.
    var hasDefault = false
    var isOneOfField = false
    /// Whether a variable that does not fit is only a warning.
    var isUnchecked = false
}

/// An input object in a document.
struct GivenInputObject {
    let object: ObjectValue
    /// The expected type; nil if it is unknown or not an input object.
    let type: SchemaType?
    /// The names that the type does not define, each with similar names.
    let unknown: [(name: Name, meant: [String])]
    /// The required fields that are neither given nor matched with an unknown name.
    let missing: [SchemaInputValue]
}

extension Traversal {
    /// Calls the rules for a value and all its nested values. Variables are recorded, and checked with the operations
    /// that define them.
    func visit(_ value: Value, _ type: TypeReference?, hasDefault: Bool = false, isUnchecked: Bool = false) {
        // Nested values are in an array, so that deep nesting costs no stack.
        var pending: [ExpectedValue] = []
        let expected = ExpectedValue(value: value, type: type, hasDefault: hasDefault, isUnchecked: isUnchecked)
        visit(expected, &pending)
        while let next = pending.popLast() { visit(next, &pending) }
    }

    /// Visits a value and adds its nested values to `pending`, the first of them last.
    private func visit(_ expected: ExpectedValue, _ pending: inout [ExpectedValue]) {
        for case .value(let look) in rules.value { look(self, expected) }
        switch expected.value {
        case .variable(let variable): note(VariableUsage(variable: variable, expected))
        case .list(let list):
            let item = expected.type?.item
            pending += list.values.reversed().map {
                ExpectedValue(value: $0, type: item, isUnchecked: expected.isUnchecked)
            }
        case .object(let object): visit(object, expected, &pending)
        default: break
        }
    }

    /// Records a variable for the operations, or for the fragment that declares it.
    private func note(_ usage: VariableUsage) {
        let name = usage.variable.name
        if localArguments?[name] == nil {
            var usage = usage
            usage.target = passingTarget
            facts.usages.append(usage)
            if mayDeclareMore { metLocalVariable = true }
        } else {
            metLocalVariable = true
            facts.usedArguments.insert(name)
            if let target = passingTarget {
                facts.passedArguments.append(PassedArgument(name: name, target: target))
            } else {
                facts.effectiveArguments.insert(name)
            }
        }
    }

    private func visit(_ object: ObjectValue, _ place: ExpectedValue, _ pending: inout [ExpectedValue]) {
        let expected = place.type.map { schema.namedType(of: $0) }
        let named = expected?.kind == .inputObject ? expected : nil
        for field in object.fields.reversed() {
            let definition = named?.inputField(named: field.name.text)
            pending.append(
                ExpectedValue(
                    value: field.value,
                    type: definition?.type,
                    hasDefault: definition?.defaultValue != nil,
                    isOneOfField: named?.isOneOf == true,
                    isUnchecked: place.isUnchecked
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

    /// Calls the rules for the use of a deprecated element.
    func askDeprecated(_ description: String, _ reason: String, at span: Span) {
        let element = DeprecatedElement(description: description, reason: reason, span: span)
        for case .deprecated(let look) in rules.deprecated { look(self, element) }
    }
}

extension TypeReference {
    /// The type of an item, through any number of lists: a value that is not a list counts as the only item.
    var withoutLists: TypeReference {
        var type = self
        while let item = type.item { type = item }
        return type
    }
}
