import BatonDiagnostics

/// Writes text as Swift string literals.
package enum SwiftLiteral {
    /// A literal on one line. It is raw if the text has quotes or backslashes, and escaped if it has control
    /// characters.
    package static func string(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x5C }) else { return "\"\(text)\"" }
            return raw(text)
        }
        let scalars = text.unicodeScalars
        if scalars.contains(where: StringLanguage.swift.escapes) { return text.quoted(in: .swift) }
        guard scalars.contains(where: { $0 == "\"" || $0 == "\\" }) else { return "\"\(text)\"" }
        return raw(text)
    }

    private static func raw(_ text: String) -> String {
        let fence = String(repeating: "#", count: longestFence(in: text) + 1)
        return "\(fence)\"\(text)\"\(fence)"
    }

    /// The largest number of `#` signs after a quote or a backslash.
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
}
