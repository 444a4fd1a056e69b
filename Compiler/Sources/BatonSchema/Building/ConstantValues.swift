import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// Checks that a constant is a value of a type, as in documents. A single value counts as a list of one item.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Values-of-Correct-Type
    mutating func checkConstant(
        _ value: Value,
        _ type: TypeReference,
        in schema: Schema,
        allowsStringsForEnums: Bool = false
    ) {
        var check = ConstantCheck(
            schema: schema,
            brokenMembers: brokenMembers,
            allowsStringsForEnums: allowsStringsForEnums
        )
        check.check(value, type)
        for diagnostic in check.diagnostics { report(diagnostic) }
    }
}

/// Checks one constant value.
private struct ConstantCheck {
    let schema: Schema
    let brokenMembers: Set<SchemaBuilder.Member>
    let allowsStringsForEnums: Bool
    var diagnostics: [Diagnostic] = []
    /// Nested values that have not been checked. They are in an array, so that deep nesting costs no stack.
    private var pending: [(value: Value, type: TypeReference)] = []

    init(schema: Schema, brokenMembers: Set<SchemaBuilder.Member>, allowsStringsForEnums: Bool) {
        self.schema = schema
        self.brokenMembers = brokenMembers
        self.allowsStringsForEnums = allowsStringsForEnums
    }

    mutating func check(_ value: Value, _ type: TypeReference) {
        pending.append((value, type))
        while let next = pending.popLast() { checkOutside(of: next.value, next.type) }
    }

    /// Checks a value without its nested values, which are added to `pending`.
    private mutating func checkOutside(of value: Value, _ type: TypeReference) {
        switch value {
        case .variable: return  // The parser has reported that a variable is no constant.
        case .null:
            if type.isNonNull { reportValue("null", value, type) }
            return
        case .list(let list):
            if let item = type.item {
                pending += list.values.map { ($0, item) }
            } else if !schema.namedType(of: type).takesAnyLiteral {
                reportValue("a list", value, type)
            }
            return
        default: break
        }
        var expected = type
        while let item = expected.item { expected = item }
        let named = schema.namedType(of: expected)
        switch (named.kind, value) {
        case (.inputObject, .object(let object)): checkObject(object, named)
        case (.enum, .enum(let name)):
            if named.enumValue(named: name.text) == nil { reportUnknownValue(name, of: named) }
        case (.enum, .string(let string)): checkQuoted(string, value, named, expected)
        case (.scalar, _):
            if !named.takes(value) {
                reportValue(value.messageName, value, expected, advice: named.advice(on: value))
            }
        default: reportValue(value.messageName, value, expected)
        }
    }

    // MARK: - Enums

    private mutating func checkQuoted(
        _ string: StringValue,
        _ value: Value,
        _ type: SchemaType,
        _ reference: TypeReference
    ) {
        guard type.enumValue(named: string.text) != nil else {
            let question = Spelling.question(for: string.text, among: type.enumValues.map(\.name))
            return reportValue("a string", value, reference, advice: question.map { .text($0) })
        }
        let advice = LiteralAdvice.bare(string.text)
        guard allowsStringsForEnums else { return reportValue("a string", value, reference, advice: advice) }
        diagnostics.append(
            Diagnostic(
                .stringEnumDefault,
                severity: .warning,
                "the value '\(string.text)' of enum '\(type.name)' is written as a string",
                at: string.span,
                suggestion: advice.suggestion,
                fix: advice.fix(at: string.span)
            )
        )
    }

    private mutating func reportUnknownValue(_ name: Name, of type: SchemaType) {
        diagnostics.append(
            .unknown(
                .unknownEnumValue,
                "unknown value '\(name.text)' of enum '\(type.name)'",
                name,
                meant: Spelling.suggestions(for: name.text, among: type.enumValues.map(\.name))
            )
        )
    }

    // MARK: - Objects

    private mutating func checkObject(_ object: ObjectValue, _ type: SchemaType) {
        var given: [String: ObjectField] = [:]
        var unknown: [Name] = []
        for field in object.fields {
            let name = field.name.text
            if let first = given[name] {
                diagnostics.append(
                    Diagnostic(
                        .duplicateInputField,
                        "input field '\(name)' is given twice",
                        at: field.name.span,
                        notes: [.init("first given here", at: first.name.span)]
                    )
                )
                continue
            }
            given[name] = field
            if let definition = type.inputField(named: name) {
                // A null in a oneOf object is reported by another rule.
                if !type.isOneOf || !field.value.isNull { pending.append((field.value, definition.type)) }
            } else {
                unknown.append(field.name)
            }
        }
        var missing = type.inputFields.filter { $0.isRequired && given[$0.name] == nil }
        if !unknown.isEmpty {
            var meant = MeantNames(
                defined: type.inputFields.map(\.name),
                given: Array(given.keys),
                missing: missing.map(\.name)
            )
            for name in unknown where !brokenMembers.contains(.init(owner: type.name, name: name.text)) {
                let message = "unknown field '\(name.text)' of input object '\(type.name)'"
                diagnostics.append(.unknown(.unknownInputField, message, name, meant: meant.names(for: name.text)))
            }
            missing.removeAll { !meant.missing.contains($0.name) }
        }
        for definition in missing {
            diagnostics.append(
                Diagnostic(
                    .missingInputField,
                    "input object '\(type.name)' needs field '\(definition.name)' of type "
                        + "'\(schema.describe(definition.type))'",
                    at: object.span,
                    notes: [.init("declared here", at: definition.span)]
                )
            )
        }
        if type.isOneOf, unknown.isEmpty { checkOneOf(object, given, type) }
    }

    private mutating func checkOneOf(_ object: ObjectValue, _ given: [String: ObjectField], _ type: SchemaType) {
        if given.count != 1 {
            diagnostics.append(
                Diagnostic(
                    .oneOfField,
                    "'\(type.name)' takes exactly one field, found \(given.count)",
                    at: object.span
                )
            )
        } else if let field = given.values.first, field.value.isNull {
            diagnostics.append(
                Diagnostic(
                    .oneOfField,
                    "field '\(field.name.text)' of '\(type.name)' cannot be null, exactly one field is given",
                    at: field.value.span
                )
            )
        }
    }

    // MARK: - Messages

    private mutating func reportValue(
        _ found: String,
        _ value: Value,
        _ type: TypeReference,
        advice: LiteralAdvice? = nil
    ) {
        diagnostics.append(
            Diagnostic(
                .invalidValue,
                "expected a value of type '\(schema.describe(type))', found \(found)",
                at: value.span,
                suggestion: advice?.suggestion,
                fix: advice?.fix(at: value.span)
            )
        )
    }
}
