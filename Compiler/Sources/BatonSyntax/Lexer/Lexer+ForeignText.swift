import BatonDiagnostics

extension Lexer {
    /// Reports a text that is clearly not GraphQL with one diagnostic, and skips it.
    mutating func refuseForeignText() {
        guard bytes.count <= Int(UInt32.max) else {
            position = end
            refuse(.tokenLimit, "the text is larger than 4 GB", position, position, suggestion: nil)
            return
        }
        let text = bytes[position..<end]
        if text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF]) || text.prefix(2).contains(0) {
            let message = "the text is not valid UTF-8"
            refuse(.invalidUTF8, message, position, position + 2, suggestion: "it seems to be UTF-16, save it as UTF-8")
            return
        }
        let hasMark = text.starts(with: [0xEF, 0xBB, 0xBF])
        let first = skipWhiteSpace(from: hasMark ? position + 3 : position)
        switch byteAt(first) {
        case UInt8(ascii: "<"):
            let suggestion = "this looks like HTML or XML, not like GraphQL"
            refuse(.invalidCharacter, "unexpected '<'", first, first + 1, suggestion: suggestion)
        case UInt8(ascii: "["):
            let suggestion = "this looks like JSON, not like GraphQL"
            refuse(.syntax, "expected a definition, found '['", first, first + 1, suggestion: suggestion)
        case UInt8(ascii: "{"):
            let key = skipWhiteSpace(from: first + 1)
            guard byteAt(key) == UInt8(ascii: "\""), let close = endOfKey(from: key) else { return }
            let suggestion = "this looks like JSON, not like GraphQL"
            refuse(.syntax, "expected a field or '...', found a string", key, close, suggestion: suggestion)
        default: break
        }
    }

    /// The end of a short string before a colon, as JSON keys are; nil if there is none.
    private func endOfKey(from start: Int) -> Int? {
        let content = bytes[(start + 1)..<min(end, start + 200)]
        guard let close = content.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        return byteAt(skipWhiteSpace(from: close + 1)) == UInt8(ascii: ":") ? close + 1 : nil
    }

    private func skipWhiteSpace(from start: Int) -> Int {
        var index = start
        while index < end, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
        return index
    }

    private mutating func refuse(
        _ id: DiagnosticID,
        _ message: String,
        _ start: Int,
        _ stop: Int,
        suggestion: String?
    ) {
        report(Diagnostic(id, message, at: span(start, min(stop, end)), suggestion: suggestion))
        self.stop()
    }
}
