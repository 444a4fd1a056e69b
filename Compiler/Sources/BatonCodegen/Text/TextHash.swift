/// A hash function for the ids of texts.
package enum TextHash: String, CaseIterable, Sendable {
    /// The hash function that Relay uses.
    case md5 = "MD5"
    /// The hash function that Apollo uses.
    case sha256 = "SHA256"

    /// The hash of a text's UTF-8, in lower-case hexadecimal digits.
    package func id(of text: String) -> String {
        let bytes = Array(text.utf8)
        let digest = self == .md5 ? MD5.digest(of: bytes) : SHA256.digest(of: bytes)
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension TextHash {
    /// Splits a message into blocks of 64 bytes, after the padding that both functions have: a bit, zeros, and the
    /// length in bits.
    static func blocks(of message: [UInt8], isBigEndian: Bool) -> [ArraySlice<UInt8>] {
        var padded = message + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        let length = UInt64(message.count) << 3
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: length >> UInt64(8 * $0)) }
        padded += isBigEndian ? bytes.reversed() : bytes
        return stride(from: 0, to: padded.count, by: 64).map { padded[$0..<($0 + 64)] }
    }
}
