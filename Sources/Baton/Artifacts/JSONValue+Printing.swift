extension JSONValue {
    /// The value as compact JSON in UTF-8, members in their order. A double that is no number becomes null.
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

    mutating func print(_ value: JSONValue) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .int(let value): bytes.append(contentsOf: String(value).utf8)
        case .double(let value):
            if !value.isFinite {
                bytes.append(contentsOf: "null".utf8)
            } else if isCanonical, let integer = Int(exactly: value) {
                bytes.append(contentsOf: String(integer).utf8)
            } else {
                bytes.append(contentsOf: value.description.utf8)
            }
        case .string(let value): printString(value)
        case .array(let values):
            bytes.append(0x5B)
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(0x2C) }
                print(value)
            }
            bytes.append(0x5D)
        case .object(let members):
            bytes.append(0x7B)
            let ordered = isCanonical ? members.sorted { $0.name < $1.name } : members
            for (index, member) in ordered.enumerated() {
                if index > 0 { bytes.append(0x2C) }
                printString(member.name)
                bytes.append(0x3A)
                print(member.value)
            }
            bytes.append(0x7D)
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
