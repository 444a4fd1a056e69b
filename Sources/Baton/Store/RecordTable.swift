/// Gives every identity a small number: an open hash table over the bytes of the identifiers.
///
/// An identity is a text, alone or within a type, or a place: a list index of a field of another record.
struct RecordTable {
    private struct Entry {
        /// `global`, `place`, or the type that the text belongs to.
        let scope: UInt32
        /// Of the text: its length. Of a place: the list index, or `noIndex`.
        let detail: UInt32
        /// Of the text: where it starts. Of a place: the parent and the storage key.
        let position: UInt64
        let hash: UInt64
    }

    static let global = UInt32.max
    private static let place = UInt32.max - 1
    static let noIndex = UInt32.max

    private var entries: [Entry] = []
    private var texts: [UInt8] = []
    /// Record numbers plus one, 0 where free; the length is a power of two, at most half is used.
    private var buckets: [UInt32] = Array(repeating: 0, count: 64)
    private let seed: UInt64

    /// The seed makes it hard for a server to choose identifiers that collide.
    init(seed: UInt64) { self.seed = seed }

    var count: Int { entries.count }

    // MARK: - Hashing

    @inline(__always)
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    @inline(__always)
    private func start(_ scope: UInt32, _ length: Int) -> UInt64 {
        Self.mix(seed ^ UInt64(scope), 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: length))
    }

    @inline(__always)
    private func hash(_ bytes: [UInt8], _ scope: UInt32) -> UInt64 {
        var hash = start(scope, bytes.count)
        var word: UInt64 = 0
        var filled: UInt64 = 0
        for byte in bytes {
            word |= UInt64(byte) << filled
            filled &+= 8
            if filled == 64 {
                hash = Self.mix(hash ^ word, 0xD6E8_FEB8_6659_FD93)
                word = 0
                filled = 0
            }
        }
        return Self.mix(hash ^ word, 0xA076_1D64_78BD_642F)
    }

    @inline(__always)
    private func hash(_ cursor: borrowing JSONCursor, _ range: Range<Int>, _ scope: UInt32) -> UInt64 {
        var hash = start(scope, range.count)
        var index = range.lowerBound
        while index &+ 8 <= range.upperBound, let word = cursor.word(at: index) {
            hash = Self.mix(hash ^ word, 0xD6E8_FEB8_6659_FD93)
            index &+= 8
        }
        var word: UInt64 = 0
        var filled: UInt64 = 0
        while index < range.upperBound {
            word |= UInt64(cursor.byte(at: index)) << filled
            filled &+= 8
            index &+= 1
        }
        return Self.mix(hash ^ word, 0xA076_1D64_78BD_642F)
    }

    // MARK: - Lookup

    /// The number for the text in the bytes of an answer; a new one if it is not known.
    mutating func intern(_ cursor: borrowing JSONCursor, _ range: Range<Int>, scope: UInt32) -> RecordID {
        let hash = hash(cursor, range, scope)
        let mask = buckets.count &- 1
        var bucket = Int(truncatingIfNeeded: hash) & mask
        while buckets[bucket] != 0 {
            let entry = entries[Int(buckets[bucket] &- 1)]
            if entry.hash == hash, entry.scope == scope, Int(entry.detail) == range.count {
                var offset = 0
                let start = Int(entry.position)
                while offset < range.count, texts[start &+ offset] == cursor.byte(at: range.lowerBound &+ offset) {
                    offset &+= 1
                }
                if offset == range.count { return RecordID(buckets[bucket] &- 1) }
            }
            bucket = (bucket &+ 1) & mask
        }
        let position = UInt64(texts.count)
        for index in range { texts.append(cursor.byte(at: index)) }
        return add(Entry(scope: scope, detail: UInt32(clamping: range.count), position: position, hash: hash), bucket)
    }

    /// The number for a text; nil if it is not known and not to be added.
    mutating func intern(_ text: [UInt8], scope: UInt32, adding: Bool = true) -> RecordID? {
        let hash = hash(text, scope)
        let mask = buckets.count &- 1
        var bucket = Int(truncatingIfNeeded: hash) & mask
        while buckets[bucket] != 0 {
            let entry = entries[Int(buckets[bucket] &- 1)]
            if entry.hash == hash, entry.scope == scope, Int(entry.detail) == text.count {
                let start = Int(entry.position)
                if texts[start..<start &+ text.count].elementsEqual(text) { return RecordID(buckets[bucket] &- 1) }
            }
            bucket = (bucket &+ 1) & mask
        }
        guard adding else { return nil }
        let position = UInt64(texts.count)
        texts.append(contentsOf: text)
        return add(Entry(scope: scope, detail: UInt32(clamping: text.count), position: position, hash: hash), bucket)
    }

    /// The number for a place; a new one if it is not known.
    mutating func intern(parent: RecordID, key: StorageKeyID, index: UInt32) -> RecordID {
        let position = UInt64(parent.index) << 32 | UInt64(key.index)
        let hash = Self.mix(Self.mix(seed ^ position, 0xD6E8_FEB8_6659_FD93) ^ UInt64(index), 0xA076_1D64_78BD_642F)
        let mask = buckets.count &- 1
        var bucket = Int(truncatingIfNeeded: hash) & mask
        while buckets[bucket] != 0 {
            let entry = entries[Int(buckets[bucket] &- 1)]
            if entry.hash == hash, entry.scope == Self.place, entry.position == position, entry.detail == index {
                return RecordID(buckets[bucket] &- 1)
            }
            bucket = (bucket &+ 1) & mask
        }
        return add(Entry(scope: Self.place, detail: index, position: position, hash: hash), bucket)
    }

    private mutating func add(_ entry: Entry, _ bucket: Int) -> RecordID {
        let record = RecordID(UInt32(truncatingIfNeeded: entries.count))
        entries.append(entry)
        buckets[bucket] = record.index &+ 1
        if entries.count &* 2 > buckets.count { grow() }
        return record
    }

    private mutating func grow() {
        let mask = buckets.count &* 2 &- 1
        buckets = Array(repeating: 0, count: mask &+ 1)
        for (index, entry) in entries.enumerated() {
            var bucket = Int(truncatingIfNeeded: entry.hash) & mask
            while buckets[bucket] != 0 { bucket = (bucket &+ 1) & mask }
            buckets[bucket] = UInt32(truncatingIfNeeded: index) &+ 1
        }
    }

    // MARK: - Text

    /// What a number stands for.
    enum Identity {
        case text(String, scope: UInt32)
        case place(parent: RecordID, key: StorageKeyID, index: UInt32)
    }

    func identity(of record: RecordID) -> Identity? {
        let index = Int(record.index)
        guard index < entries.count else { return nil }
        let entry = entries[index]
        if entry.scope == Self.place {
            return .place(
                parent: RecordID(UInt32(entry.position >> 32)),
                key: StorageKeyID(index: UInt32(truncatingIfNeeded: entry.position)),
                index: entry.detail
            )
        }
        let start = Int(entry.position)
        return .text(String(decoding: texts[start..<start + Int(entry.detail)], as: UTF8.self), scope: entry.scope)
    }
}
