/// Gives every identity a small number: an open hash table over the bytes of the identifiers.
///
/// An identity is a text, or a place: a list index of a field of another record.
struct RecordTable {
    private struct Entry {
        let scope: UInt32
        /// Of the text: its length. Of a place: the list index, or `noIndex`.
        let detail: UInt32
        /// Of a text of at most 16 bytes: itself. Of a longer one: where it starts in `words`, and its hash. Of a place: the parent and the storage key.
        let first: UInt64
        let second: UInt64
    }

    private static let text: UInt32 = 0
    private static let place: UInt32 = 1
    /// Nothing: the number may be given to the next identity.
    private static let free: UInt32 = 2
    static let noIndex = UInt32.max

    private var entries: [Entry] = []
    /// The texts of more than 16 bytes, eight bytes a word, each from a word of its own. Shorter ones are in the entries: a lookup then misses the
    /// cache twice, not three times.
    private var words: [UInt64] = []
    /// Record numbers plus one, 0 where free; the length is a power of two, at most half is used.
    private var buckets: [UInt32] = Array(repeating: 0, count: 64)
    /// Numbers that stand for nothing.
    private var freeNumbers = FreeNumbers()
    /// Numbers, a bit each; the lowest is given first, so that the end of the table gets free. Nothing is sorted: there may be very many.
    private struct FreeNumbers {
        private(set) var count = 0
        private var words: [UInt64] = []
        /// No word before this one has a bit.
        private var first = 0

        mutating func insert(_ number: UInt32) {
            let word = Int(number) / 64
            if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
            words[word] |= 1 << UInt64(number % 64)
            first = min(first, word)
            count += 1
        }

        mutating func remove(_ number: UInt32) {
            words[Int(number) / 64] &= ~(1 << UInt64(number % 64))
            count -= 1
        }

        mutating func popFirst() -> UInt32? {
            guard count > 0 else { return nil }
            while words[first] == 0 { first += 1 }
            let bit = words[first].trailingZeroBitCount
            words[first] &= words[first] &- 1
            count -= 1
            return UInt32(truncatingIfNeeded: first * 64 + bit)
        }

        /// Gives the memory back of all from a number on, of which none is free.
        mutating func trim(to end: Int) {
            guard words.count > (end + 63) / 64 else { return }
            words = words[..<((end + 63) / 64)].map { $0 }
            first = min(first, words.count)
        }
    }

    /// Places in `words` that were given back, by their length.
    private var freeWords: [Int: [Int]] = [:]
    private let seed: UInt64

    /// The seed makes it hard for a server to choose identifiers that collide.
    init(seed: UInt64) { self.seed = seed }

    /// The numbers that were given out, those that stand for nothing any more included.
    var count: Int { entries.count }
    /// The numbers that stand for something.
    var usedCount: Int { entries.count - freeNumbers.count }

    /// The bytes of the table.
    var memoryUse: Int {
        entries.capacity * MemoryLayout<Entry>.stride + words.capacity * 8 + buckets.capacity * 4
    }

    // MARK: - Hashing

    private static let multiplier: UInt64 = 0xD6E8_FEB8_6659_FD93

