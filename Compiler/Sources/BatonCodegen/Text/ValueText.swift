import BatonSyntax

/// Writes input values on one line. Recursion is bounded by the nesting limit of the parser.
package enum ValueText {
    /// As a plan has them: without spaces.
    package static func plan(_ value: Value) -> String {
        text(value, comma: ",", colon: ":")
    }

    /// As network text has them.
    package static func graphQL(_ value: Value) -> String {
        text(value, comma: ", ", colon: ": ")
    }

    private static func text(_ value: Value, comma: String, colon: String) -> String {
        switch value {
        case .variable(let variable): "$" + variable.name
        case .int(let number): number.text
        case .float(let number): number.text
        case .string(let string): quoted(string.text)
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

    /// A string with the escapes that JSON and GraphQL share.
    private static func quoted(_ text: String) -> String {
        var output = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output + "\""
    }
}
