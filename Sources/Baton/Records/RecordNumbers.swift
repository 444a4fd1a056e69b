/// Gives every identity a small number. It is an open hash table over the bytes of the identities.
///
/// An identity is a text or a place: a field of another record, with a list index if the field is a list.
struct RecordNumbers {
    struct Entry {
        let scope: UInt32
        /// The length of a text; the list index of a place, or `noIndex`.
        let detail: UInt32
        /// A text of at most 16 bytes itself; the start in `words` and the hash of a longer text; the parent and the
        /// storage key of a place.
        let first: UInt64
        let second: UInt64
    }

    static let text: UInt32 = 0
    private static let place: UInt32 = 1
    /// The scope of a free number.
    private static let free: UInt32 = 2
    static let noIndex = UInt32.max

    private(set) var entries: [Entry] = []
    /// The texts of more than 16 bytes, eight bytes in a word; each text begins with a new word. Shorter texts are in
    /// the entries, so that a lookup misses the cache twice and not three times.
    private(set) var words: [UInt64] = []
    /// Record numbers plus one; 0 for free buckets. The length is a power of two, and at most half of the buckets are
    /// used.
    private(set) var buckets: [UInt32] = Array(repeating: 0, count: 64)
    /// The free numbers.
    private var freeNumbers = NumberPool()
    /// For each storage key, the number of places under it.
    private var placeCounts: [UInt32] = []

    /// For each number, how the data ID function chose its text, if that is known. Empty without such a function.
    private var choices: [UInt64] = []

    /// The free positions in `words`, by the length of the freed text.
    private var freeWords: [Int: [Int]] = [:]
    private let seed: UInt64

    /// Makes a table. The seed makes it hard for a server to choose identifiers that collide.
    init(seed: UInt64) { self.seed = seed }

    /// The number of all numbers, free ones included.
    var count: Int { entries.count }
    /// The number of numbers in use.
    var usedCount: Int { entries.count - freeNumbers.count }

    /// The memory of the table in bytes.
    var memoryUse: Int {
        entries.capacity * MemoryLayout<Entry>.stride + words.capacity * 8 + buckets.capacity * 4
            + placeCounts.capacity * 4 + choices.capacity * 8
    }

    // MARK: - Hashing

    static let multiplier: UInt64 = 0xD6E8_FEB8_6659_FD93

