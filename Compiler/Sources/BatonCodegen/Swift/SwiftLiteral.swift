/// Writes text as Swift string literals.
package enum SwiftLiteral {
    /// A literal on one line: raw where the text has quotes or backslashes, escaped where it has control characters.
    package static func string(_ text: String) -> String {
        let scalars = text.unicodeScalars
        if scalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0.value == 0x2028 }) {
            return escaped(text)
        }
        guard scalars.contains(where: { $0 == "\"" || $0 == "\\" }) else { return "\"\(text)\"" }
        let fence = String(repeating: "#", count: longestFence(in: text) + 1)
        return "\(fence)\"\(text)\"\(fence)"
    }

    /// The most number signs that follow a quote or a backslash.
    private static func longestFence(in text: String) -> Int {
        var longest = 0
        var current: Int?
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                current = 0
            } else if byte == UInt8(ascii: "#"), let count = current {
                current = count + 1
                longest = max(longest, count + 1)
            } else {
                current = nil
            }
        }
        return longest
    }

    /// A literal on one line that is never raw, as attributes ask for.
    package static func escaped(_ text: String) -> String {
        var output = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028:
                output += "\\u{\(String(scalar.value, radix: 16))}"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output + "\""
    }
}
