/// A set of type ids as bits, so that two sets are compared a word at a time.
struct TypeSet: Sendable, Sequence {
    private var words: [UInt64]

    init(count: Int) {
        words = Array(repeating: 0, count: (count + 63) / 64)
    }

    mutating func insert(_ id: TypeID) {
        let index = Int(id.index)
        guard index >= 0, index / 64 < words.count else { return }
        words[index / 64] |= 1 << UInt64(index % 64)
    }

    func contains(_ id: TypeID) -> Bool {
        let index = Int(id.index)
        guard index >= 0, index / 64 < words.count else { return false }
        return words[index / 64] & (1 << UInt64(index % 64)) != 0
    }

    func intersects(_ other: TypeSet) -> Bool {
        for index in 0..<Swift.min(words.count, other.words.count) where words[index] & other.words[index] != 0 {
            return true
        }
        return false
    }

    /// Ids in ascending order.
    func makeIterator() -> AnyIterator<TypeID> {
        var wordIndex = 0
        var word = words.first ?? 0
        return AnyIterator {
            while word == 0 {
                wordIndex += 1
                guard wordIndex < words.count else { return nil }
                word = words[wordIndex]
            }
            let bit = word.trailingZeroBitCount
            word &= word - 1
            return TypeID(wordIndex * 64 + bit)
        }
    }
}
