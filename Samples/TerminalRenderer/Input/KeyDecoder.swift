/// Decodes the bytes that a terminal sends into keys, pasted texts and events of the mouse.
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
        case paste
    }

    private static let escapeByte: UInt8 = 0x1B
    private static let longestSequence = 32
    private static let longestPaste = 1 << 20
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private var state = State.ground
    /// The bytes of the text that is being pasted.
    private var pasted: [UInt8] = []
    /// True after an escape byte that belongs to the character that follows.
    private var hasAlt = false

    /// Makes a decoder without pending bytes.
    public init() {}

    /// True while the bytes so far may be the beginning of a longer sequence. A text that is being pasted is waited for
    /// without a limit of time.
    public var isPending: Bool {
        switch state {
        case .ground, .paste: false
        default: true
        }
    }

    /// Decodes bytes and returns the events that they complete.
    public mutating func decode(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        var events: [InputEvent] = []
        for byte in bytes { accept(byte, &events) }
        return events
    }

    /// Ends a pending sequence: a single escape byte becomes the escape key, an incomplete sequence or character is
    /// dropped.
    public mutating func flush() -> [InputEvent] {
        if case .paste = state { return [] }
        defer { (state, hasAlt) = (.ground, false) }
        switch state {
        case .escape: return [.key(.escape)]
        case .text: return [.key(.character("\u{FFFD}"))]
        default: return []
        }
    }

    private mutating func accept(_ byte: UInt8, _ events: inout [InputEvent]) {
        switch state {
        case .ground:
            acceptInGround(byte, &events)
        case .escape:
            switch byte {
            case UInt8(ascii: "["): state = .controlSequence(parameters: [])
            case UInt8(ascii: "O"): state = .singleShift
            case Self.escapeByte: events.append(.key(.escape))
            default:
                (state, hasAlt) = (.ground, true)
                acceptInGround(byte, &events)
            }
        case .controlSequence(let parameters):
            acceptInSequence(byte, parameters: parameters, &events)
        case .singleShift:
            state = .ground
            if byte == Self.escapeByte {
                state = .escape
            } else if let key = ControlSequence(final: byte, parameters: []).key {
                events.append(.key(key))
            }
        case .text(var bytes, let missing):
            guard byte & 0xC0 == 0x80 else {
                append(.character("\u{FFFD}"), &events)
                state = .ground
                return acceptInGround(byte, &events)
            }
            bytes.append(byte)
            if missing > 1 {
                state = .text(bytes: bytes, missing: missing - 1)
            } else {
                append(.character(String(decoding: bytes, as: UTF8.self).first ?? "\u{FFFD}"), &events)
                state = .ground
            }
        case .paste:
            acceptInPaste(byte, &events)
        }
    }

    private mutating func append(_ key: Key, _ events: inout [InputEvent]) {
        events.append(.key(hasAlt ? key.with(.alt) : key))
        hasAlt = false
    }

    private mutating func acceptInGround(_ byte: UInt8, _ events: inout [InputEvent]) {
        switch byte {
        case Self.escapeByte: state = .escape
        case 0x0D, 0x0A: append(.enter, &events)
        case 0x09: append(.tab, &events)
        case 0x7F, 0x08: append(.backspace, &events)
        case 0x01...0x1A: append(.control(Character(Unicode.Scalar(byte + 0x60))), &events)
        case 0x20...0x7E: append(.character(Character(Unicode.Scalar(byte))), &events)
        case 0xC2...0xDF: state = .text(bytes: [byte], missing: 1)
        case 0xE0...0xEF: state = .text(bytes: [byte], missing: 2)
        case 0xF0...0xF4: state = .text(bytes: [byte], missing: 3)
        case 0x80...0xFF: append(.character("\u{FFFD}"), &events)
        default: hasAlt = false
        }
    }

    /// Takes a byte of a control sequence: parameter and intermediate bytes are 0x20 to 0x3F, and the final byte is
    /// 0x40 to 0x7E (ECMA-48, 5.4).
    private mutating func acceptInSequence(_ byte: UInt8, parameters: [UInt8], _ events: inout [InputEvent]) {
        switch byte {
        case 0x20...0x3F:
            state = .controlSequence(
                parameters: parameters.count < Self.longestSequence ? parameters + [byte] : parameters)
        case 0x40...0x7E:
            state = .ground
            let sequence = ControlSequence(final: byte, parameters: parameters)
            if sequence.beginsPaste {
                (state, pasted) = (.paste, [])
            } else if let mouse = sequence.mouse {
                events.append(.mouse(mouse))
            } else if let key = sequence.key {
                events.append(.key(key))
            }
        case Self.escapeByte:
            state = .escape
        default:
            state = .ground
        }
    }

    /// Takes a byte of a pasted text; what is longer than a megabyte is dropped.
    private mutating func acceptInPaste(_ byte: UInt8, _ events: inout [InputEvent]) {
        pasted.append(byte)
        if byte == Self.pasteEnd.last, pasted.suffix(Self.pasteEnd.count) == Self.pasteEnd[...] {
            let text = String(decoding: pasted.dropLast(Self.pasteEnd.count), as: UTF8.self)
            events.append(.paste(text.lineFeedsOnly))
            (state, pasted) = (.ground, [])
        } else if pasted.count > Self.longestPaste {
            pasted.removeSubrange(Self.longestPaste / 2..<Self.longestPaste - Self.pasteEnd.count)
        }
    }
}

extension String {
    /// The text with each line end as a line feed; terminals paste carriage returns.
    fileprivate var lineFeedsOnly: String {
        String(map { $0 == "\r\n" || $0 == "\r" ? "\n" : $0 })
    }
}
