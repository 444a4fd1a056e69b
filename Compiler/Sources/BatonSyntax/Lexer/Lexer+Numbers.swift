import BatonDiagnostics

extension Lexer {
    /// Scans an `IntValue` or a `FloatValue`. No digit, dot or letter may follow it.
    ///
    /// Specification: https://spec.graphql.org/September2025/#FloatValue
    mutating func number() -> Token {
        let start = position
        var isFloat = false
        var problem: String?
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        if byteAt(position) == UInt8(ascii: ".") {
            problem = "expected a digit in front of '.'"
        } else if byteAt(position) == UInt8(ascii: "0") {
            position += 1
            if Self.isDigit(byteAt(position)) { problem = "a number does not begin with '0'" }
        } else if !skipDigits() {
            problem = "expected a digit after '-'"
        }
        if problem == nil, byteAt(position) == UInt8(ascii: ".") {
            isFloat = true
            position += 1
            if !skipDigits() { problem = "expected a digit after '.'" }
        }
        if problem == nil, byteAt(position) | 0x20 == UInt8(ascii: "e") {
            isFloat = true
            position += 1
            if byteAt(position) == UInt8(ascii: "+") || byteAt(position) == UInt8(ascii: "-") { position += 1 }
            if !skipDigits() { problem = "expected a digit in the exponent" }
        }
        if problem == nil, Self.continuesName(byteAt(position)) || byteAt(position) == UInt8(ascii: ".") {
            problem = "unexpected '\(Character(Unicode.Scalar(byteAt(position))))' after a number"
        }
        if problem == nil, let length = letterLength(at: position) {
            problem =
                "unexpected '\(String(decoding: bytes[position..<position + length], as: UTF8.self))' after a number"
        }
        if let problem {
            while Self.continuesName(byteAt(position)) || byteAt(position) == UInt8(ascii: ".") { position += 1 }
            skipRestOfMistakenName(isReported: true)
            report(Diagnostic(.invalidNumber, problem, at: span(start, position)))
            // The text of the token must be a number even after a mistake.
            return token(.float, from: start)
        }
        return token(isFloat ? .float : .int, from: start)
    }

    private mutating func skipDigits() -> Bool {
        let start = position
        while position < end, Self.isDigit(bytes[position]) { position += 1 }
        return position > start
    }
}
