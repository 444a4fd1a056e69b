import BatonDiagnostics

/// The digest of a definition's source, in the header of its generated file. With the digest, a debug build can tell
/// that the source was edited later.
///
/// The runtime computes the same digest; the proposal "The contract between compiler and runtime" defines it.
package enum DefinitionDigest {
    /// The line of the header, such as `fragment FilmRow_film 2f1c9be05a7734d1`. Nil if keyword and name are separated
    /// by other text than white space, or if the brackets do not match.
    ///
    /// The cost is linear in the definition.
    package static func line(_ keyword: String, _ name: String, in bytes: [UInt8], nameAt offset: Int) -> String? {
        var start = offset
        while start > 0, isSpace(bytes[start - 1]) { start -= 1 }
        start -= keyword.utf8.count
        guard start >= 0, start + keyword.utf8.count < offset, offset < bytes.count,
            bytes[start...].starts(with: keyword.utf8), bytes[offset...].starts(with: name.utf8),
            let digest = digest(of: bytes, from: start)
        else { return nil }
        let digits = String(digest, radix: 16)
        return "\(keyword) \(name) " + String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    private static func digest(of bytes: [UInt8], from start: Int) -> UInt64? {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var depth = 0
        var position = start
        while position < bytes.count {
            let byte = bytes[position]
            let end = endOfToken(bytes, at: position)
            let isToken = !(isSpace(byte) || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "#"))
            if isToken {
                for byte in bytes[position..<end] where byte != 0x0D { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
                // The hash of the zero byte after the token.
                hash = hash &* 0x100_0000_01B3
            }
            position = end
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return hash }
            default: break
            }
            if depth < 0 { return nil }
        }
        return nil
    }

    /// The end of the token at `start`: a name, a string, a block string, a comment, or any other single byte.
    private static func endOfToken(_ bytes: [UInt8], at start: Int) -> Int {
        func end(from position: Int, while condition: (UInt8) -> Bool) -> Int {
            bytes[position...].firstIndex { !condition($0) } ?? bytes.count
        }
        if isName(bytes[start]) { return end(from: start, while: isName) }
        if bytes[start] == UInt8(ascii: "#") { return end(from: start) { $0 != 0x0A && $0 != 0x0D } }
        guard bytes[start] == UInt8(ascii: "\"") else { return start + 1 }
        let quotes = [UInt8](repeating: UInt8(ascii: "\""), count: 3)
        let isBlock = bytes[start...].starts(with: quotes)
        var position = start + (isBlock ? 3 : 1)
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\\"):
                let isQuotes = isBlock && bytes[(position + 1)...].starts(with: quotes)
                position += isQuotes ? 4 : isBlock ? 1 : 2
            case UInt8(ascii: "\"") where !isBlock: return position + 1
            case UInt8(ascii: "\"") where bytes[position...].starts(with: quotes): return position + 3
            case 0x0A where !isBlock, 0x0D where !isBlock: return position
            default: position += 1
            }
        }
        return bytes.count
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
        default: false
        }
    }
}
