import BatonDiagnostics
import BatonSyntax

/// Prints input values on one line. The parser's nesting limit bounds the recursion.
package enum ValueText {
    /// The value as plans write it: without spaces.
    package static func plan(_ value: Value) -> String {
        text(value, comma: ",", colon: ":")
    }

    /// The value as requests write it.
    package static func graphQL(_ value: Value) -> String {
        text(value, comma: ", ", colon: ": ")
    }

    private static func text(_ value: Value, comma: String, colon: String) -> String {
        switch value {
        case .variable(let variable): "$" + variable.name
        case .int(let number): number.text
        case .float(let number): number.text
        case .string(let string): string.text.quoted(in: .request)
        case .boolean(let boolean): boolean.isTrue ? "true" : "false"
        case .null: "null"
        case .enum(let name): name.text
        case .list(let list):
            "[" + list.values.map { text($0, comma: comma, colon: colon) }.joined(separator: comma) + "]"
        case .object(let object):
            "{"
                + object.fields.map { $0.name.text + colon + text($0.value, comma: comma, colon: colon) }
                .joined(separator: comma) + "}"
        }
    }
}
