/// A language whose string literals the compiler writes; each says what cannot stand in one as it is.
package enum StringLanguage: CaseIterable, Sendable {
    /// Whatever a terminal would obey is escaped, control and format characters alike.
    case json
    /// As a person reads it: what a terminal would obey is escaped, up to U+FFFF. Servers do not know the escape that
    /// longer numbers need.
    case graphQL
    /// As a server gets it, and as plans have it: with the escapes that JSON and GraphQL share, for control characters
    /// alone.
    case request
    /// On one line, with escapes for control characters and line separators.
    case swift
}

extension String {
    /// The text as a string literal with its quotes.
    package func quoted(in language: StringLanguage) -> String {
        let isPlain = utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
        if isPlain { return "\"" + self + "\"" }
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
}

extension StringLanguage {
    /// Whether a scalar, which is neither a quote nor a backslash, cannot stand in a literal as it is.
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
        // What does not fit into four digits becomes a pair of surrogates.
        case (.json, _), (.request, _): String(scalar).utf16.map { Self.unicodeEscape($0, uppercase: false) }.joined()
        }
    }

    private static func unicodeEscape(_ unit: UInt16, uppercase: Bool) -> String {
        let digits = String(unit, radix: 16, uppercase: uppercase)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
