/// A language whose string literals the compiler writes. The language decides which characters are escaped.
package enum StringLanguage: CaseIterable, Sendable {
    /// JSON for tools: control and format characters are escaped.
    case json
    /// GraphQL for people: control and format characters up to U+FFFF are escaped. Characters beyond U+FFFF are not
    /// escaped, because many servers do not know that kind of escape.
    case graphQL
    /// GraphQL as requests and selection plans have it: only control characters are escaped, with the escapes that JSON
    /// and GraphQL share.
    case request
    /// Swift on one line: control characters and line separators are escaped.
    case swift
}

extension String {
    /// A GraphQL document for people: control and format characters, which only strings hold, are escaped. Line breaks
    /// stay.
    package var printableDocument: String {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }) { return self }
        var output = ""
        for scalar in unicodeScalars {
            if scalar == "\n" || !StringLanguage.graphQL.escapes(scalar) {
                output.unicodeScalars.append(scalar)
            } else {
                output += StringLanguage.graphQL.escape(scalar)
            }
        }
        return output
    }

    /// The text as a string literal with its quotes.
    package func quoted(in language: StringLanguage) -> String {
        let isPlain = utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
        if isPlain { return "\"" + self + "\"" }
        if let ascii = quotedASCII() { return ascii }
        var output = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            case _ where !language.escapes(scalar): output.unicodeScalars.append(scalar)
            default: output += language.escape(scalar)
            }
        }
        return output + "\""
    }

    /// The literal of a text of ASCII whose only control characters are those with a short escape, which all languages
    /// share; nil for other texts. Texts and plans of operations are such. Benchmark: `compile.ms`
    private func quotedASCII() -> String? {
        var isPossible = true
        let literal = String(unsafeUninitializedCapacity: 2 * utf8.count + 2) { bytes in
            bytes[0] = 0x22
            var count = 1
            for byte in utf8 {
                let escaped: UInt8
                switch byte {
                case 0x22, 0x5C: escaped = byte
                case 0x0A: escaped = UInt8(ascii: "n")
                case 0x0D: escaped = UInt8(ascii: "r")
                case 0x09: escaped = UInt8(ascii: "t")
                case 0x20..<0x7F:
                    bytes[count] = byte
                    count += 1
                    continue
                default:
                    isPossible = false
                    return 0
                }
                bytes[count] = 0x5C
                bytes[count + 1] = escaped
                count += 2
            }
            bytes[count] = 0x22
            return count + 1
        }
        return isPossible ? literal : nil
    }
}

extension StringLanguage {
    /// Whether a scalar must be escaped in a literal; the scalar is neither a quote nor a backslash.
    package func escapes(_ scalar: Unicode.Scalar) -> Bool {
        let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        return switch self {
        case .json: !scalar.isPrintable
        case .graphQL: !scalar.isPrintable && scalar.value <= 0xFFFF
        case .request: isControl
        case .swift: isControl || scalar.value == 0x2028
        }
    }

    fileprivate func escape(_ scalar: Unicode.Scalar) -> String {
        switch (self, scalar) {
        case (.swift, _): "\\u{\(String(scalar.value, radix: 16))}"
        case (.graphQL, "\u{8}"): "\\b"
        case (.graphQL, "\u{C}"): "\\f"
        case (.graphQL, _): Self.unicodeEscape(UInt16(truncatingIfNeeded: scalar.value), uppercase: true)
        // A scalar beyond four hexadecimal digits is written as a surrogate pair.
        case (.json, _), (.request, _): String(scalar).utf16.map { Self.unicodeEscape($0, uppercase: false) }.joined()
        }
    }

    private static func unicodeEscape(_ unit: UInt16, uppercase: Bool) -> String {
        let digits = String(unit, radix: 16, uppercase: uppercase)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
