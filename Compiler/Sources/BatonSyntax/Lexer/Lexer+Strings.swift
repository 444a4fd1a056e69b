import BatonDiagnostics

extension Lexer {
    /// Scans a quoted string or a block string. Mistakes inside are reported, and the token is returned nevertheless.
    ///
    /// Specification: https://spec.graphql.org/September2025/#StringValue
    mutating func string() -> Token {
        let start = position
        if byteAt(start + 1) == UInt8(ascii: "\""), byteAt(start + 2) == UInt8(ascii: "\"") { return blockString() }
        position += 1
        while position < end {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return token(.string, from: start)
            case UInt8(ascii: "\\"):
                let escape = escape(at: position)
                if let problem = escape.problem {
                    report(Diagnostic(.invalidEscape, problem, at: span(position, escape.end)))
                }
                position = escape.end
            case 0x0A, 0x0D:
                return unterminated(from: start)
            case 0x80...:
                skipScalar()
            default:
                position += 1
            }
        }
        return unterminated(from: start)
    }

    private mutating func unterminated(from start: Int) -> Token {
        report(
            Diagnostic(
                .unterminatedString,
                "the string is not closed on its line",
                at: span(start, position),
                suggestion: "close it with '\"', or use '\"\"\"' for several lines"
            )
        )
        unterminatedEnd = UInt32(truncatingIfNeeded: position)
        return token(.string, from: start)
    }

    private mutating func blockString() -> Token {
        let start = position
        position += 3
        while position < end {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\""), startsTripleQuote(at: position) {
                position += 3
                return token(.blockString, from: start)
            }
            if byte == UInt8(ascii: "\\"), startsTripleQuote(at: position + 1) {
                position += 4
            } else if byte < 0x80 {
                position += 1
            } else {
                skipScalar()
            }
        }
        report(Diagnostic(.unterminatedString, "the block string is not closed", at: span(start, start + 3)))
        unterminatedEnd = UInt32(truncatingIfNeeded: position)
        return token(.blockString, from: start)
    }

    private func startsTripleQuote(at index: Int) -> Bool {
        byteAt(index) == UInt8(ascii: "\"") && byteAt(index + 1) == UInt8(ascii: "\"")
            && byteAt(index + 2) == UInt8(ascii: "\"")
    }

    // MARK: - Values

    /// The value of a string token; lone surrogates and broken escapes become U+FFFD.
    package func stringValue(of token: Token) -> String {
        let start = Int(token.start)
        let end = Int(token.end)
        if token.kind == .blockString {
            let isClosed = end - start >= 6 && startsTripleQuote(at: end - 3)
            return BlockString.value(ofRaw: bytes[(start + 3)..<(isClosed ? end - 3 : end)])
        }
        let isClosed = end - start >= 2 && bytes[end - 1] == bytes[start]
        let content = bytes[(start + 1)..<(isClosed ? end - 1 : end)]
        if !content.contains(UInt8(ascii: "\\")) { return String(decoding: content, as: UTF8.self) }
        var output: [UInt8] = []
        output.reserveCapacity(content.count)
        var index = content.startIndex
        while index < content.endIndex {
            if bytes[index] == UInt8(ascii: "\\") {
                let escape = escape(at: index)
                output.append(contentsOf: String(Character(escape.scalar ?? "\u{FFFD}")).utf8)
                index = escape.end
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The text between the quotes of a string with escapes; nil without escapes, and for a block string.
    package func escapedText(of token: Token) -> String? {
        if token.kind == .blockString { return nil }
        let end = Int(token.end)
        let isClosed = end - Int(token.start) >= 2 && bytes[end - 1] == bytes[Int(token.start)]
        let content = bytes[(Int(token.start) + 1)..<(isClosed ? end - 1 : end)]
        return content.contains(UInt8(ascii: "\\")) ? String(decoding: content, as: UTF8.self) : nil
    }

    private struct Escape {
        var scalar: Unicode.Scalar?
        var end: Int
        var problem: String?
    }

    /// Reads the escape that begins at a backslash.
    ///
    ///     EscapedUnicode :: `{` HexDigit+ `}` | HexDigit HexDigit HexDigit HexDigit
    ///     EscapedCharacter :: one of `"` `\` `/` b f n r t
    private func escape(at start: Int) -> Escape {
        let simple: Unicode.Scalar
        switch byteAt(start + 1) {
        case UInt8(ascii: "\""): simple = "\""
        case UInt8(ascii: "\\"): simple = "\\"
        case UInt8(ascii: "/"): simple = "/"
        case UInt8(ascii: "b"): simple = "\u{8}"
        case UInt8(ascii: "f"): simple = "\u{C}"
        case UInt8(ascii: "n"): simple = "\n"
        case UInt8(ascii: "r"): simple = "\r"
        case UInt8(ascii: "t"): simple = "\t"
        case UInt8(ascii: "u"):
            return byteAt(start + 2) == UInt8(ascii: "{") ? bracedEscape(at: start) : fixedEscape(at: start)
        case 0, 0x0A, 0x0D:
            return Escape(scalar: nil, end: start + 1, problem: "expected a character after '\\'")
        case let byte:
            let length = byte < 0x80 ? 1 : scalarLength(at: start + 1) ?? 1
            let stop = min(start + 1 + length, end)
            let text = String(decoding: bytes[start..<stop], as: UTF8.self)
            return Escape(scalar: nil, end: stop, problem: "unknown escape '\(text)'")
        }
        return Escape(scalar: simple, end: start + 2, problem: nil)
    }

    private func bracedEscape(at start: Int) -> Escape {
        var index = start + 3
        var value: UInt32 = 0
        while let digit = Self.hexadecimal(byteAt(index)) {
            value = value > 0x10_FFFF ? value : value << 4 | digit
            index += 1
        }
        guard byteAt(index) == UInt8(ascii: "}"), index > start + 3 else {
            return Escape(scalar: nil, end: index, problem: "expected hexadecimal digits and '}' after '\\u{'")
        }
        let scalar = Unicode.Scalar(value)
        let text = String(decoding: bytes[start...index], as: UTF8.self)
        return Escape(
            scalar: scalar,
            end: index + 1,
            problem: scalar == nil ? "'\(text)' is not a Unicode scalar value" : nil
        )
    }

    private func fixedEscape(at start: Int) -> Escape {
        guard let first = fourDigits(at: start + 2) else {
            var index = start + 2
            while index < start + 6, Self.hexadecimal(byteAt(index)) != nil { index += 1 }
            return Escape(scalar: nil, end: index, problem: "expected four hexadecimal digits after '\\u'")
        }
        if let scalar = Unicode.Scalar(first) { return Escape(scalar: scalar, end: start + 6, problem: nil) }
        if first < 0xDC00, byteAt(start + 6) == UInt8(ascii: "\\"), byteAt(start + 7) == UInt8(ascii: "u"),
            let second = fourDigits(at: start + 8), (0xDC00...0xDFFF).contains(second)
        {
            let value = 0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00)
            return Escape(scalar: Unicode.Scalar(value), end: start + 12, problem: nil)
        }
        // Two surrogates that form no pair are one mistake.
        let isDouble =
            byteAt(start + 6) == UInt8(ascii: "\\") && byteAt(start + 7) == UInt8(ascii: "u")
            && fourDigits(at: start + 8).map { (0xD800...0xDFFF).contains($0) } ?? false
        let stop = start + (isDouble ? 12 : 6)
        let text = String(decoding: bytes[start..<stop], as: UTF8.self)
        let problem = isDouble ? "'\(text)' is no surrogate pair" : "'\(text)' is half of a surrogate pair"
        return Escape(scalar: nil, end: stop, problem: problem)
    }

    private func fourDigits(at start: Int) -> UInt32? {
        var value: UInt32 = 0
        for index in start..<(start + 4) {
            guard let digit = Self.hexadecimal(byteAt(index)) else { return nil }
            value = value << 4 | digit
        }
        return value
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
