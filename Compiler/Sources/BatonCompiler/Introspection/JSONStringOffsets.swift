import BatonDiagnostics
import BatonSyntax

/// Maps each byte of a JSON string's text to its position in the file, where escapes are longer.
struct JSONStringOffsets {
    private let source: SourceID
    /// The offset in the file for each byte of the text, and for its end.
    private var offsets: [UInt32] = []

    init(_ node: JSONNode, in file: SourceFile) {
        source = node.span.source
        // The content lies between the quotes.
        var position = Int(node.span.start) + 1
        let end = min(Int(node.span.end) - 1, file.bytes.count)
        while position < end {
            let byte = file.bytes[position]
            let next = position + 1 < end ? file.bytes[position + 1] : 0
            guard byte == UInt8(ascii: "\\") else {
                offsets.append(UInt32(truncatingIfNeeded: position))
                position += 1
                continue
            }
            let isUnicode = next == UInt8(ascii: "u")
            let digits = file.bytes[min(position + 2, end)..<min(position + 6, end)]
            let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
            // A surrogate pair encodes four bytes, so that each half stands for two bytes.
            let isSurrogate = (0xD800...0xDFFF).contains(unit)
            let count = !isUnicode ? 1 : isSurrogate ? 2 : Unicode.Scalar(unit).map { UTF8.width($0) } ?? 1
            offsets += Array(repeating: UInt32(truncatingIfNeeded: position), count: count)
            position += isUnicode ? 6 : 2
        }
        offsets.append(UInt32(truncatingIfNeeded: max(end, 0)))
    }

    private func moved(_ span: Span) -> Span {
        let last = offsets.count - 1
        return Span(
            source: source,
            start: offsets[min(Int(span.start), last)],
            end: offsets[min(Int(span.end), last)]
        )
    }

    /// Moves the positions in a value from the parsed text to the file.
    func moved(_ value: Value) -> Value {
        switch value {
        case .variable(var variable):
            variable.span = moved(variable.span)
            return .variable(variable)
        case .int(var number):
            number.span = moved(number.span)
            return .int(number)
        case .float(var number):
            number.span = moved(number.span)
            return .float(number)
        case .string(var string):
            string.span = moved(string.span)
            return .string(string)
        case .boolean(var boolean):
            boolean.span = moved(boolean.span)
            return .boolean(boolean)
        case .null(var null):
            null.span = moved(null.span)
            return .null(null)
        case .enum(var name):
            name.span = moved(name.span)
            return .enum(name)
        case .list(let list):
            return .list(ListValue(list.values.map(moved), span: moved(list.span)))
        case .object(let object):
            let fields = object.fields.map { field in
                ObjectField(
                    name: Name(field.name.text, span: moved(field.name.span)),
                    value: moved(field.value),
                    span: moved(field.span)
                )
            }
            return .object(ObjectValue(fields, span: moved(object.span)))
        }
    }
}

extension UTF8 {
    /// The number of UTF-8 bytes of a scalar.
    fileprivate static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0..<0x80: 1
        case 0x80..<0x800: 2
        case 0x800..<0x1_0000: 3
        default: 4
        }
    }
}
