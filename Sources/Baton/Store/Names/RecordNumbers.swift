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
    static let place: UInt32 = 1
    /// The scope of a free number.
    static let free: UInt32 = 2
    static let noIndex = UInt32.max

    private(set) var entries: [Entry] = []
    /// The texts of more than 16 bytes, eight bytes in a word; each text begins with a new word. Shorter texts are in
    /// the entries, so that a lookup misses the cache twice and not three times.
    private(set) var words: [UInt64] = []
    /// Positions in `entries` plus one; 0 for free buckets. The length is a power of two, and at most half of the
    /// buckets are used.
    private(set) var buckets: [UInt32] = Array(repeating: 0, count: 64)
    /// The free positions in `entries`.
    private var freeNumbers = NumberPool()
    /// For each storage key, the number of places under it.
    private var placeCounts: [UInt32] = []

    /// For each number, the way in which the data ID function chose its text; 0 if the way is unknown. Empty without
    /// such a function.
    private var choices: [UInt64] = []

    /// The free positions in `words`, by the length of the freed text.
    private var freeWords: [Int: [Int]] = [:]
    private let seed: UInt64

    /// The table below this one, whose identities keep their numbers; nil for most tables.
    let base: RecordNumbersBase?
    /// The number of numbers in the table below. The first own entry has this number.
    let offset: Int

    /// Makes a table. The seed makes it hard for a server to choose identifiers that collide.
    init(seed: UInt64) {
        self.seed = seed
        base = nil
        offset = 0
    }

    /// Makes a table that begins with the identities of another one, and costs only what is added to it.
    init(over base: RecordNumbersBase) {
        seed = base.numbers.seed
        self.base = base
        offset = base.numbers.count
    }

    /// The number of all numbers, free ones and those of the table below included.
    var count: Int { offset + entries.count }
    /// The number of numbers in use.
    var usedCount: Int { (base?.numbers.usedCount ?? 0) + entries.count - freeNumbers.count }

    /// Returns the position of a record's own entry; below 0 for a record of the table below.
    @inline(__always)
    func position(of record: RecordID) -> Int { Int(record.index) &- offset }

    /// Returns the record of an own entry.
    @inline(__always)
    func record(at position: UInt32) -> RecordID { RecordID(position &+ UInt32(truncatingIfNeeded: offset)) }

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
        let number = position(of: record)
        guard number < entries.count else { return false }
        if number < 0 { return base?.numbers.isPlace(record, parent: parent, key: key, index: index) ?? false }
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
        let hash = hash(first, second, length: length, scope: scope)
        if let base, let known = base.numbers.findShort(first, second, length: length, scope: scope, hash: hash) {
            return known
        }
        let mask = buckets.count &- 1
        var bucket = Int(truncatingIfNeeded: hash) & mask
        while buckets[bucket] != 0 {
            let number = buckets[bucket] &- 1
            if entries[Int(number)].first == first, entries[Int(number)].second == second,
                Int(entries[Int(number)].detail) == length, entries[Int(number)].scope == scope
            {
                return record(at: number)
            }
            bucket = (bucket &+ 1) & mask
        }
        guard adding else { return nil }
        return addEntry(Entry(scope: scope, detail: UInt32(clamping: length), first: first, second: second), bucket)
    }

    /// Returns the number of a short text or a place; nil if it is unknown.
    func findShort(_ first: UInt64, _ second: UInt64, length: Int, scope: UInt32, hash: UInt64) -> RecordID? {
        let mask = buckets.count &- 1
        var bucket = Int(truncatingIfNeeded: hash) & mask
        while buckets[bucket] != 0 {
            let number = buckets[bucket] &- 1
            let entry = entries[Int(number)]
            if entry.first == first, entry.second == second, Int(entry.detail) == length, entry.scope == scope {
                return record(at: number)
            }
            bucket = (bucket &+ 1) & mask
        }
        return base?.numbers.findShort(first, second, length: length, scope: scope, hash: hash)
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
            if (entries.count &- freeNumbers.count) &* 2 > buckets.count { grow() }
            return record(at: free)
        }
        let position = UInt32(truncatingIfNeeded: entries.count)
        entries.append(entry)
        buckets[bucket] = position &+ 1
        if entries.count &* 2 > buckets.count { grow() }
        return record(at: position)
    }

    private mutating func countPlace(under key: Int) {
        if key >= placeCounts.count {
            placeCounts.append(contentsOf: repeatElement(0, count: key + 1 - placeCounts.count))
        }
        placeCounts[key] += 1
    }

    /// Returns true if a place uses a storage key.
    func hasPlaces(under key: StorageKeyID) -> Bool {
        if Int(key.index) < placeCounts.count && placeCounts[Int(key.index)] > 0 { return true }
        return base?.numbers.hasPlaces(under: key) ?? false
    }

    private mutating func grow() { fillBuckets(buckets.count &* 2) }

    /// Makes room for `total` identities, so that the buckets are refilled once for all of them.
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
        let number = position(of: record)
        if number < 0 { return base?.numbers.isUsed(record) ?? false }
        return number < entries.count && entries[number].scope != Self.free
    }

    /// Returns true if the table below has the number. Such a number is never freed in this table.
    func isOfBase(_ record: RecordID) -> Bool { position(of: record) < 0 }

    /// Removes the identity of a number, so that the number is free.
    mutating func remove(_ record: RecordID) {
        let number = position(of: record)
        guard number >= 0, isUsed(record) else { return }
        let entry = entries[number]
        let mask = buckets.count &- 1
        var hole = Int(truncatingIfNeeded: hash(of: entry)) & mask
        while buckets[hole] != UInt32(truncatingIfNeeded: number &+ 1) {
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
        entries[number] = Entry(scope: Self.free, detail: 0, first: 0, second: 0)
        if number < choices.count { choices[number] = 0 }
        freeNumbers.insert(UInt32(truncatingIfNeeded: number))
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
        while size < (entries.count - freeNumbers.count) * 2 { size *= 2 }
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
        let index = position(of: record)
        // The choice of a record in the table below is known there, or is made again for each response.
        guard index >= 0 else { return }
        if index >= choices.count {
            choices.append(contentsOf: repeatElement(0, count: max(entries.count, index + 1) - choices.count))
        }
        choices[index] = choice.bits
    }

    /// Returns true if the text of a record was chosen in this way.
    @inline(__always)
    func isChoice(_ record: RecordID, _ choice: Choice) -> Bool {
        let index = position(of: record)
        if index < 0 { return base?.numbers.isChoice(record, choice) ?? false }
        return index < choices.count && choices[index] == choice.bits
    }
}
