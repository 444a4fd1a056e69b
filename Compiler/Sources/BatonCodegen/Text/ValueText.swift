import BatonDiagnostics
import BatonSyntax
import BatonTransforms

/// Prints input values on one line. The parser's nesting limit bounds the recursion.
package enum ValueText {
    /// The value in the form of plans: without spaces, and with strings as in JSON.
    package static func plan(_ value: Value) -> String {
        text(value, comma: ",", colon: ":", isSent: false)
    }

    /// The value in the form of requests: strings as in the document, and floats without an exponent.
    package static func sent(_ value: Value, isCompact: Bool) -> String {
        text(value, comma: isCompact ? "," : ", ", colon: isCompact ? ":" : ": ", isSent: true)
    }

    private static func text(_ value: Value, comma: String, colon: String, isSent: Bool) -> String {
        func text(_ value: Value) -> String { self.text(value, comma: comma, colon: colon, isSent: isSent) }
        switch value {
        case .variable(let variable): return "$" + variable.name
        case .int(let number): return number.text
        case .float(let number): return isSent ? DecimalText.plain(number.text) : number.text
        case .string(let string):
            if isSent, let written = string.escapedText { return "\"" + written + "\"" }
            return string.text.quoted(in: .request)
        case .boolean(let boolean): return boolean.isTrue ? "true" : "false"
        case .null: return "null"
        case .enum(let name): return name.text
        case .list(let list): return "[" + list.values.map(text).joined(separator: comma) + "]"
        case .object(let object):
            let fields = object.fields.map { $0.name.text + colon + text($0.value) }
            return "{" + fields.joined(separator: comma) + "}"
        }
    }
}
