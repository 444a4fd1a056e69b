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

/// The text of a data ID in two pieces: the prefix, and the range of the `id` in the bytes of an answer.
struct IDText {
    let prefix: IDPrefix
    let range: Range<Int>

    /// The number of bytes.
    @inline(__always)
    var length: Int { prefix.count &+ range.count }

    @inline(__always)
    var wordCount: Int { (length &+ 7) &>> 3 }

    /// Returns eight bytes of the whole text, the first in the lowest bits, with zeros past the end.
    @inline(__always)
    func word(_ index: Int, in cursor: borrowing JSONCursor) -> UInt64 {
        let offset = index &* 8
        let own = prefix.count &- offset
        if own <= 0 { return cursor.word(at: range.lowerBound &- own, before: range.upperBound) }
        let word = prefix.word(at: offset)
        if own >= 8 { return word }
        let bits = UInt64(truncatingIfNeeded: own &* 8)
        return word | cursor.word(at: range.lowerBound, before: range.upperBound) &<< bits
    }

    /// Returns the words of a text of at most 16 bytes.
    @inline(__always)
    func firstWords(in cursor: borrowing JSONCursor) -> (UInt64, UInt64) {
        (word(0, in: cursor), length > 8 ? word(1, in: cursor) : 0)
    }
}
