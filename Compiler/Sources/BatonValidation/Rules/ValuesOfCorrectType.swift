import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Traversal {
    /// A literal is a value of the type that is expected; a single value stands for a list of one.
    ///
    /// Without a type, variables and names of input fields are all that is looked at. Variables are noted and judged
    /// with the operations that define them.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Values-of-Correct-Type
    func checkValue(_ value: Value, _ type: TypeReference?, hasDefault: Bool = false, isOneOfField: Bool = false) {
        switch value {
        case .variable(let variable):
            note(VariableUsage(variable: variable, type: type, hasDefault: hasDefault, isOneOfField: isOneOfField))
            return
        case .null:
            if let type, type.isNonNull { reportValue("null", value, type) }
            return
        case .list(let list):
            if let type, !type.isList, !schema.namedType(of: type).takesAnyLiteral {
                reportValue("a list", value, type)
                for item in list.values { checkValue(item, nil) }
            } else {
                for item in list.values { checkValue(item, type?.item) }
            }
            return
        default: break
        }
        // A value that is no list is taken for the only item, through any number of lists.
        var expected = type
        while let item = expected?.item { expected = item }
        switch value {
        case .object(let object): checkObject(object, value, expected)
        default: if let expected { checkScalar(value, expected) }
        }
    }

    /// Notes a variable for the operations, or judges it at once if the fragment itself declares it.
    private func note(_ usage: VariableUsage) {
        guard let local = localArguments?[usage.variable.name] else {
            facts.usages.append(usage)
            return
        }
        metLocalVariable = true
        facts.usedArguments.insert(usage.variable.name)
        guard let type = local.type else { return }
        checkUsageIsAllowed(usage, type: type, defaultValue: local.defaultValue, definedAt: local.name.span)
    }

    // MARK: - Scalars and enums

    private func checkScalar(_ value: Value, _ type: TypeReference) {
        let named = schema.namedType(of: type)
        switch named.kind {
        case .enum: checkEnum(value, named, type)
        case .inputObject: reportValue(value.messageName, value, type)
        default:
            if !named.takes(value) {
                reportValue(value.messageName, value, type, advice: named.advice(on: value))
            }
        }
    }

    private func checkEnum(_ value: Value, _ type: SchemaType, _ reference: TypeReference) {
        switch value {
        case .enum(let name):
            if let value = type.enumValue(named: name.text) {
                if let reason = value.deprecation {
                    reportDeprecated("value '\(name.text)' of enum '\(type.name)'", reason, at: name.span)
                }
                return
            }
            let meant = Spelling.suggestions(for: name.text, among: type.enumValues.map(\.name))
            reportUnknown(.unknownEnumValue, "unknown value '\(name.text)' of enum '\(type.name)'", name, meant: meant)
        case .string(let string):
            if type.enumValue(named: string.text) != nil {
                reportValue("a string", value, reference, advice: .bare(string.text))
            } else {
                let question = Spelling.question(for: string.text, among: type.enumValues.map(\.name))
                reportValue("a string", value, reference, advice: question.map { .text($0) })
            }
        default: reportValue(value.messageName, value, reference)
        }
    }

    // MARK: - Objects

    private func checkObject(_ object: ObjectValue, _ value: Value, _ type: TypeReference?) {
        checkInputFieldUniqueness(object)
        guard let type else {
            for field in object.fields { checkValue(field.value, nil) }
            return
        }
        let named = schema.namedType(of: type)
        guard named.kind == .inputObject else {
            if !schema.namedType(of: type).takesAnyLiteral { reportValue("an object", value, type) }
            for field in object.fields { checkValue(field.value, nil) }
            return
        }
        var unknown: [ObjectField] = []
        for field in object.fields {
            let definition = named.inputField(named: field.name.text)
            if let definition {
                if let reason = definition.deprecation {
                    let what = "field '\(definition.name)' of input object '\(named.name)'"
                    reportDeprecated(what, reason, at: field.name.span)
                }
            } else {
                unknown.append(field)
            }
            checkValue(
                field.value,
                definition?.type,
                hasDefault: definition?.defaultValue != nil,
                isOneOfField: named.isOneOf
            )
        }
        var missing = named.inputFields.filter { definition in
            definition.isRequired && !object.fields.contains { $0.name.text == definition.name }
        }
        if !unknown.isEmpty {
            var meant = MeantNames(
                defined: named.inputFields.map(\.name),
                given: object.fields.map(\.name.text),
                missing: missing.map(\.name)
            )
            for field in unknown { reportUnknownInputField(field, of: named, meant: &meant) }
            missing.removeAll { !meant.missing.contains($0.name) }
        }
        for definition in missing { reportMissingInputField(definition, of: named, at: object) }
        if named.isOneOf { checkOneOf(object, named) }
    }

    /// Exactly one field of a oneOf input object is given, and it is not null. A field that is unknown or given again
    /// was reported and does not count.
    private func checkOneOf(_ object: ObjectValue, _ type: SchemaType) {
        var given: [String: ObjectField] = [:]
        var hasUnknown = false
        for field in object.fields {
            if type.inputField(named: field.name.text) == nil { hasUnknown = true }
            given[field.name.text] = given[field.name.text] ?? field
        }
        if hasUnknown { return }
        if given.count != 1 {
            report(.oneOfField, "'\(type.name)' takes exactly one field, found \(given.count)", at: object.span)
        } else if let field = given.values.first, field.value.isNull {
            report(
                .oneOfField,
                "field '\(field.name.text)' of '\(type.name)' cannot be null, exactly one field is given",
                at: field.value.span
            )
        }
    }

    // MARK: - Messages

    private func reportValue(_ found: String, _ value: Value, _ type: TypeReference, advice: LiteralAdvice? = nil) {
        report(
            .invalidValue,
            "expected a value of type '\(schema.describe(type))', found \(found)",
            at: value.span,
            suggestion: advice?.suggestion,
            fix: advice?.fix(at: value.span)
        )
    }
}
