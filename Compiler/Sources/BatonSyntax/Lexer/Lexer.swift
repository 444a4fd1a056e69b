import BatonDiagnostics

/// Splits UTF-8 bytes into tokens, one at a time, and skips text that the grammar ignores.
///
/// The lexer never fails. It reports a mistake once and returns the nearest token, so that the parser reports few
/// errors that only follow from it. The lexer copies no text; `text(of:)` and `stringValue(of:)` make strings on
/// demand.
///
/// Specification: https://spec.graphql.org/September2025/#sec-Language.Source-Text
package struct Lexer: Sendable {
    let bytes: [UInt8]
    let source: SourceID
    let end: Int
    var position: Int
    package private(set) var diagnostics: [Diagnostic] = []
    /// The number of mistakes after which the rest of the text is skipped.
    var mistakeLimit = Int.max
    /// The end of the last unterminated string, if there is one; such a string may contain tokens of any kind.
    var unterminatedEnd: UInt32?
    /// Whether a limit has ended the text. After that, no diagnostic is reported.
    private(set) var isStopped = false

    package init(source: SourceFile, range: Range<Int>? = nil) {
        bytes = source.bytes
        self.source = source.id
        let whole = 0..<source.bytes.count
        let range = (range ?? whole).clamped(to: whole)
        position = range.lowerBound
        end = range.upperBound
    }

    /// Ends the text here. After that, no diagnostic is reported.
    mutating func stop() {
        isStopped = true
        position = end
    }

    /// Reports a diagnostic. The text ends after `mistakeLimit` diagnostics.
    mutating func report(_ diagnostic: Diagnostic) {
        if isStopped { return }
        if diagnostics.count < mistakeLimit {
            diagnostics.append(diagnostic)
        } else {
            let message = "there are more than \(mistakeLimit) mistakes, the rest of the text is not read"
            diagnostics.append(Diagnostic(.mistakeLimit, message, at: diagnostic.span))
            stop()
        }
    }

    func span(_ start: Int, _ end: Int) -> Span {
        Span(source: source, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end))
    }

    package func span(of token: Token) -> Span {
        Span(source: source, start: token.start, end: token.end)
    }

    package func text(of token: Token) -> String {
        String(decoding: bytes[Int(token.start)..<Int(token.end)], as: UTF8.self)
    }

    /// Scans the next token; at the end of the text it is always `endOfFile`.
    package mutating func next() -> Token {
        while position < end {
            let start = position
            let byte = bytes[start]
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","):
                position += 1
            case UInt8(ascii: "#"):
                skipComment()
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
                return name()
            case UInt8(ascii: "{"): return punctuator(.leftBrace)
            case UInt8(ascii: "}"): return punctuator(.rightBrace)
            case UInt8(ascii: "("): return punctuator(.leftParenthesis)
            case UInt8(ascii: ")"): return punctuator(.rightParenthesis)
            case UInt8(ascii: "["): return punctuator(.leftBracket)
            case UInt8(ascii: "]"): return punctuator(.rightBracket)
            case UInt8(ascii: ":"): return punctuator(.colon)
            case UInt8(ascii: "!"): return punctuator(.bang)
            case UInt8(ascii: "$"): return punctuator(.dollar)
            case UInt8(ascii: "&"): return punctuator(.ampersand)
            case UInt8(ascii: "="): return punctuator(.equals)
            case UInt8(ascii: "@"): return punctuator(.at)
            case UInt8(ascii: "|"): return punctuator(.pipe)
            case UInt8(ascii: "."): return spread()
            case UInt8(ascii: "\""): return string()
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return number()
            case 0xEF where byteAt(start + 1) == 0xBB && byteAt(start + 2) == 0xBF:
                position += 3
            default:
                if let token = mistakenToken() { return token }
            }
        }
        return Token(
            kind: .endOfFile,
            start: UInt32(truncatingIfNeeded: end),
            end: UInt32(truncatingIfNeeded: end)
        )
    }

    /// The byte at an offset, or zero after the end of the text.
    func byteAt(_ index: Int) -> UInt8 {
        index < end ? bytes[index] : 0
    }

    func token(_ kind: Token.Kind, from start: Int) -> Token {
        Token(kind: kind, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: position))
    }

    private mutating func punctuator(_ kind: Token.Kind) -> Token {
        position += 1
        return token(kind, from: position - 1)
    }

    ///     Name :: NameStart NameContinue*
    private mutating func name() -> Token {
        let start = position
        position += 1
        while position < end, Self.continuesName(bytes[position]) { position += 1 }
        if position < end, bytes[position] >= 0x80 || bytes[position] == UInt8(ascii: "-") { skipRestOfMistakenName() }
        return token(.name, from: start)
    }

    static func continuesName(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    private mutating func skipComment() {
        while position < end {
            let byte = bytes[position]
            if byte == 0x0A || byte == 0x0D { return }
            if byte < 0x80 { position += 1 } else { skipScalar() }
        }
    }

    /// Scans three dots; fewer dots are reported and count as three.
    private mutating func spread() -> Token {
        let start = position
        if Self.isDigit(byteAt(start + 1)) { return number() }
        while position < start + 3, byteAt(position) == UInt8(ascii: ".") { position += 1 }
        if position < start + 3 {
            let dots = String(repeating: ".", count: position - start)
            let question = "did you mean '...'?"
            let problem = Diagnostic(
                .invalidCharacter, "unexpected '\(dots)'", at: span(start, position), suggestion: question)
            report(problem)
        }
        return token(.spread, from: start)
    }

    // MARK: - Scalars outside ASCII

    /// The length of a well-formed UTF-8 sequence of several bytes; nil if there is none.
    func scalarLength(at index: Int) -> Int? {
        let first = byteAt(index)
        let second = byteAt(index + 1)
        func continues(_ offset: Int) -> Bool { byteAt(index + offset) & 0xC0 == 0x80 }
        switch first {
        case 0xC2...0xDF:
            return continues(1) ? 2 : nil
        case 0xE0...0xEF:
            guard continues(1), continues(2) else { return nil }
            if first == 0xE0 && second < 0xA0 || first == 0xED && second > 0x9F { return nil }
            return 3
        case 0xF0...0xF4:
            guard continues(1), continues(2), continues(3) else { return nil }
            if first == 0xF0 && second < 0x90 || first == 0xF4 && second > 0x8F { return nil }
            return 4
        default: return nil
        }
    }

    /// Skips one scalar outside ASCII; a sequence of invalid bytes is reported once.
    mutating func skipScalar() {
        if let length = scalarLength(at: position) {
            position += length
            return
        }
        let start = position
        position += 1
        while position < end, bytes[position] >= 0x80, scalarLength(at: position) == nil { position += 1 }
        report(Diagnostic(.invalidUTF8, "the text is not valid UTF-8", at: span(start, position)))
    }
}
