import BatonDiagnostics

/// Writes text as Swift string literals.
package enum SwiftLiteral {
    /// A literal on one line. It is raw if the text has quotes or backslashes, and escaped if it has control
    /// characters.
    package static func string(_ text: String) -> String {
        var bytes: [UInt8] = []
        add(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Adds the literal to a text.
    static func add(_ text: String, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(quote)
        bytes.append(contentsOf: text.utf8)
        var (isPrintable, isQuoted) = (true, false)
        for byte in bytes[(start + 1)...] {
            if byte < 0x20 || byte > 0x7E { isPrintable = false }
            if byte == quote || byte == backslash { isQuoted = true }
        }
        if !isPrintable, text.unicodeScalars.contains(where: StringLanguage.swift.escapes) {
            bytes.removeLast(bytes.count - start)
            bytes.append(contentsOf: text.quoted(in: .swift).utf8)
            return
        }
        if isQuoted {
            let fence = repeatElement(UInt8(ascii: "#"), count: longestFence(in: bytes[(start + 1)...]) + 1)
            bytes.insert(contentsOf: fence, at: start)
            bytes.append(quote)
            bytes.append(contentsOf: fence)
        } else {
            bytes.append(quote)
        }
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// The largest number of `#` signs after a quote or a backslash.
    private static func longestFence(in text: ArraySlice<UInt8>) -> Int {
        var longest = 0
        var current: Int?
        for byte in text {
            if byte == quote || byte == backslash {
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