    @inline(__always)
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    @inline(__always)
    private func start(_ scope: UInt32, _ length: Int) -> UInt64 {
        Self.mix(seed ^ UInt64(scope), 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: length))
    }

    /// Eight bytes of a text, zeros past its end, so that a text is hashed and compared by words.
    @inline(__always)
    private static func word(_ cursor: borrowing JSONCursor, _ range: Range<Int>, _ index: Int) -> UInt64 {
        let start = range.lowerBound &+ index &* 8
        let length = range.upperBound &- start
        if let word = cursor.word(at: start) {
            return length >= 8 ? word : word & ((1 << UInt64(truncatingIfNeeded: length &* 8)) &- 1)
        }
        var word: UInt64 = 0
        for offset in 0..<min(length, 8) {
            word |= UInt64(cursor.byte(at: start &+ offset)) << UInt64(truncatingIfNeeded: offset &* 8)
        }
        return word
    }

    // MARK: - Lookup

    /// The number for the text in the bytes of an answer; a new one if it is not known.
    @inline(__always)
    mutating func intern(_ cursor: borrowing JSONCursor, _ range: Range<Int>) -> RecordID {
        let length = range.count
        if length > 16 { return internLong(cursor, range) }
        let first = length > 0 ? Self.word(cursor, range, 0) : 0
        let second = length > 8 ? Self.word(cursor, range, 1) : 0
        return internShort(first, second, length: length, scope: Self.text, adding: true) ?? .none
    }

    /// Adds the numbers for texts in the bytes of an answer to a list.
    ///
    /// First what stands in the bucket of each, then whether that is it, and only what is neither is searched: the loads of one step wait for nothing, so that they
    /// overlap.
    mutating func intern(
        _ cursor: borrowing JSONCursor, _ tokens: [JSONCursor.StringToken], into records: inout [RecordID]
    ) {
        let first = records.count
        let mask = buckets.count &- 1
        for token in tokens {
            // A free bucket gives `RecordID.none`.
            records.append(RecordID(buckets[Int(truncatingIfNeeded: hash(cursor, token.range)) & mask] &- 1))
        }
        for (offset, token) in tokens.enumerated()
        where !isText(records[first &+ offset], cursor, token.range) {
            records[first &+ offset] = intern(cursor, token.range)
        }
    }

    /// The hash of a text of at most 16 bytes; anything for a longer one.
    @inline(__always)
    private func hash(_ cursor: borrowing JSONCursor, _ range: Range<Int>) -> UInt64 {
        let length = range.count
        let first = length > 0 ? Self.word(cursor, range, 0) : 0
        let second = length > 8 ? Self.word(cursor, range, 1) : 0
        return hash(first, second, length: length, scope: Self.text)
    }

    /// Says whether a number stands for the text in the bytes of an answer: cheaper than to look it up.
    @inline(__always)
    func isText(_ record: RecordID, _ cursor: borrowing JSONCursor, _ range: Range<Int>) -> Bool {
        let index = Int(record.index)
        let length = range.count
        guard index < entries.count else { return false }
        let entry = entries[index]
        guard entry.scope == Self.text, Int(entry.detail) == length else { return false }
        if length > 16 { return hasWords(entry, cursor, range) }
        let first = length > 0 ? Self.word(cursor, range, 0) : 0
        let second = length > 8 ? Self.word(cursor, range, 1) : 0
        return entry.first == first && entry.second == second
    }

    /// The position after the quote that ends the text for which a number stands; nil if something else stands in the answer.
    @inline(__always)
    func endOfText(_ record: RecordID, _ cursor: borrowing JSONCursor, at start: Int) -> Int? {
        let index = Int(record.index)
        guard index < entries.count, entries[index].scope == Self.text else { return nil }
        let length = Int(entries[index].detail)
        let range = start..<start &+ length
        // Text that has to be escaped is not found like this.
        guard cursor.byte(at: range.upperBound) == 0x22, isText(record, cursor, range) else { return nil }
        var offset = 0
        while offset < length {
            if JSONCursor.syntaxBytes(Self.word(cursor, range, offset &>> 3) | Self.filler(length &- offset)) != 0 {
                return nil
            }
            offset &+= 8
        }
        return range.upperBound &+ 1
    }

    /// Bits that make plain characters of the zeros after so many bytes of a text.
    @inline(__always)
    private static func filler(_ length: Int) -> UInt64 {
        length >= 8 ? 0 : 0x2020_2020_2020_2020 &<< UInt64(truncatingIfNeeded: length &* 8)
    }

    private func hasWords(_ entry: Entry, _ cursor: borrowing JSONCursor, _ range: Range<Int>) -> Bool {
        let start = Int(entry.first)
        var index = 0
        while index &* 8 < range.count {
            if words[start &+ index] != Self.word(cursor, range, index) { return false }
            index &+= 1
        }
        return true
    }

    private mutating func internLong(_ cursor: borrowing JSONCursor, _ range: Range<Int>) -> RecordID {
        let count = (range.count &+ 7) / 8
        var hash = start(Self.text, range.count)
        for index in 0..<count { hash = Self.mix(hash ^ Self.word(cursor, range, index), Self.multiplier) }
        let mask = buckets.count &- 1
        var bucket = Int(truncatingIfNeeded: hash) & mask
        while buckets[bucket] != 0 {
            let entry = entries[Int(buckets[bucket] &- 1)]
            if entry.second == hash, entry.scope == Self.text, Int(entry.detail) == range.count,
                hasWords(entry, cursor, range)
            {
                return RecordID(buckets[bucket] &- 1)
            }
            bucket = (bucket &+ 1) & mask
        }
        let position = makeRoom(words: count)
        for index in 0..<count { words[position &+ index] = Self.word(cursor, range, index) }
        return add(
            Entry(scope: Self.text, detail: UInt32(clamping: range.count), first: UInt64(position), second: hash),
            bucket)
    }

    /// Says whether a number stands for a place: cheaper than to look it up.
    @inline(__always)
    func isPlace(_ record: RecordID, parent: RecordID, key: StorageKeyID, index: UInt32) -> Bool {
        let number = Int(record.index)
        guard number < entries.count else { return false }
        let entry = entries[number]
        return entry.scope == Self.place && entry.detail == index
            && entry.first == UInt64(parent.index) << 32 | UInt64(key.index)
    }

    /// The number for a text; nil if it is not known and not to be added.
    mutating func intern(_ text: [UInt8], adding: Bool = true) -> RecordID? {
        if text.count > 16 { return internLong(text, adding: adding) }
        var (first, second): (UInt64, UInt64) = (0, 0)
        for (index, byte) in text.enumerated() {
            let bits = UInt64(byte) << UInt64(index % 8 * 8)
            if index < 8 { first |= bits } else { second |= bits }
        }
        return internShort(first, second, length: text.count, scope: Self.text, adding: adding)
    }

    private static func packed(_ text: [UInt8]) -> [UInt64] {
        var packed = [UInt64](repeating: 0, count: (text.count + 7) / 8)
        for (index, byte) in text.enumerated() { packed[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8) }
        return packed
    }

    @inline(__always)
    private func hash(_ first: UInt64, _ second: UInt64, length: Int, scope: UInt32) -> UInt64 {
        Self.mix(start(scope, length) ^ first, Self.multiplier ^ second)
    }

    private mutating func internShort(
        _ first: UInt64, _ second: UInt64, length: Int, scope: UInt32, adding: Bool
    ) -> RecordID? {
        let mask = buckets.count &- 1
        var bucket = Int(truncatingIfNeeded: hash(first, second, length: length, scope: scope)) & mask
        while buckets[bucket] != 0 {
            let number = buckets[bucket] &- 1
            if entries[Int(number)].first == first, entries[Int(number)].second == second,
                Int(entries[Int(number)].detail) == length, entries[Int(number)].scope == scope
            {
                return RecordID(number)
            }
            bucket = (bucket &+ 1) & mask
        }
        guard adding else { return nil }
        return add(Entry(scope: scope, detail: UInt32(clamping: length), first: first, second: second), bucket)
    }

    private mutating func internLong(_ text: [UInt8], adding: Bool) -> RecordID? {
        let packed = Self.packed(text)
        let hash = packed.reduce(start(Self.text, text.count)) { Self.mix($0 ^ $1, Self.multiplier) }
        let mask = buckets.count &- 1
        var bucket = Int(truncatingIfNeeded: hash) & mask
        while buckets[bucket] != 0 {
            let entry = entries[Int(buckets[bucket] &- 1)]
            if entry.second == hash, entry.scope == Self.text, Int(entry.detail) == text.count {
                let start = Int(entry.first)
                if words[start..<start + packed.count].elementsEqual(packed) { return RecordID(buckets[bucket] &- 1) }
            }
            bucket = (bucket &+ 1) & mask
        }
        guard adding else { return nil }
        let position = makeRoom(words: packed.count)
        for (index, word) in packed.enumerated() { words[position + index] = word }
        return add(
            Entry(scope: Self.text, detail: UInt32(clamping: text.count), first: UInt64(position), second: hash), bucket
        )
    }

    /// Finds a place for the words of a text: one of the same length that was given back, or a new one.
    private mutating func makeRoom(words count: Int) -> Int {
        if !freeWords.isEmpty, let free = freeWords[count]?.popLast() { return free }
        words.append(contentsOf: repeatElement(0, count: count))
        return words.count - count
    }

    /// The number for a place; a new one if it is not known.
    mutating func intern(parent: RecordID, key: StorageKeyID, index: UInt32) -> RecordID {
        intern(parent: parent, key: key, index: index, adding: true) ?? .none
    }

    /// The number for a place; nil if it is not known and not to be added.
    mutating func intern(parent: RecordID, key: StorageKeyID, index: UInt32, adding: Bool) -> RecordID? {
        let position = UInt64(parent.index) << 32 | UInt64(key.index)
        return internShort(position, UInt64(index), length: Int(index), scope: Self.place, adding: adding)
    }

    private mutating func add(_ entry: Entry, _ bucket: Int) -> RecordID {
        if let free = freeNumbers.popFirst() {
            entries[Int(free)] = entry
            buckets[bucket] = free &+ 1
            // There are fewer buckets than numbers after `trim`: a full table would be searched for ever.
            if usedCount &* 2 > buckets.count { grow() }
            return RecordID(free)
        }
        let record = RecordID(UInt32(truncatingIfNeeded: entries.count))
        entries.append(entry)
        buckets[bucket] = record.index &+ 1
        if entries.count &* 2 > buckets.count { grow() }
        return record
    }

    private mutating func grow() { fillBuckets(buckets.count &* 2) }

    private mutating func fillBuckets(_ count: Int) {
        let mask = count &- 1
        buckets = Array(repeating: 0, count: count)
        for (index, entry) in entries.enumerated() where entry.scope != Self.free {
            var bucket = Int(truncatingIfNeeded: hash(of: entry)) & mask
            while buckets[bucket] != 0 { bucket = (bucket &+ 1) & mask }
            buckets[bucket] = UInt32(truncatingIfNeeded: index) &+ 1
        }
    }

    private func isLong(_ entry: Entry) -> Bool { entry.scope == Self.text && entry.detail > 16 }

    private func hash(of entry: Entry) -> UInt64 {
        isLong(entry)
            ? entry.second : hash(entry.first, entry.second, length: Int(entry.detail), scope: entry.scope)
    }

    // MARK: - Forgetting

    /// Says whether a number stands for something.
    func isUsed(_ record: RecordID) -> Bool {
        Int(record.index) < entries.count && entries[Int(record.index)].scope != Self.free
    }

    /// Takes a number from its identity, for another.
    mutating func remove(_ record: RecordID) {
        guard isUsed(record) else { return }
        let entry = entries[Int(record.index)]
        let mask = buckets.count &- 1
        var hole = Int(truncatingIfNeeded: hash(of: entry)) & mask
        while buckets[hole] != record.index &+ 1 {
            guard buckets[hole] != 0 else { return }
            hole = (hole &+ 1) & mask
        }
        // What stands behind and could stand here moves up, so that lookups need no marks for what is gone.
        var next = (hole &+ 1) & mask
        while buckets[next] != 0 {
            let home = Int(truncatingIfNeeded: hash(of: entries[Int(buckets[next] &- 1)])) & mask
            if (next &- home) & mask >= (next &- hole) & mask {
                buckets[hole] = buckets[next]
                hole = next
            }
            next = (next &+ 1) & mask
        }
        buckets[hole] = 0
        if isLong(entry) { freeWords[(Int(entry.detail) + 7) / 8, default: []].append(Int(entry.first)) }
        entries[Int(record.index)] = Entry(scope: Self.free, detail: 0, first: 0, second: 0)
        freeNumbers.insert(record.index)
    }

    /// Gives memory back that is no longer needed; false if there are more free numbers at the end than `limit`, and it has to be called again. At the end it takes time
    /// linear in what is left if that is less than a quarter.
    mutating func trim(limit: Int = .max) -> Bool {
        var count = 0
        while let last = entries.last, last.scope == Self.free {
            guard count < limit else { return false }
            count += 1
            entries.removeLast()
            freeNumbers.remove(UInt32(truncatingIfNeeded: entries.count))
        }
        freeNumbers.trim(to: entries.count)
        guard entries.capacity > 256, entries.count * 4 < entries.capacity else { return true }
        // A copy of the right size: `Array(entries)` would be the same memory.
        entries = entries.map { $0 }
        var kept: [UInt64] = []
        for index in entries.indices where isLong(entries[index]) {
            let entry = entries[index]
            let start = Int(entry.first)
            entries[index] = Entry(
                scope: entry.scope, detail: entry.detail, first: UInt64(kept.count), second: entry.second)
            kept.append(contentsOf: words[start..<start + (Int(entry.detail) + 7) / 8])
        }
        words = kept
        freeWords = [:]
        var size = 64
        while size < usedCount * 2 { size *= 2 }
        fillBuckets(size)
        return true
    }

    // MARK: - Text

    /// What a number stands for.
    enum Identity {
        case text(String)
        case place(parent: RecordID, key: StorageKeyID, index: UInt32)
    }

    /// The record that a place belongs to; nil for a text.
    func parent(of record: RecordID) -> RecordID? {
        let index = Int(record.index)
        guard index < entries.count, entries[index].scope == Self.place else { return nil }
        return RecordID(UInt32(entries[index].first >> 32))
    }

    func identity(of record: RecordID) -> Identity? {
        let index = Int(record.index)
        guard index < entries.count, entries[index].scope != Self.free else { return nil }
        let entry = entries[index]
        if entry.scope == Self.place {
            return .place(
                parent: RecordID(UInt32(entry.first >> 32)),
                key: StorageKeyID(index: UInt32(truncatingIfNeeded: entry.first)),
                index: entry.detail
            )
        }
        let isShort = entry.detail <= 16
        let bytes = (0..<Int(entry.detail)).map { offset in
            let word = isShort ? (offset < 8 ? entry.first : entry.second) : words[Int(entry.first) + offset / 8]
            return UInt8(truncatingIfNeeded: word >> UInt64(offset % 8 * 8))
        }
        return .text(String(decoding: bytes, as: UTF8.self))
    }
}
