import BatonDiagnostics

/// A string literal in a Swift source that is the argument of `graphql(_:)`.
package struct SwiftLiteral: Hashable, Sendable {
    /// The position of the opening delimiter, including its `#` signs.
    package let start: Int
    /// The range of the file between the delimiters.
    package let content: Range<Int>
    /// The number of `#` signs.
    package let pounds: Int
    package let isMultiline: Bool
    /// Whether the literal has escapes. A literal without escapes is parsed in place, because GraphQL ignores
    /// indentation.
    package let hasEscapes: Bool

    /// Returns the value of a literal with escapes, and the positions of its parts in the file.
    ///
    /// Indentation up to that of the closing delimiter is removed. Escapes are resolved, and a backslash at the end of
    /// a line joins the line with the next one. Unknown escapes are reported and left out.
    package func value(in file: SourceFile) -> (bytes: [UInt8], segments: [Segment], diagnostics: [Diagnostic]) {
        var reader = SwiftLiteralReader(literal: self, file: file)
        reader.read()
        return (reader.output, reader.segments, reader.diagnostics)
    }

    package typealias Segment = SourceFile.Derivation.Segment
}

/// Reads the value of one literal.
private struct SwiftLiteralReader {
    let literal: SwiftLiteral
    let source: SourceID
    let bytes: ArraySlice<UInt8>
    let indentation: ArraySlice<UInt8>
    var position: Int
    var output: [UInt8] = []
    var segments: [SwiftLiteral.Segment] = []
    var diagnostics: [Diagnostic] = []

    init(literal: SwiftLiteral, file: SourceFile) {
        self.literal = literal
        source = file.id
        var content = literal.content.clamped(to: 0..<file.bytes.count)
        if literal.isMultiline {
            // The value excludes the line break after the opening delimiter, and the line of the closing delimiter.
            let text = file.bytes[content]
            let lastBreak = text.lastIndex { $0 == 0x0A || $0 == 0x0D }
            let first = text.firstIndex { $0 != 0x20 && $0 != 0x09 } ?? content.lowerBound
            if let lastBreak, text[(lastBreak + 1)...].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                indentation = text[(lastBreak + 1)...]
            } else {
                indentation = []
            }
            if text.first(where: { $0 != 0x20 && $0 != 0x09 }).map({ $0 == 0x0A || $0 == 0x0D }) == true {
                let isPair = text[first] == 0x0D && first + 1 < text.endIndex && text[first + 1] == 0x0A
                content = (first + (isPair ? 2 : 1))..<max(content.upperBound, first + (isPair ? 2 : 1))
            }
        } else {
            indentation = []
        }
        bytes = file.bytes[content]
        position = content.lowerBound
    }

    mutating func read() {
        skipIndentation()
        mark()
        while position < bytes.endIndex {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\\"), isEscape {
                readEscape()
            } else {
                output.append(byte)
                position += 1
                if byte == 0x0A || (byte == 0x0D && !(position < bytes.endIndex && bytes[position] == 0x0A)) {
                    skipIndentation()
                    mark()
                }
            }
        }
    }

    /// Begins a segment. From its beginning, output and file agree byte for byte.
    private mutating func mark() {
        let segment = SwiftLiteral.Segment(derived: output.count, original: position)
        if segments.last?.derived == segment.derived { segments.removeLast() }
        segments.append(segment)
    }

    private mutating func skipIndentation() {
        guard literal.isMultiline else { return }
        for expected in indentation {
            guard position < bytes.endIndex, bytes[position] == expected else { return }
            position += 1
        }
    }

    private var isEscape: Bool {
        let behind = position + 1 + literal.pounds
        guard behind < bytes.endIndex else { return false }
        return bytes[(position + 1)..<behind].allSatisfy { $0 == UInt8(ascii: "#") }
    }

    private mutating func readEscape() {
        let start = position
        mark()
        position += 1 + literal.pounds
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "n"): output.append(0x0A)
        case UInt8(ascii: "r"): output.append(0x0D)
        case UInt8(ascii: "t"): output.append(0x09)
        case UInt8(ascii: "0"): output.append(0)
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): output.append(byte)
        case UInt8(ascii: "u"): readUnicodeEscape(from: start)
        case 0x0A, 0x0D, 0x20, 0x09:
            position -= 1
            readContinuation(from: start)
        default: reportEscape(from: start)
        }
        mark()
    }

    /// Reads `\u{1F600}`: one to eight hexadecimal digits.
    private mutating func readUnicodeEscape(from start: Int) {
        guard position < bytes.endIndex, bytes[position] == UInt8(ascii: "{"),
            let close = bytes[position...].prefix(10).firstIndex(of: UInt8(ascii: "}")),
            let value = UInt32(String(decoding: bytes[(position + 1)..<close], as: UTF8.self), radix: 16),
            let scalar = Unicode.Scalar(value)
        else {
            reportEscape(from: start)
            return
        }
        position = close + 1
        output.append(contentsOf: Character(scalar).utf8)
    }

    private mutating func readContinuation(from start: Int) {
        var index = position
        while index < bytes.endIndex, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
        guard literal.isMultiline, index < bytes.endIndex, bytes[index] == 0x0A || bytes[index] == 0x0D else {
            reportEscape(from: start)
            return
        }
        let isPair = bytes[index] == 0x0D && index + 1 < bytes.endIndex && bytes[index + 1] == 0x0A
        position = index + (isPair ? 2 : 1)
        skipIndentation()
    }

    private mutating func reportEscape(from start: Int) {
        let end = min(position + 1, bytes.endIndex)
        diagnostics.append(
            Diagnostic(
                .swiftEscape,
                "this escape sequence is unknown to Swift",
                at: Span(source: source, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end))
            )
        )
    }
}
