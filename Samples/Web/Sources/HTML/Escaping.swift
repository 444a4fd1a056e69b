/// Writes data so that it stays data, for each place in a document.
enum Escaping {
    /// What stands where no data may stand. The word is harmless in every place of a document.
    static let refused = Array("refused".utf8)

    static func text(_ text: String, into output: inout [UInt8]) {
        escape(text, into: &output) { byte in
            switch byte {
            case UInt8(ascii: "&"): "&amp;"
            case UInt8(ascii: "<"): "&lt;"
            case UInt8(ascii: ">"): "&gt;"
            default: isControl(byte) ? "\u{FFFD}" : nil
            }
        }
    }

    static func attribute(_ text: String, into output: inout [UInt8]) {
        escape(text, into: &output) { byte in
            switch byte {
            case UInt8(ascii: "&"): "&amp;"
            case UInt8(ascii: "<"): "&lt;"
            case UInt8(ascii: ">"): "&gt;"
            case UInt8(ascii: "\""): "&quot;"
            case UInt8(ascii: "'"): "&#39;"
            default: isControl(byte) ? "\u{FFFD}" : nil
            }
        }
    }

    /// A string of JSON, with its quotes. `<`, `>` and `&` are escapes of JSON, so that no text ends the element or
    /// begins a comment in it.
    static func json(_ text: String, into output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        escape(text, into: &output) { byte in
            switch byte {
            case UInt8(ascii: "\""): "\\\""
            case UInt8(ascii: "\\"): "\\\\"
            case UInt8(ascii: "<"): "\\u003c"
            case UInt8(ascii: ">"): "\\u003e"
            case UInt8(ascii: "&"): "\\u0026"
            case UInt8(ascii: "'"): "\\u0027"
            case UInt8(ascii: "\n"): "\\n"
            case UInt8(ascii: "\r"): "\\r"
            case UInt8(ascii: "\t"): "\\t"
            default: isControl(byte) ? "\\ufffd" : nil
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    /// True for the bytes that no document may contain.
    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D && byte != 0x0C || byte == 0x7F
    }

    private static func escape(
        _ text: String, into output: inout [UInt8], _ replacement: (UInt8) -> StaticString?
    ) {
        var text = text
        text.withUTF8 { bytes in
            var start = 0
            for (index, byte) in bytes.enumerated() where byte < 0x40 || byte == 0x5C || byte == 0x7F {
                guard let replacement = replacement(byte) else { continue }
                output.append(contentsOf: bytes[start..<index])
                replacement.withUTF8Buffer { output.append(contentsOf: $0) }
                start = index + 1
            }
            output.append(contentsOf: bytes[start...])
        }
    }
}
