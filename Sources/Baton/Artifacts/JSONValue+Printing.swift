extension JSONValue {
    /// The value as compact JSON in UTF-8, members in their order. A double that is no number becomes null, an infinite one a number beyond the range of a double.
    public var jsonBytes: [UInt8] {
        var printer = JSONPrinter()
        printer.print(self)
        return printer.bytes
    }

    /// The value as compact JSON.
    public var text: String { String(decoding: jsonBytes, as: UTF8.self) }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    public var description: String { text }
}

/// Writes JSON without spaces.
struct JSONPrinter {
    var bytes: [UInt8] = []
    /// Sorts members and writes integral doubles like integers, so that equal values have equal text.
    var isCanonical = false

    /// What is left to write of an array or object.
    private struct Level {
        enum Items {
            case array([JSONValue])
            case object([JSONValue.Member])
        }

        let items: Items
        var position = 0
    }

    /// Nested values wait in an array: what somebody has built by hand may be deeper than the stack allows.
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

    /// Writes a scalar whole, and of a container how it begins.
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
            levels.append(Level(items: .array(values)))
        case .object(let members):
            bytes.append(0x7B)
            levels.append(Level(items: .object(isCanonical ? JSONValue.sorted(members) : members)))
        }
    }

    mutating func printString(_ text: String) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C:
                bytes.append(0x5C)
                bytes.append(byte)
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0x0D: bytes.append(contentsOf: "\\r".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                bytes.append(contentsOf: (digits.count == 1 ? "\\u000" : "\\u00").utf8)
                bytes.append(contentsOf: digits.utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }
}
