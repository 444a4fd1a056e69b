import BatonDiagnostics

/// Reads one JSON text (RFC 8259) strictly, and says where it is wrong.
///
/// Nesting is limited to `depthLimit`. The first error ends the reading; a key that occurs twice in an object is an error.
package struct JSONParser {
    private let source: SourceFile
    private let bytes: [UInt8]
    private var position = 0

    package static let depthLimit = 100

    private init(_ source: SourceFile) {
        self.source = source
        bytes = source.bytes
    }

    package static func parse(_ source: SourceFile) -> Result<JSONNode, JSONSyntaxError> {
        var parser = JSONParser(source)
        do throws(JSONSyntaxError) {
            let value = try parser.value(depth: 0)
            parser.skipSpace()
            guard parser.position == parser.bytes.count else { throw parser.error("expected the end of the file") }
            return .success(value)
        } catch {
            return .failure(error)
        }
    }

    private func span(from start: Int) -> Span {
        Span(
            source: source.id,
            start: UInt32(truncatingIfNeeded: start),
            end: UInt32(truncatingIfNeeded: position)
        )
    }

    private func error(_ message: String, at start: Int? = nil) -> JSONSyntaxError {
        let start = start ?? position
        let end = max(start, min(max(position, start + 1), bytes.count))
        let span = Span(
            source: source.id,
            start: UInt32(truncatingIfNeeded: start),
            end: UInt32(truncatingIfNeeded: end)
        )
        return JSONSyntaxError(diagnostic: Diagnostic(.invalidJSON, message, at: span))
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONNode {
        guard depth <= Self.depthLimit else { throw error("values nest deeper than \(Self.depthLimit) levels") }
        skipSpace()
        let start = position
        let kind: JSONNode.Kind
        switch current {
        case UInt8(ascii: "{"): kind = .object(try object(depth: depth))
        case UInt8(ascii: "["): kind = .array(try array(depth: depth))
        case UInt8(ascii: "\""): kind = .string(try string())
        case UInt8(ascii: "t"): kind = try word("true", .boolean(true))
        case UInt8(ascii: "f"): kind = try word("false", .boolean(false))
        case UInt8(ascii: "n"): kind = try word("null", .null)
        case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): kind = .number(try number())
        case nil: throw error("expected a value, found the end of the file")
        default: throw error("expected a value")
        }
        return JSONNode(kind: kind, span: span(from: start))
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> [JSONNode.Member] {
        position += 1
        var members: [JSONNode.Member] = []
        var names: Set<String> = []
        skipSpace()
        if take("}") { return members }
        while true {
            skipSpace()
            let start = position
            guard current == UInt8(ascii: "\"") else { throw error("expected a key in quotes") }
            let name = try string()
            let nameSpan = span(from: start)
            guard names.insert(name).inserted else { throw error("the key '\(name)' occurs twice", at: start) }
            skipSpace()
            guard take(":") else { throw error("expected ':'") }
            members.append(JSONNode.Member(name: name, nameSpan: nameSpan, value: try value(depth: depth + 1)))
            skipSpace()
            if take(",") { continue }
            if take("}") { return members }
            throw error("expected ',' or '}'")
        }
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> [JSONNode] {
        position += 1
        var items: [JSONNode] = []
        skipSpace()
        if take("]") { return items }
        while true {
            items.append(try value(depth: depth + 1))
            skipSpace()
            if take(",") { continue }
            if take("]") { return items }
            throw error("expected ',' or ']'")
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func word(_ text: String, _ kind: JSONNode.Kind) throws(JSONSyntaxError) -> JSONNode.Kind {
        guard bytes[position...].starts(with: text.utf8) else { throw error("expected a value") }
        position += text.utf8.count
        return kind
    }

    private mutating func number() throws(JSONSyntaxError) -> String {
        let start = position
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            position += 1
            if !take("+") { _ = take("-") }
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let start = position
        while let byte = current, Self.isDigit(byte) { position += 1 }
        if position == start { throw error("expected a digit") }
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw error("the string is not valid UTF-8", at: start)
                }
                return string
            case UInt8(ascii: "\\"): text += try escape()
            case 0..<0x20: throw error("a control character in a string must be escaped", at: position - 1)
            default: text.append(byte)
            }
        }
        throw error("the string is not closed", at: start)
    }

    private mutating func escape() throws(JSONSyntaxError) -> [UInt8] {
        let start = position - 1
        guard let byte = current else { throw error("the string is not closed") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            var code = try hexadecimal(from: start)
            if (0xD800..<0xDC00).contains(code) {
                guard take("\\"), take("u") else { throw error("half of a surrogate pair is missing", at: start) }
                let low = try hexadecimal(from: start)
                guard (0xDC00..<0xE000).contains(low) else {
                    throw error("half of a surrogate pair is missing", at: start)
                }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else {
                throw error("half of a surrogate pair is missing", at: start)
            }
            return Array(String(Character(scalar)).utf8)
        default: throw error("unknown escape sequence", at: start)
        }
    }

    private mutating func hexadecimal(from start: Int) throws(JSONSyntaxError) -> UInt32 {
        guard position + 4 <= bytes.count,
            let code = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16),
            bytes[position] != UInt8(ascii: "+")
        else { throw error("expected four hexadecimal digits", at: start) }
        position += 4
        return code
    }
}

/// Where and why a text is no JSON.
package struct JSONSyntaxError: Error {
    package let diagnostic: Diagnostic
}
