/// A hash of bytes that is the same in every process. It tells texts apart, not forgeries.
package enum ContentHash {
    private static let prime: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The hash of bytes, going on from the hash of what stands before them.
    package static func of(_ bytes: some ContiguousBytesView, after start: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
        bytes.withBytes { buffer in
            var hash = start ^ (UInt64(truncatingIfNeeded: buffer.count) &* prime)
            var position = 0
            while position + 8 <= buffer.count {
                let word = UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                hash = mixed(hash, word)
                position += 8
            }
            var rest: UInt64 = 0
            while position < buffer.count {
                rest = rest << 8 | UInt64(buffer[position])
                position += 1
            }
            return mixed(mixed(hash, rest), 1)
        }
    }

    package static func of(_ text: String, after start: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
        of(Array(text.utf8), after: start)
    }

    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: prime)
        return (product.high ^ product.low) &+ word.byteSwapped
    }
}

/// Bytes that lie in one piece.
package protocol ContiguousBytesView {
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result
}

extension [UInt8]: ContiguousBytesView {
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { withUnsafeBytes(body) }
}

extension ArraySlice<UInt8>: ContiguousBytesView {
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { withUnsafeBytes(body) }
}
