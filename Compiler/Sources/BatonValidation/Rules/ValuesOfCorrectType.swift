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
    func checkValue(_ value: Value, _ type: TypeReference?, hasDefault: Bool = false) {
        // Values inside others stand in an array, so that deep nesting costs no stack.
        var pending: [ExpectedValue] = []
        check(ExpectedValue(value: value, type: type, hasDefault: hasDefault), &pending)
        while let next = pending.popLast() { check(next, &pending) }
    }

    /// A value and what is known of the place where it stands.
    private struct ExpectedValue {
        let value: Value
        /// Nil where the type is unknown or takes anything.
        var type: TypeReference?
        var hasDefault = false
        var isOneOfField = false
    }

    /// Checks a value; those inside it are added to the pending ones, the first of them last.
    private func check(_ expected: ExpectedValue, _ pending: inout [ExpectedValue]) {
        let (value, type) = (expected.value, expected.type)
        switch value {
        case .variable(let variable):
            note(
                VariableUsage(
                    variable: variable,
                    type: type,
                    hasDefault: expected.hasDefault,
                    isOneOfField: expected.isOneOfField
                )
            )
        case .null:
            if let type, type.isNonNull { reportValue("null", value, type) }
        case .list(let list):
            var item = type?.item
            if let type, !type.isList, !schema.namedType(of: type).takesAnyLiteral {
                reportValue("a list", value, type)
                item = nil
            }
            pending += list.values.reversed().map { ExpectedValue(value: $0, type: item) }
        case .object(let object): check(object, value, Self.itemType(of: type), &pending)
        default:
            if let type = Self.itemType(of: type) { checkScalar(value, type) }
        }
    }

    /// A value that is no list is taken for the only item, through any number of lists.
    private static func itemType(of type: TypeReference?) -> TypeReference? {
        var type = type
        while let item = type?.item { type = item }
        return type
    }

    /// Notes a variable for the operations, or judges it at once if the fragment itself declares it.
    private func note(_ usage: VariableUsage) {
        guard let local = localArguments?[usage.variable.name] else {
            facts.usages.append(usage)
            if mayDeclareMore { metLocalVariable = true }
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
        case .inputObject: reportValue(value.messageName, value, type, advice: adviceOnWord(value))
        default:
            if !named.takes(value) {
                reportValue(value.messageName, value, type, advice: adviceOnWord(value) ?? named.advice(on: value))
            }
        }
    }

    private func adviceOnWord(_ value: Value) -> LiteralAdvice? {
        guard case .enum(let word) = value, isVariable(word) else { return nil }
        return .variable(word.text)
    }

    /// Whether a word that is no value here is the name of a variable, which then counts as used.
    private func isVariable(_ word: Name) -> Bool {
        facts.bareWords.insert(word.text)
        if localArguments?[word.text] == nil { return currentVariables.contains { $0.name.text == word.text } }
        facts.usedArguments.insert(word.text)
        return true
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
            let message = "unknown value '\(name.text)' of enum '\(type.name)'"
            if let advice = adviceOnWord(value) {
                let fix = advice.fix(at: name.span)
                report(.unknownEnumValue, message, at: name.span, suggestion: advice.suggestion, fix: fix)
                return
            }
            let meant = Spelling.suggestions(for: name.text, among: type.enumValues.map(\.name))
            reportUnknown(.unknownEnumValue, message, name, meant: meant)
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

    private func check(
        _ object: ObjectValue,
        _ value: Value,
        _ type: TypeReference?,
        _ pending: inout [ExpectedValue]
    ) {
        checkInputFieldUniqueness(object)
        let named = type.flatMap { inputObject($0, for: value) }
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
            if let named, let definition { checkDeprecation(of: definition, named, at: field.name.span) }
        }
        if let named { checkGivenFields(of: object, named) }
    }

    /// The input object that is expected; another type is reported unless it takes anything.
    private func inputObject(_ type: TypeReference, for value: Value) -> SchemaType? {
        let named = schema.namedType(of: type)
        if named.kind == .inputObject { return named }
        if !named.takesAnyLiteral { reportValue("an object", value, type) }
        return nil
    }

    private func checkDeprecation(of field: SchemaInputValue, _ type: SchemaType, at span: Span) {
        guard let reason = field.deprecation else { return }
        reportDeprecated("field '\(field.name)' of input object '\(type.name)'", reason, at: span)
    }

    /// What is given is defined, and what is required is given.
    private func checkGivenFields(of object: ObjectValue, _ type: SchemaType) {
        let unknown = object.fields.filter { type.inputField(named: $0.name.text) == nil }
        var missing = type.inputFields.filter { definition in
            definition.isRequired && !object.fields.contains { $0.name.text == definition.name }
        }
        if !unknown.isEmpty {
            var meant = MeantNames(
                defined: type.inputFields.map(\.name),
                given: object.fields.map(\.name.text),
                missing: missing.map(\.name)
            )
            for field in unknown { reportUnknownInputField(field, of: type, meant: &meant) }
            missing.removeAll { !meant.missing.contains($0.name) }
        }
        for definition in missing { reportMissingInputField(definition, of: type, at: object) }
        if type.isOneOf { checkOneOf(object, type) }
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
