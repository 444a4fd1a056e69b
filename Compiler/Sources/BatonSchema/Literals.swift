import BatonDiagnostics
import BatonSyntax

extension SchemaType {
    private static let builtInScalars: Set<String> = ["Int", "Float", "String", "Boolean", "ID"]

    /// Whether the type accepts any literal. The compiler does not know the rules of custom scalars, so that it accepts
    /// all literals.
    package var takesAnyLiteral: Bool { kind == .scalar && !Self.builtInScalars.contains(name) }

    /// Whether a literal is a value of this scalar; the literal is neither a list nor null.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Scalars.Built-in-Scalars
    package func takes(_ literal: Value) -> Bool {
        switch (name, literal) {
        case ("Int", .int(let number)): Int32(number.text) != nil
        case ("Float", .int(let number)): Double(number.text)?.isFinite == true
        case ("Float", .float(let number)): Double(number.text)?.isFinite == true
        case ("String", .string), ("Boolean", .boolean), ("ID", .string), ("ID", .int): true
        default: takesAnyLiteral
        }
    }

    /// Advice on a literal that this scalar does not accept; nil without advice.
    package func advice(on literal: Value) -> LiteralAdvice? {
        switch (name, literal) {
        case ("Int", .int): .text("an Int has 32 bits, from \(Int32.min) to \(Int32.max)")
        case ("String", .enum(let name)), ("ID", .enum(let name)): .quoted(name.text)
        case ("String", .int(let number)): .quoted(number.text)
        case ("String", .float(let number)), ("ID", .float(let number)): .quoted(number.text)
        case ("String", .boolean(let value)), ("ID", .boolean(let value)): .quoted("\(value.isTrue)")
        case ("Boolean", .string(let string)) where string.text == "true" || string.text == "false": .bare(string.text)
        case ("Boolean", .enum(let name)) where ["true", "false"].contains(name.text.lowercased()):
            .lowercased(name.text)
        case ("Int", .string(let string)) where Self.isInteger(string.text): .bare(string.text)
        case ("Float", .string(let string)) where Self.isInteger(string.text): .bare(string.text)
        default: nil
        }
    }

    /// Whether a text is an integer in GraphQL's grammar that fits an Int.
    private static func isInteger(_ text: String) -> Bool {
        guard let number = Int32(text) else { return false }
        return String(number) == text
    }
}

/// A correction of a literal of the wrong type.
package enum LiteralAdvice: Hashable, Sendable {
    case quoted(String)
    case bare(String)
    case lowercased(String)
    /// The name of a variable, which the word may mean.
    case variable(String)
    /// Advice in words, without a certain replacement.
    case text(String)

    private var literal: String? {
        switch self {
        case .quoted(let text): "\"\(text)\""
        case .bare(let text): text
        case .variable(let name): "$\(name)"
        case .lowercased(let text): text.lowercased()
        case .text: nil
        }
    }

    package var suggestion: String {
        switch self {
        case .quoted(let text): "write '\"\(text)\"'"
        case .lowercased(let text): "write '\(text.lowercased())'"
        case .variable(let name): "did you mean '$\(name)'?"
        case .bare(let text): "write '\(text)' without quotes"
        case .text(let text): text
        }
    }

    /// The replacement of the literal at a place; nil if the advice has no certain replacement.
    package func fix(at span: Span) -> Diagnostic.Fix? { literal.map { Diagnostic.Fix($0, at: span) } }
}

extension Schema {
    /// Whether a constant is a value of an input type. A single value counts as a list of one item.
    ///
    /// The parser's nesting limit bounds the recursion.
    package func takes(_ value: Value, as type: TypeReference) -> Bool {
        if value.isNull { return !type.isNonNull }
        if let item = type.item {
            if case .list(let list) = value { return list.values.allSatisfy { takes($0, as: item) } }
            return takes(value, as: item)
        }
        let named = namedType(of: type)
        switch (named.kind, value) {
        case (.enum, .enum(let name)): return named.enumValue(named: name.text) != nil
        case (.inputObject, .object(let object)):
            let given = Set(object.fields.map(\.name.text))
            return named.inputFields.allSatisfy { !$0.isRequired || given.contains($0.name) }
                && object.fields.allSatisfy { field in
                    named.inputField(named: field.name.text).map { takes(field.value, as: $0.type) } ?? false
                }
        case (.scalar, _): return named.takes(value)
        default: return false
        }
    }
}

extension Value {
    /// The text of the value in messages.
    package var messageName: String {
        switch self {
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