    @inline(__always)
    static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    @inline(__always)
    func start(_ scope: UInt32, _ length: Int) -> UInt64 {
        Self.mix(seed ^ UInt64(scope), 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: length))
    }

    // MARK: - Lookup

    /// Returns true if a number has this place. The check costs less than a lookup.
    @inline(__always)
    func isPlace(_ record: RecordID, parent: RecordID, key: StorageKeyID, index: UInt32) -> Bool {
        let number = Int(record.index)
        guard number < entries.count else { return false }
        let entry = entries[number]
        return entry.scope == Self.place && entry.detail == index
            && entry.first == UInt64(parent.index) << 32 | UInt64(key.index)
    }

    @inline(__always)
    func hash(_ first: UInt64, _ second: UInt64, length: Int, scope: UInt32) -> UInt64 {
        Self.mix(start(scope, length) ^ first, Self.multiplier ^ second)
    }

    mutating func internShort(
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
        return addEntry(Entry(scope: scope, detail: UInt32(clamping: length), first: first, second: second), bucket)
    }

    /// Adds a text of more than 16 bytes; `bucket` is the free bucket at which its search ended.
    mutating func addLong(_ text: IDText, _ cursor: borrowing JSONCursor, hash: UInt64, _ bucket: Int) -> RecordID {
        let count = text.wordCount
        let position = makeRoom(words: count)
        for index in 0..<count { words[position &+ index] = text.word(index, in: cursor) }
        return addEntry(
            Entry(scope: Self.text, detail: UInt32(clamping: text.length), first: UInt64(position), second: hash),
            bucket)
    }

    /// Returns a position for the words of a text: a free one of the same length, or a new one.
    private mutating func makeRoom(words count: Int) -> Int {
        if !freeWords.isEmpty, let free = freeWords[count]?.popLast() { return free }
        words.append(contentsOf: repeatElement(0, count: count))
        return words.count - count
    }

    /// Returns the number of a place, which is added if it is unknown.
    mutating func intern(parent: RecordID, key: StorageKeyID, index: UInt32) -> RecordID {
        intern(parent: parent, key: key, index: index, adding: true) ?? .none
    }

    /// Returns the number of a place; nil if the place is unknown and `adding` is false.
    mutating func intern(parent: RecordID, key: StorageKeyID, index: UInt32, adding: Bool) -> RecordID? {
        let position = UInt64(parent.index) << 32 | UInt64(key.index)
        return internShort(position, UInt64(index), length: Int(index), scope: Self.place, adding: adding)
    }

    private mutating func addEntry(_ entry: Entry, _ bucket: Int) -> RecordID {
        if entry.scope == Self.place { countPlace(under: Int(UInt32(truncatingIfNeeded: entry.first))) }
        if let free = freeNumbers.popFirst() {
            entries[Int(free)] = entry
            buckets[bucket] = free &+ 1
            // After `trim` there are fewer buckets than numbers. A search in a full table would never end.
            if usedCount &* 2 > buckets.count { grow() }
            return RecordID(free)
        }
        let record = RecordID(UInt32(truncatingIfNeeded: entries.count))
        entries.append(entry)
        buckets[bucket] = record.index &+ 1
        if entries.count &* 2 > buckets.count { grow() }
        return record
    }

    private mutating func countPlace(under key: Int) {
        if key >= placeCounts.count {
            placeCounts.append(contentsOf: repeatElement(0, count: key + 1 - placeCounts.count))
        }
        placeCounts[key] += 1
    }

    /// Returns true if a place uses a storage key.
    func hasPlaces(under key: StorageKeyID) -> Bool {
        Int(key.index) < placeCounts.count && placeCounts[Int(key.index)] > 0
    }

    private mutating func grow() { fillBuckets(buckets.count &* 2) }

    /// Makes room for `total` identities, so that the buckets are filled only once on the way there.
    mutating func reserve(_ total: Int) {
        var count = buckets.count
        while total * 2 > count { count *= 2 }
        if count > buckets.count { fillBuckets(count) }
        entries.reserveCapacity(total)
    }

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

    // MARK: - Freeing

    /// Returns true if a number is in use.
    func isUsed(_ record: RecordID) -> Bool {
        Int(record.index) < entries.count && entries[Int(record.index)].scope != Self.free
    }

    /// Removes the identity of a number, so that the number is free.
    mutating func remove(_ record: RecordID) {
        guard isUsed(record) else { return }
        let entry = entries[Int(record.index)]
        let mask = buckets.count &- 1
        var hole = Int(truncatingIfNeeded: hash(of: entry)) & mask
        while buckets[hole] != record.index &+ 1 {
            guard buckets[hole] != 0 else { return }
            hole = (hole &+ 1) & mask
        }
        // Entries after the hole move up where possible, so that lookups need no marks for removed entries.
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
        if entry.scope == Self.place { placeCounts[Int(UInt32(truncatingIfNeeded: entry.first))] -= 1 }
        if isLong(entry) {
            // The text is overwritten, because it may be a user's secret.
            let (start, count) = (Int(entry.first), (Int(entry.detail) + 7) / 8)
            for index in start..<start + count { words[index] = 0 }
            freeWords[count, default: []].append(start)
        }
        entries[Int(record.index)] = Entry(scope: Self.free, detail: 0, first: 0, second: 0)
        if Int(record.index) < choices.count { choices[Int(record.index)] = 0 }
        freeNumbers.insert(record.index)
    }

    /// Frees memory that is no longer needed. Returns false if there are more than `limit` free numbers at the end, so
    /// that the method must be called again. Takes time linear in the rest if less than a quarter is left.
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
        if choices.count > entries.count { choices = Array(choices[..<entries.count]) }
        // A copy of the right size. `Array(entries)` would be the same memory.
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

    // MARK: - Chosen texts

    /// A way of choosing a text: for an object of a type the data ID function read only the `id` and put some bytes
    /// before it.
    struct Choice: Equatable {
        fileprivate let bits: UInt64

        init(type: TypeID, prefixCount: Int) {
            bits = UInt64(type.index) << 32 | UInt64(UInt32(clamping: prefixCount)) + 1
        }
    }

    /// Notes how the text of a record was chosen.
    mutating func noteChoice(_ choice: Choice, of record: RecordID) {
        let index = Int(record.index)
        if index >= choices.count {
            choices.append(contentsOf: repeatElement(0, count: max(entries.count, index + 1) - choices.count))
        }
        choices[index] = choice.bits
    }

    /// Returns true if the text of a record was chosen in this way.
    @inline(__always)
    func isChoice(_ record: RecordID, _ choice: Choice) -> Bool {
        let index = Int(record.index)
        return index < choices.count && choices[index] == choice.bits
    }

    // MARK: - Text

    /// The identity of a number.
    enum Identity {
        case text(String)
        case place(parent: RecordID, key: StorageKeyID, index: UInt32)
    }

    /// Returns the parent of a place; nil for a text.
    func parent(of record: RecordID) -> RecordID? {
        let index = Int(record.index)
        guard index < entries.count, entries[index].scope == Self.place else { return nil }
        return RecordID(UInt32(entries[index].first >> 32))
    }

    /// Returns the place of a number; nil for a text.
    func place(of record: RecordID) -> (parent: RecordID, key: StorageKeyID, index: UInt32)? {
        guard let parent = parent(of: record) else { return nil }
        let entry = entries[Int(record.index)]
        return (parent, StorageKeyID(index: UInt32(truncatingIfNeeded: entry.first)), entry.detail)
    }

    /// Prints the text of a record as JSON; an empty text if the record has none.
    func printText(of record: RecordID, into printer: inout JSONPrinter) {
        let index = Int(record.index)
        guard index < entries.count, entries[index].scope == Self.text else { return printer.printString("") }
        let entry = entries[index]
        let count = Int(entry.detail)
        let first = entry.detail > 16 ? Int(entry.first) : 0
        let start = printer.bytes.count
        printer.append("\"")
        var (offset, hasEscapes) = (0, false)
        while offset < count {
            let word = count > 16 ? words[first &+ offset / 8] : offset == 0 ? entry.first : entry.second
            let rest = count &- offset
            if JSONCursor.syntaxBytes(word | Self.filler(rest)) != 0 { hasEscapes = true }
            withUnsafeBytes(of: word.littleEndian) { printer.bytes.append(contentsOf: $0.prefix(rest)) }
            offset &+= 8
        }
        printer.append("\"")
        if hasEscapes {
            printer.bytes.removeLast(printer.bytes.count - start)
            printer.printString(text(of: entry, droppingFirst: 0))
        }
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
        return .text(text(of: entry, droppingFirst: 0))
    }

    /// Returns the text of a record without its first bytes; nil if the record has no text or a shorter one.
    func text(of record: RecordID, droppingFirst count: Int) -> String? {
        let index = Int(record.index)
        guard index < entries.count, entries[index].scope == Self.text, Int(entries[index].detail) >= count else {
            return nil
        }
        return text(of: entries[index], droppingFirst: count)
    }

    private func text(of entry: Entry, droppingFirst count: Int) -> String {
        let isShort = entry.detail <= 16
        return String(unsafeUninitializedCapacity: Int(entry.detail) - count) { buffer in
            for offset in count..<Int(entry.detail) {
                let word = isShort ? (offset < 8 ? entry.first : entry.second) : words[Int(entry.first) + offset / 8]
                buffer[offset - count] = UInt8(truncatingIfNeeded: word >> UInt64(offset % 8 * 8))
            }
            return Int(entry.detail) - count
        }
    }
}
