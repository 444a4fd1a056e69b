/// Decodes the bytes that a terminal sends into keys.
///
/// The decoder is a state machine without input, output or time; bytes may arrive in pieces of any size. A single
/// escape byte may be the escape key or the beginning of a sequence. While ``isPending`` is true, the caller waits a
/// moment for more bytes, and calls ``flush()`` if none arrive. Unknown sequences are ignored; bytes that are not UTF-8
/// become U+FFFD.
public struct KeyDecoder: Sendable {
    private enum State {
        case ground
        case escape
        case controlSequence(parameters: [UInt8])
        case singleShift
        case text(bytes: [UInt8], missing: Int)
    }

    private static let escapeByte: UInt8 = 0x1B
    private static let longestSequence = 32

    private var state = State.ground

    /// Makes a decoder without pending bytes.
    public init() {}

    /// True while the bytes so far may be the beginning of a longer sequence.
    public var isPending: Bool {
        if case .ground = state { false } else { true }
    }

    /// Decodes bytes and returns the keys that they complete.
    public mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes { accept(byte, &keys) }
        return keys
    }

    /// Ends a pending sequence: a single escape byte becomes the escape key, an incomplete sequence or character is
    /// dropped.
    public mutating func flush() -> [Key] {
        defer { state = .ground }
        switch state {
        case .escape: return [.escape]
        case .text: return [.character("\u{FFFD}")]
        default: return []
        }
    }

    private mutating func accept(_ byte: UInt8, _ keys: inout [Key]) {
        switch state {
        case .ground:
            acceptInGround(byte, &keys)
        case .escape:
            switch byte {
            case UInt8(ascii: "["): state = .controlSequence(parameters: [])
            case UInt8(ascii: "O"): state = .singleShift
            default:
                keys.append(.escape)
                state = .ground
                acceptInGround(byte, &keys)
            }
        case .controlSequence(let parameters):
            acceptInSequence(byte, parameters: parameters, &keys)
        case .singleShift:
            state = .ground
            if byte == Self.escapeByte {
                state = .escape
            } else if let key = Self.key(final: byte, parameters: []) {
                keys.append(key)
            }
        case .text(var bytes, let missing):
            guard byte & 0xC0 == 0x80 else {
                keys.append(.character("\u{FFFD}"))
                state = .ground
                acceptInGround(byte, &keys)
                return
            }
            bytes.append(byte)
            if missing > 1 {
                state = .text(bytes: bytes, missing: missing - 1)
            } else {
                keys.append(.character(String(decoding: bytes, as: UTF8.self).first ?? "\u{FFFD}"))
                state = .ground
            }
        }
    }

    private mutating func acceptInGround(_ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case Self.escapeByte: state = .escape
        case 0x0D, 0x0A: keys.append(.enter)
        case 0x09: keys.append(.tab)
        case 0x7F, 0x08: keys.append(.backspace)
        case 0x01...0x1A: keys.append(.control(Character(Unicode.Scalar(byte + 0x60))))
        case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(byte))))
        case 0xC2...0xDF: state = .text(bytes: [byte], missing: 1)
        case 0xE0...0xEF: state = .text(bytes: [byte], missing: 2)
        case 0xF0...0xF4: state = .text(bytes: [byte], missing: 3)
        case 0x80...0xFF: keys.append(.character("\u{FFFD}"))
        default: break
        }
    }

    /// Takes a byte of a control sequence: parameter and intermediate bytes are 0x20 to 0x3F, and the final byte is
    /// 0x40 to 0x7E (ECMA-48, 5.4).
    private mutating func acceptInSequence(_ byte: UInt8, parameters: [UInt8], _ keys: inout [Key]) {
        switch byte {
        case 0x20...0x3F:
            state = .controlSequence(
                parameters: parameters.count < Self.longestSequence ? parameters + [byte] : parameters)
        case 0x40...0x7E:
            state = .ground
            if let key = Self.key(final: byte, parameters: parameters) { keys.append(key) }
        case Self.escapeByte:
            state = .escape
        default:
            state = .ground
        }
    }

    private static func key(final byte: UInt8, parameters: [UInt8]) -> Key? {
        switch byte {
        case UInt8(ascii: "A"): return .up
        case UInt8(ascii: "B"): return .down
        case UInt8(ascii: "C"): return .right
        case UInt8(ascii: "D"): return .left
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "M"): return .enter
        case UInt8(ascii: "~"):
            let number = parameters.prefix { $0 != UInt8(ascii: ";") }
            switch String(decoding: number, as: UTF8.self) {
            case "1", "7": return .home
            case "4", "8": return .end
            case "3": return .delete
            case "5": return .pageUp
            case "6": return .pageDown
            default: return nil
            }
        default: return nil
        }
    }
}
