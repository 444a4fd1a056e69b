import BatonDiagnostics

/// The handling of characters that begin no token. The lexer reports these characters, and returns the probable token
/// or skips them.
extension Lexer {
    /// The token that invalid characters probably mean; nil if the characters are skipped.
    mutating func mistakenToken() -> Token? {
        if let string = mistakenString() { return string }
        let start = position
        if letterLength(at: start) != nil {
            skipRestOfMistakenName()
            return token(.name, from: start)
        }
        if !skipMistakenComment() { skipInvalidCharacters() }
        return nil
    }

    private mutating func skipInvalidCharacters() {
        let start = position
        guard let length = bytes[start] < 0x80 ? 1 : scalarLength(at: start) else {
            skipScalar()
            return
        }
        position += length
        let character = bytes[start..<position]
        while bytes[position..<end].starts(with: character) { position += length }
        let text = String(decoding: character, as: UTF8.self)
        let (name, suggestion) = text.unicodeScalars.first.map(Self.description) ?? (text, nil)
        report(
            Diagnostic(.invalidCharacter, "unexpected \(name)", at: span(start, position), suggestion: suggestion)
        )
    }

    // MARK: - Names

    /// The length of a letter, digit or mark outside ASCII; nil if there is none.
    func letterLength(at index: Int) -> Int? {
        guard byteAt(index) >= 0x80, let length = scalarLength(at: index) else { return nil }
        let scalar = String(decoding: bytes[index..<index + length], as: UTF8.self).unicodeScalars.first
        guard let properties = scalar?.properties, !properties.isWhitespace else { return nil }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .nonspacingMark, .spacingMark:
            // Full-width letters are included, because they look like ASCII letters.
            return length
        default: return nil
        }
    }

    /// Skips the rest of a name with letters of other scripts and hyphens; reports the first of them.
    mutating func skipRestOfMistakenName(isReported: Bool = false) {
        var isReported = isReported
        while position < end {
            let start = position
            if Self.continuesName(bytes[start]) {
                position += 1
                continue
            }
            if let length = letterLength(at: start) {
                position += length
            } else if bytes[start] == UInt8(ascii: "-"), Self.beginsName(byteAt(start + 1)) {
                position += 1
            } else {
                return
            }
            if isReported { continue }
            isReported = true
            let character = String(decoding: bytes[start..<position], as: UTF8.self)
            let message = "a name has letters from A to Z, digits and '_', but no '\(character)'"
            report(Diagnostic(.invalidCharacter, message, at: span(start, position)))
        }
    }

    private static func beginsName(_ byte: UInt8) -> Bool {
        continuesName(byte) && !isDigit(byte)
    }

    // MARK: - Strings and comments of other languages

    /// The number of bytes that are searched for a closing quote. The limit keeps the cost linear for a line with many
    /// quotes.
    private static let longestMistakenString = 1_000

    /// Reports a string in quotes other than straight double ones, and returns it as a string. The string must end on
    /// its line.
    private mutating func mistakenString() -> Token? {
        let start = position
        guard let (name, closings) = Self.mistakenQuotes(scalar(at: start)) else { return nil }
        var index = start + (scalarLength(at: start) ?? 1)
        let limit = min(end, start + Self.longestMistakenString)
        while index < limit, bytes[index] != 0x0A, bytes[index] != 0x0D {
            let scalar = scalar(at: index)
            index += scalarLength(at: index) ?? 1
            guard let scalar, closings.contains(scalar) else { continue }
            position = index
            report(
                Diagnostic(
                    .invalidCharacter,
                    "unexpected \(name), strings are written in double quotes",
                    at: span(start, position)
                )
            )
            return token(.string, from: start)
        }
        return nil
    }

    private func scalar(at index: Int) -> Unicode.Scalar? {
        let byte = byteAt(index)
        if byte < 0x80 { return Unicode.Scalar(byte) }
        guard let length = scalarLength(at: index) else { return nil }
        return String(decoding: bytes[index..<index + length], as: UTF8.self).unicodeScalars.first
    }

    private static func mistakenQuotes(_ opening: Unicode.Scalar?) -> (name: String, closings: [Unicode.Scalar])? {
        switch opening {
        case "'": ("single quote", ["'"])
        case "`": ("back quote", ["`"])
        case "\u{2018}", "\u{2019}", "\u{201A}": ("curly quote", ["\u{2018}", "\u{2019}"])
        case "\u{201C}", "\u{201D}", "\u{201E}": ("curly quote", ["\u{201C}", "\u{201D}", "\""])
        case "\u{AB}", "\u{BB}": ("angle quote", ["\u{AB}", "\u{BB}"])
        case "\u{FF02}": ("full-width quote", ["\u{FF02}"])
        default: nil
        }
    }

    /// Skips `//` with the rest of its line, or `/*` with everything up to `*/`; returns false if neither begins here.
    private mutating func skipMistakenComment() -> Bool {
        let start = position
        let second = byteAt(start + 1)
        guard bytes[start] == UInt8(ascii: "/"), second == UInt8(ascii: "/") || second == UInt8(ascii: "*") else {
            return false
        }
        position += 2
        while position < end {
            if second == UInt8(ascii: "*") {
                position += 1
                if bytes[position - 1] == second, byteAt(position) == UInt8(ascii: "/") {
                    position += 1
                    break
                }
            } else if bytes[position] == 0x0A || bytes[position] == 0x0D {
                break
            } else {
                position += 1
            }
        }
        report(
            Diagnostic(
                .invalidCharacter,
                "unexpected '/\(Character(Unicode.Scalar(second)))'",
                at: span(start, start + 2),
                suggestion: "comments begin with '#'"
            )
        )
        return true
    }

    // MARK: - Names of characters

    /// The name of a character, and a suggestion of the meant character.
    private static func description(of scalar: Unicode.Scalar) -> (name: String, suggestion: String?) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        switch scalar.value {
        case 0x21...0x7E: return ("'\(scalar)'", nil)
        case 0x00: return ("NUL character \(code)", "the text may be in UTF-16, or no text at all")
        case 0xA0, 0x202F: return ("non-breaking space \(code)", "write an ordinary space")
        case 0x0B, 0x0C, 0x85, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x205F, 0x3000:
            return ("white space \(code)", "white space is spaces, tabs and line breaks")
        case 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064:
            return ("invisible character \(code)", "remove it")
        case 0x2018...0x201F, 0xAB, 0xBB, 0x2032, 0x2033, 0xFF02, 0xFF07:
            return ("quote '\(scalar)' \(code)", "strings are written in straight double quotes")
        case 0x2010...0x2015, 0x2212: return ("dash '\(scalar)' \(code)", "did you mean '-'?")
        case 0x2026: return ("ellipsis '\(scalar)' \(code)", "did you mean '...'?")
        case 0xFF01...0xFF5E:
            let plain = Unicode.Scalar(scalar.value - 0xFEE0).map { "did you mean '\($0)'?" }
            return ("full-width character '\(scalar)' \(code)", plain)
        case ..<0x20, 0x7F...0x9F: return ("control character \(code)", nil)
        default:
            switch scalar.properties.generalCategory {
            case .unassigned, .privateUse, .format, .surrogate, .spaceSeparator, .lineSeparator, .paragraphSeparator:
                return ("character \(code)", nil)
            default: return ("character '\(scalar)' \(code)", nil)
            }
        }
    }
}
