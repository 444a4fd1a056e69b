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
            if let type, !type.isList, !isFreeForm(type) {
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
        guard let type = local.type else { return }
        checkUsageIsAllowed(usage, type: type, defaultValue: local.defaultValue, definedAt: local.name.span)
    }

    /// Whether any literal is accepted: a scalar that is not built in has its own rules, which are not known here.
    private func isFreeForm(_ type: TypeReference) -> Bool {
        let named = schema.namedType(of: type)
        return named.kind == .scalar && !Self.builtInScalars.contains(named.name)
    }

    private static let builtInScalars: Set<String> = ["Int", "Float", "String", "Boolean", "ID"]

    // MARK: - Scalars and enums

    private func checkScalar(_ value: Value, _ type: TypeReference) {
        let named = schema.namedType(of: type)
        switch named.kind {
        case .enum: checkEnum(value, named, type)
        case .inputObject: reportValue(Self.description(of: value), value, type)
        default:
            if !Self.fits(value, named.name) { reportValue(Self.description(of: value), value, type) }
        }
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

    private func checkEnum(_ value: Value, _ type: SchemaType, _ reference: TypeReference) {
        switch value {
        case .enum(let name):
            if type.enumValue(named: name.text) != nil { return }
            report(
                .unknownEnumValue,
                "unknown value '\(name.text)' of enum '\(type.name)'",
                at: name.span,
                suggestion: Spelling.question(for: name.text, among: type.enumValues.map(\.name))
            )
        case .string(let string):
            let isKnown = type.enumValue(named: string.text) != nil
            reportValue(
                "a string",
                value,
                reference,
                suggestion: isKnown
                    ? "write '\(string.text)' without quotes"
                    : Spelling.question(for: string.text, among: type.enumValues.map(\.name))
            )
        default: reportValue(Self.description(of: value), value, reference)
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
            if !isFreeForm(type) { reportValue("an object", value, type) }
            for field in object.fields { checkValue(field.value, nil) }
            return
        }
        var excused: [String] = []
        for field in object.fields {
            let definition = checkInputFieldName(field, of: named, excused: &excused)
            checkValue(
                field.value,
                definition?.type,
                hasDefault: definition?.defaultValue != nil,
                isOneOfField: named.isOneOf
            )
        }
        checkRequiredInputFields(object, of: named, excused: excused)
        if named.isOneOf { checkOneOf(object, named) }
    }

    /// Exactly one field of a oneOf input object is given, and it is not null.
    private func checkOneOf(_ object: ObjectValue, _ type: SchemaType) {
        if object.fields.count != 1 {
            report(
                .oneOfField,
                "'\(type.name)' takes exactly one field, found \(object.fields.count)",
                at: object.span
            )
        } else if let field = object.fields.first, field.value.isNull {
            report(
                .oneOfField,
                "field '\(field.name.text)' of '\(type.name)' cannot be null, exactly one field is given",
                at: field.value.span
            )
        }
    }

    // MARK: - Messages

    private func reportValue(_ found: String, _ value: Value, _ type: TypeReference, suggestion: String? = nil) {
        report(
            .invalidValue,
            "expected a value of type '\(schema.describe(type))', found \(found)",
            at: value.span,
            suggestion: suggestion
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
