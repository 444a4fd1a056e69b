/// The text of a data ID in two pieces: the prefix, and the range of the `id` in the bytes of a response.
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
