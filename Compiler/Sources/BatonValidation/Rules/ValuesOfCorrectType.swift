import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let valuesOfCorrectType = ValidationRule(.values, "ValuesOfCorrectType", .value { $0.checkValue($1) })
}

extension Traversal {
    /// Checks that a literal is a value of the expected type. A single value counts as a list of one item. A literal
    /// without an expected type is not checked.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Values-of-Correct-Type
    func checkValue(_ expected: ExpectedValue) {
        guard let type = expected.type else { return }
        let value = expected.value
        switch value {
        case .variable: break
        case .null: if type.isNonNull { reportValue("null", value, type) }
        case .list:
            if !type.isList, !schema.namedType(of: type).takesAnyLiteral { reportValue("a list", value, type) }
        case .object(let object):
            let named = schema.namedType(of: type)
            if named.kind == .inputObject {
                if named.isOneOf { checkOneOf(object, named) }
            } else if !named.takesAnyLiteral {
                reportValue("an object", value, type.withoutLists)
            }
        default: checkScalar(value, type.withoutLists)
        }
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

    /// Whether a word that is not a valid value is the name of a variable. The variable then counts as used.
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
                    askDeprecated("value '\(name.text)' of enum '\(type.name)'", reason, at: name.span)
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

    /// Checks that exactly one field of a oneOf input object is given, and that it is not null. Unknown and repeated
    /// fields are reported elsewhere and do not count.
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
