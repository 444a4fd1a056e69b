/// The text before the `id` in an object's data ID: `Film:`, or nothing for a type that implements `Node`.
///
/// The text is stored in words, the last one filled with zeros. A data ID can then be hashed and compared without being
/// put together (benchmark `ingest.variants`). Valid as long as its `Owner` lives.
struct IDPrefix: @unchecked Sendable {
    /// Owns the words of a prefix.
    final class Owner: @unchecked Sendable {
        private let words: UnsafeMutablePointer<UInt64>
        let prefix: IDPrefix

        init(_ text: String) {
            let count = text.utf8.count
            words = .allocate(capacity: count / 8 + 1)
            words.initialize(repeating: 0, count: count / 8 + 1)
            for (index, byte) in text.utf8.enumerated() { words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8) }
            prefix = IDPrefix(count: count, words: UnsafePointer(words))
        }

        deinit { words.deallocate() }
    }

    static let none = IDPrefix(count: 0, words: nil)

    /// The number of bytes.
    let count: Int
    fileprivate let words: UnsafePointer<UInt64>?

    /// Returns the word that contains a byte; zero out of range.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        guard let words, offset >= 0, offset < count else { return 0 }
        return words[offset &>> 3]
    }
}
