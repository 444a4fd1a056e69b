import BatonDiagnostics
import BatonSyntax

extension SchemaBuilder {
    /// A constant is a value of a type, as in documents; a single value stands for a list of one.
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
        diagnostics += check.diagnostics
    }
}

/// Looks at one constant value.
private struct ConstantCheck {
    let schema: Schema
    let brokenMembers: Set<SchemaBuilder.Member>
    let allowsStringsForEnums: Bool
    var diagnostics: [Diagnostic] = []

    private static let builtInScalars: Set<String> = ["Int", "Float", "String", "Boolean", "ID"]

    init(schema: Schema, brokenMembers: Set<SchemaBuilder.Member>, allowsStringsForEnums: Bool) {
        self.schema = schema
        self.brokenMembers = brokenMembers
        self.allowsStringsForEnums = allowsStringsForEnums
    }

    mutating func check(_ value: Value, _ type: TypeReference) {
        switch value {
        case .variable: return  // no constant, as the parser has said
        case .null:
            if type.isNonNull { reportValue("null", value, type) }
            return
        case .list(let list):
            if let item = type.item {
                for value in list.values { check(value, item) }
            } else if !isFreeForm(schema.namedType(of: type)) {
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
            if named.enumValue(named: name.text) == nil { reportUnknown(name.text, at: name.span, of: named) }
        case (.enum, .string(let string)): checkQuoted(string, value, named, expected)
        case (.scalar, _) where Self.fits(value, named.name): break
        default: reportValue(Self.description(of: value), value, expected)
        }
    }

    private func isFreeForm(_ type: SchemaType) -> Bool {
        type.kind == .scalar && !Self.builtInScalars.contains(type.name)
    }

    private static func fits(_ value: Value, _ scalar: String) -> Bool {
        switch (scalar, value) {
        case ("Int", .int(let number)): Int32(number.text) != nil
        case ("Float", .int(let number)): Double(number.text)?.isFinite == true
        case ("Float", .float(let number)): Double(number.text)?.isFinite == true
        case ("String", .string), ("Boolean", .boolean), ("ID", .string), ("ID", .int): true
        default: !builtInScalars.contains(scalar)
        }
    }

    // MARK: - Enums

    private mutating func checkQuoted(
        _ string: StringValue,
        _ value: Value,
        _ type: SchemaType,
        _ reference: TypeReference
    ) {
        let isKnown = type.enumValue(named: string.text) != nil
        let suggestion =
            isKnown
            ? "write '\(string.text)' without quotes"
            : Spelling.question(for: string.text, among: type.enumValues.map(\.name))
        if allowsStringsForEnums, isKnown {
            diagnostics.append(
                Diagnostic(
                    .stringEnumDefault,
                    severity: .warning,
                    "the value '\(string.text)' of enum '\(type.name)' is written as a string",
                    at: string.span,
                    suggestion: suggestion,
                    fix: .init(string.text, at: string.span)
                )
            )
        } else {
            reportValue("a string", value, reference, suggestion: suggestion)
        }
    }

    private mutating func reportUnknown(_ name: String, at span: Span, of type: SchemaType) {
        diagnostics.append(
            Diagnostic(
                .unknownEnumValue,
                "unknown value '\(name)' of enum '\(type.name)'",
                at: span,
                suggestion: Spelling.question(for: name, among: type.enumValues.map(\.name))
            )
        )
    }

    // MARK: - Objects

    private mutating func checkObject(_ object: ObjectValue, _ type: SchemaType) {
        var seen: [String: Span] = [:]
        var excused: [String] = []
        for field in object.fields {
            let name = field.name.text
            if let first = seen[name] {
                diagnostics.append(
                    Diagnostic(
                        .duplicateInputField,
                        "input field '\(name)' is given twice",
                        at: field.name.span,
                        notes: [.init("first given here", at: first)]
                    )
                )
                continue
            }
            seen[name] = field.name.span
            if let definition = type.inputField(named: name) {
                let isNull = type.isOneOf && object.fields.count == 1 && field.value.isNull
                if !isNull { check(field.value, definition.type) }
            } else if !brokenMembers.contains(.init(owner: type.name, name: name)) {
                let suggestions = Spelling.suggestions(for: name, among: type.inputFields.map(\.name))
                excused += suggestions
                diagnostics.append(
                    Diagnostic(
                        .unknownInputField,
                        "unknown field '\(name)' of input object '\(type.name)'",
                        at: field.name.span,
                        suggestion: Spelling.question(naming: suggestions)
                    )
                )
            }
        }
        if type.isOneOf { return checkOneOf(object, type) }
        for definition in type.inputFields where definition.isRequired && seen[definition.name] == nil {
            if excused.contains(definition.name) { continue }
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
    }

    private mutating func checkOneOf(_ object: ObjectValue, _ type: SchemaType) {
        if object.fields.count != 1 {
            diagnostics.append(
                Diagnostic(
                    .oneOfField,
                    "'\(type.name)' takes exactly one field, found \(object.fields.count)",
                    at: object.span
                )
            )
        } else if let field = object.fields.first, field.value.isNull {
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
        suggestion: String? = nil
    ) {
        diagnostics.append(
            Diagnostic(
                .invalidValue,
                "expected a value of type '\(schema.describe(type))', found \(found)",
                at: value.span,
                suggestion: suggestion
            )
        )
    }

    private static func description(of value: Value) -> String {
        switch value {
        case .variable(let variable): "$\(variable.name)"
        case .int(let number): "'\(number.text)'"
        case .float(let number): "'\(number.text)'"
        case .string: "a string"
        case .boolean(let value): value.isTrue ? "'true'" : "'false'"
        case .null: "null"
        case .enum(let name): "'\(name.text)'"
        case .list: "a list"
        case .object: "an object"
        }
    }
}
