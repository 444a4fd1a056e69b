/// Writes JSON without spaces.
struct JSONPrinter {
    var bytes: [UInt8] = []
    /// If true, members are sorted and integral doubles are written like integers, so that equal values have equal
    /// text.
    var isCanonical = false

    /// The rest of an array or object that is being written.
    private struct Level {
        enum Items {
            case array([JSONValue])
            case object([JSONValue.Member])
        }

        let items: Items
        var position = 0
    }

    /// Writes a value. Open containers wait in an array instead of the call stack, since hand-made values may be nested
    /// deeper than the stack allows.
    mutating func print(_ value: JSONValue) {
        var levels: [Level] = []
        begin(value, &levels)
        while let level = levels.last {
            let position = level.position
            levels[levels.count - 1].position += 1
            switch level.items {
            case .array(let values):
                guard position < values.count else {
                    bytes.append(0x5D)
                    levels.removeLast()
                    continue
                }
                if position > 0 { bytes.append(0x2C) }
                begin(values[position], &levels)
            case .object(let members):
                guard position < members.count else {
                    bytes.append(0x7D)
                    levels.removeLast()
                    continue
                }
                if position > 0 { bytes.append(0x2C) }
                printString(members[position].name)
                bytes.append(0x3A)
                begin(members[position].value, &levels)
            }
        }
    }

    /// Writes a scalar whole, or the beginning of a container.
    private mutating func begin(_ value: JSONValue, _ levels: inout [Level]) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .int(let value): bytes.append(contentsOf: String(value).utf8)
        case .double(let value):
            if value.isNaN {
                bytes.append(contentsOf: "null".utf8)
            } else if value.isInfinite {
                bytes.append(contentsOf: (value < 0 ? "-1e999" : "1e999").utf8)
            } else if isCanonical, let integer = Int(exactly: value) {
                bytes.append(contentsOf: String(integer).utf8)
            } else {
                bytes.append(contentsOf: value.description.utf8)
            }
        case .string(let value): printString(value)
        case .array(let values):
            bytes.append(0x5B)
            add(.array(values), to: &levels)
        case .object(let members):
            bytes.append(0x7B)
            add(.object(isCanonical ? JSONValue.sorted(members) : members), to: &levels)
        }
    }

    private func add(_ items: Level.Items, to levels: inout [Level]) {
        if levels.isEmpty { levels.reserveCapacity(4) }
        levels.append(Level(items: items))
    }

    mutating func append(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }

    mutating func printInteger(_ value: Int) {
        var magnitude = value.magnitude
        if value < 0 { bytes.append(0x2D) }
        if magnitude < 10 { return bytes.append(0x30 + UInt8(truncatingIfNeeded: magnitude)) }
        // The digits are found from the last to the first.
        var first = bytes.count
        while magnitude > 0 {
            let (rest, digit) = magnitude.quotientAndRemainder(dividingBy: 10)
            bytes.append(0x30 + UInt8(truncatingIfNeeded: digit))
            magnitude = rest
        }
        var last = bytes.count - 1
        while first < last {
            bytes.swapAt(first, last)
            first += 1
            last -= 1
        }
    }

    mutating func printString(_ text: String) {
        bytes.append(0x22)
        var text = text
        text.withUTF8 { printEscaped($0) }
        bytes.append(0x22)
    }

    /// Writes text with escapes; runs of characters that need no escape are copied as a whole.
    private mutating func printEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        while true {
            let end = Self.endOfPlain(text, from: start)
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<end]))
            guard end < text.count else { return }
            printEscape(of: text[end])
            start = end + 1
        }
    }

    /// Returns the position of the first byte from `start` on that must be escaped.
    private static func endOfPlain(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let raw = UnsafeRawBufferPointer(text)
        var index = start
        while index &+ 8 <= raw.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let marks = JSONCursor.syntaxBytes(word)
            if marks != 0 { return index &+ marks.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        while index < raw.count, raw[index] >= 0x20, raw[index] != 0x22, raw[index] != 0x5C { index &+= 1 }
        return index
    }

    private mutating func appendEscape(_ byte: UInt8) {
        bytes.append(0x5C)
        bytes.append(byte)
    }

    private mutating func printEscape(of byte: UInt8) {
        switch byte {
        case 0x22: appendEscape(0x22)
        case 0x5C: appendEscape(0x5C)
        case 0x0A: appendEscape(0x6E)
        case 0x0D: appendEscape(0x72)
        case 0x09: appendEscape(0x74)
        default:
            let digits = String(byte, radix: 16)
            append(digits.utf8.count == 1 ? "\\u000" : "\\u00")
            bytes.append(contentsOf: digits.utf8)
        }
    }
}

extension JSONValue {
    /// A text that is the same for all equal values.
    package var canonicalText: String {
        var printer = JSONPrinter()
        printer.isCanonical = true
        printer.print(self)
        return String(decoding: printer.bytes, as: UTF8.self)
    }
}
