/// Gives every identity a small number: an open hash table over the bytes of the identifiers.
///
/// An identity is a text, or a place: a list index of a field of another record.
struct RecordTable {
    struct Entry {
        let scope: UInt32
        /// Of the text: its length. Of a place: the list index, or `noIndex`.
        let detail: UInt32
        /// Of a text of at most 16 bytes: itself. Of a longer one: where it starts in `words`, and its hash. Of a
        /// place: the parent and the storage key.
        let first: UInt64
        let second: UInt64
    }

    static let text: UInt32 = 0
    private static let place: UInt32 = 1
    /// Nothing: the number may be given to the next identity.
    private static let free: UInt32 = 2
    static let noIndex = UInt32.max

    private(set) var entries: [Entry] = []
    /// The texts of more than 16 bytes, eight bytes a word, each from a word of its own. Shorter ones are in the
    /// entries: a lookup then misses the cache twice, not three times.
    private(set) var words: [UInt64] = []
    /// Record numbers plus one, 0 where free; the length is a power of two, at most half is used.
    private(set) var buckets: [UInt32] = Array(repeating: 0, count: 64)
    /// Numbers that stand for nothing.
    private var freeNumbers = NumberPool()
    /// By storage key: how many places lie under it.
    private var placeCounts: [UInt32] = []

    /// By number: how the application chose the text, where that is known. Empty without a data ID function.
    private var choices: [UInt64] = []

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

    /// Says whether a number stands for a place: cheaper than to look it up.
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
        return add(Entry(scope: scope, detail: UInt32(clamping: length), first: first, second: second), bucket)
    }

    /// Adds a text of more than 16 bytes; `bucket` is the free one that its search ended at.
    mutating func addLong(_ text: IDText, _ cursor: borrowing JSONCursor, hash: UInt64, _ bucket: Int) -> RecordID {
        let count = text.wordCount
        let position = makeRoom(words: count)
        for index in 0..<count { words[position &+ index] = text.word(index, in: cursor) }
        return add(
            Entry(scope: Self.text, detail: UInt32(clamping: text.length), first: UInt64(position), second: hash),
            bucket)
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
        if entry.scope == Self.place { countPlace(under: Int(UInt32(truncatingIfNeeded: entry.first))) }
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

    private mutating func countPlace(under key: Int) {
        if key >= placeCounts.count {
            placeCounts.append(contentsOf: repeatElement(0, count: key + 1 - placeCounts.count))
        }
        placeCounts[key] += 1
    }

    /// Says whether a place lies under a storage key.
    func hasPlaces(under key: StorageKeyID) -> Bool {
        Int(key.index) < placeCounts.count && placeCounts[Int(key.index)] > 0
    }

    private mutating func grow() { fillBuckets(buckets.count &* 2) }

    /// Makes room for so many identities in all, so that the buckets are filled once on the way there.
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
        if entry.scope == Self.place { placeCounts[Int(UInt32(truncatingIfNeeded: entry.first))] -= 1 }
        if isLong(entry) {
            // The text may be somebody's secret.
            let (start, count) = (Int(entry.first), (Int(entry.detail) + 7) / 8)
            for index in start..<start + count { words[index] = 0 }
            freeWords[count, default: []].append(start)
        }
        entries[Int(record.index)] = Entry(scope: Self.free, detail: 0, first: 0, second: 0)
        if Int(record.index) < choices.count { choices[Int(record.index)] = 0 }
        freeNumbers.insert(record.index)
    }

    /// Gives memory back that is no longer needed; false if there are more free numbers at the end than `limit`, and it
    /// has to be called again. At the end it takes time linear in what is left if that is less than a quarter.
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

    // MARK: - Texts that the application chose

    /// For an object of a type the application has asked for its `id` alone, and put some bytes before it.
    struct Choice: Equatable {
        fileprivate let bits: UInt64

        init(type: TypeID, prefixCount: Int) {
            bits = UInt64(type.index) << 32 | UInt64(UInt32(clamping: prefixCount)) + 1
        }
    }

    /// Takes note of how the text of a record was chosen.
    mutating func note(_ choice: Choice, of record: RecordID) {
        let index = Int(record.index)
        if index >= choices.count {
            choices.append(contentsOf: repeatElement(0, count: max(entries.count, index + 1) - choices.count))
        }
        choices[index] = choice.bits
    }

    /// Says whether the text of a record was chosen in this way.
    @inline(__always)
    func isChoice(_ record: RecordID, _ choice: Choice) -> Bool {
        let index = Int(record.index)
        return index < choices.count && choices[index] == choice.bits
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

    /// What a place is; nil for a text.
    func place(of record: RecordID) -> (parent: RecordID, key: StorageKeyID, index: UInt32)? {
        guard let parent = parent(of: record) else { return nil }
        let entry = entries[Int(record.index)]
        return (parent, StorageKeyID(index: UInt32(truncatingIfNeeded: entry.first)), entry.detail)
    }

    /// Prints the text of a record as JSON; an empty one if it has none of its own.
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

    /// The text of a record without its first bytes; nil if it has no text of its own that is as long.
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
