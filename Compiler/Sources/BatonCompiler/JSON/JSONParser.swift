// The depth of JSON has several owners, this one for the compiler; ReadingTheDesign.md names the others.

import BatonDiagnostics

/// Parses strict JSON (RFC 8259) with positions. If comments are allowed, `//` begins a comment that ends with its
/// line.
///
/// Parsing stops at the first syntax error. All duplicate keys are reported, and the first one counts.
package struct JSONParser {
    private let bytes: [UInt8]
    private let source: SourceID
    private var position = 0
    private let syntaxID: DiagnosticID
    private let keyID: DiagnosticID
    private let allowsComments: Bool
    private var depth = 0
    private var diagnostics: [Diagnostic] = []

    private static let nestingLimit = 64

    /// Stops the parser. The diagnostic has been reported.
    private struct Failure: Error {}

    private init(_ file: SourceFile, _ syntaxID: DiagnosticID, _ keyID: DiagnosticID, allowsComments: Bool) {
        self.syntaxID = syntaxID
        self.keyID = keyID
        self.allowsComments = allowsComments
        bytes = file.bytes
        source = file.id
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The value of a text, or nil if the text is not JSON; mistakes are reported with the given ids.
    static func parse(
        _ file: SourceFile,
        syntaxID: DiagnosticID,
        keyID: DiagnosticID,
        allowsComments: Bool = false
    ) -> (node: JSONNode?, diagnostics: [Diagnostic]) {
        var parser = JSONParser(file, syntaxID, keyID, allowsComments: allowsComments)
        let node = try? parser.document()
        return (node, parser.diagnostics)
    }

    /// The value of bytes that are in no file, or what is wrong with them.
    package static func parse(_ bytes: [UInt8]) -> Result<JSONNode, Mistake> {
        let file = SourceFile(id: .predeclared, path: "", bytes: bytes)
        let (node, found) = parse(file, syntaxID: .configurationSyntax, keyID: .configurationSyntax)
        guard let node else { return .failure(Mistake(message: found.last?.message ?? "this is not JSON")) }
        return .success(node)
    }

    /// What is wrong with bytes that are in no file.
    package struct Mistake: Error, Hashable {
        package let message: String
    }

    private mutating func document() throws -> JSONNode {
        let node = try value()
        skipTrivia()
        if position < bytes.count { throw failure("expected the end of the file, found \(found)") }
        return node
    }

    // MARK: - Values

    private mutating func value() throws -> JSONNode {
        skipTrivia()
        let start = position
        guard let byte = peek else { throw failure("expected a value, found the end of the file") }
        let value: JSONNode.Value
        switch byte {
        case UInt8(ascii: "{"): value = .object(try nested { try $0.members() })
        case UInt8(ascii: "["): value = .array(try nested { try $0.items() })
        case UInt8(ascii: "\""): value = .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): value = .number(try number())
        default: value = try word()
        }
        return JSONNode(value: value, span: span(from: start))
    }

    private mutating func nested<T>(_ read: (inout JSONParser) throws -> T) throws -> T {
        guard depth < Self.nestingLimit else { throw failure("values are nested too deeply") }
        depth += 1
        defer { depth -= 1 }
        position += 1
        return try read(&self)
    }

    private mutating func members() throws -> [JSONNode.Member] {
        var members: [JSONNode.Member] = []
        var keySpans: [String: Span] = [:]
        var comma: Span?
        skipTrivia()
        if take(UInt8(ascii: "}")) { return members }
        while true {
            skipTrivia()
            let start = position
            if let comma, peek == UInt8(ascii: "}") { throw trailing(comma) }
            guard peek == UInt8(ascii: "\"") else { throw failure("expected a key in double quotes, found \(found)") }
            let key = try string()
            let keySpan = span(from: start)
            skipTrivia()
            guard take(UInt8(ascii: ":")) else { throw failure("expected ':' after the key '\(key)', found \(found)") }
            let node = try value()
            if let first = keySpans[key] {
                diagnostics.append(
                    Diagnostic(
                        keyID,
                        "the key '\(key)' is here twice",
                        at: keySpan,
                        notes: [.init("first here", at: first)]
                    )
                )
            } else {
                keySpans[key] = keySpan
                members.append(.init(key: key, keySpan: keySpan, node: node))
            }
            skipTrivia()
            if take(UInt8(ascii: "}")) { return members }
            guard take(UInt8(ascii: ",")) else { throw failure("expected ',' or '}', found \(found)") }
            comma = span(from: position - 1)
        }
    }

    private mutating func items() throws -> [JSONNode] {
        var items: [JSONNode] = []
        var comma: Span?
        skipTrivia()
        if take(UInt8(ascii: "]")) { return items }
        while true {
            skipTrivia()
            if let comma, peek == UInt8(ascii: "]") { throw trailing(comma) }
            items.append(try value())
            skipTrivia()
            if take(UInt8(ascii: "]")) { return items }
            guard take(UInt8(ascii: ",")) else { throw failure("expected ',' or ']', found \(found)") }
            comma = span(from: position - 1)
        }
    }

    private mutating func word() throws -> JSONNode.Value {
        let word = bytes[position...].prefix { (0x61...0x7A).contains($0) }
        let value: JSONNode.Value
        switch String(decoding: word, as: UTF8.self) {
        case "true": value = .boolean(true)
        case "false": value = .boolean(false)
        case "null": value = .null
        default: throw failure("expected a value, found \(found)")
        }
        position += word.count
        return value
    }

    private mutating func number() throws -> String {
        let start = position
        func digits(_ parser: inout JSONParser) throws {
            let count = parser.bytes[parser.position...].prefix { (0x30...0x39).contains($0) }.count
            guard count > 0 else { throw parser.failure("expected a digit, found \(parser.found)") }
            parser.position += count
        }
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits(&self) }
        if take(UInt8(ascii: ".")) { try digits(&self) }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits(&self)
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    // MARK: - Strings

    private mutating func string() throws -> String {
        let start = position
        position += 1
        var output: [UInt8] = []
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                guard let text = String(validating: output, as: UTF8.self) else {
                    throw failure("this string is not valid UTF-8", from: start)
                }
                return text
            case UInt8(ascii: "\\"): try escape(into: &output)
            case 0..<0x20:
                throw byte == 0x0A || byte == 0x0D
                    ? failure("this string does not end on its line", from: start)
                    : failure("a control character in a string must be escaped")
            default:
                output.append(byte)
                position += 1
            }
        }
        throw failure("this string does not end", from: start)
    }

    private mutating func escape(into output: inout [UInt8]) throws {
        let start = position
        position += 1
        let byte = peek ?? 0
        position = min(position + 1, bytes.count)
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(byte)
        case UInt8(ascii: "b"): output.append(0x08)
        case UInt8(ascii: "f"): output.append(0x0C)
        case UInt8(ascii: "n"): output.append(0x0A)
        case UInt8(ascii: "r"): output.append(0x0D)
        case UInt8(ascii: "t"): output.append(0x09)
        case UInt8(ascii: "u"):
            var value = try codeUnit(from: start)
            if (0xD800...0xDBFF).contains(value), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
                let low = try codeUnit(from: start)
                guard (0xDC00...0xDFFF).contains(low) else { throw failure("this escape is invalid", from: start) }
                value = 0x1_0000 + ((value & 0x3FF) << 10 | low & 0x3FF)
            }
            guard let scalar = Unicode.Scalar(value) else { throw failure("this escape is invalid", from: start) }
            output.append(contentsOf: Character(scalar).utf8)
        default: throw failure("this escape is invalid", from: start)
        }
    }

    private mutating func codeUnit(from start: Int) throws -> UInt32 {
        let digits = bytes[position...].prefix(4)
        let isHexadecimal = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        guard digits.count == 4, isHexadecimal, let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw failure("this escape is invalid", from: start) }
        position += 4
        return value
    }

    // MARK: - Bytes

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipTrivia() {
        while let byte = peek {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            case UInt8(ascii: "/") where allowsComments && position + 1 < bytes.count && bytes[position + 1] == byte:
                while let byte = peek, byte != 0x0A, byte != 0x0D { position += 1 }
            default: return
            }
        }
    }

    /// The character at the position, for a message.
    private var found: String {
        guard let byte = peek else { return "the end of the file" }
        let isASCII = (0x21...0x7E).contains(byte)
        return isASCII ? "'\(Character(Unicode.Scalar(byte)))'" : "an unexpected character"
    }

    private func span(from start: Int) -> Span {
        Span(source: source, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: position))
    }

    /// Reports a trailing comma and stops the parser. The parser could continue, but other tools refuse such a file.
    private mutating func trailing(_ comma: Span) -> Failure {
        diagnostics.append(
            Diagnostic(syntaxID, "nothing follows this ','", at: comma, fix: .init("", at: comma))
        )
        return Failure()
    }

    private mutating func failure(_ message: String, from start: Int? = nil) -> Failure {
        let end = start == nil ? min(position + 1, bytes.count) : position
        let span = Span(
            source: source,
            start: UInt32(truncatingIfNeeded: start ?? position),
            end: UInt32(truncatingIfNeeded: end)
        )
        diagnostics.append(Diagnostic(syntaxID, message, at: span))
        return Failure()
    }
}
