/// Checks a text that comes in pieces, whose characters may be cut anywhere (RFC 3629).
struct UTF8Check {
    /// How many bytes of the character are still to come.
    private var missing = 0
    /// What the next of them may be.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    /// True if no character is cut.
    var isComplete: Bool { missing == 0 }

    /// Takes the next piece; false if the text cannot be UTF-8, whatever follows.
    mutating func take(_ piece: [UInt8]) -> Bool {
        piece.withUnsafeBytes { bytes in
            var index = 0
            while index < bytes.count {
                // Most texts are ASCII, which is looked at eight bytes at a time.
                if missing == 0, index + 8 <= bytes.count,
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                    continue
                }
                guard take(bytes[index]) else { return false }
                index += 1
            }
            return true
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard allowed.contains(byte) else { return false }
            (missing, allowed) = (missing - 1, 0x80...0xBF)
            return true
        }
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: missing = 1
        // Neither what has a shorter form nor surrogates.
        case 0xE0: (missing, allowed) = (2, 0xA0...0xBF)
        case 0xED: (missing, allowed) = (2, 0x80...0x9F)
        case 0xE1...0xEF: missing = 2
        // Neither what has a shorter form nor what Unicode has not.
        case 0xF0: (missing, allowed) = (3, 0x90...0xBF)
        case 0xF4: (missing, allowed) = (3, 0x80...0x8F)
        case 0xF1...0xF3: missing = 3
        default: return false
        }
        return true
    }
}
