// Data IDs in the bytes of a response.

extension RecordNumbers {
    /// Returns the number of a text, which is added if it is unknown.
    @inline(__always)
    mutating func intern(_ text: IDText, in cursor: borrowing JSONCursor) -> RecordID {
        if text.length > 16 { return internLong(text, in: cursor, adding: true) ?? .none }
        let (first, second) = text.firstWords(in: cursor)
        return internShort(first, second, length: text.length, scope: Self.text, adding: true) ?? .none
    }

    /// Returns the number of a text; nil if it is unknown.
    mutating func find(_ text: IDText, in cursor: borrowing JSONCursor) -> RecordID? {
        if text.length > 16 { return internLong(text, in: cursor, adding: false) }
        let (first, second) = text.firstWords(in: cursor)
        return internShort(first, second, length: text.length, scope: Self.text, adding: false)
    }

    /// Returns the number of a text; nil if the text is unknown and `adding` is false.
    mutating func intern(_ text: [UInt8], adding: Bool = true) -> RecordID? {
        JSONCursor.reading(text) { cursor in
            let text = IDText(prefix: .none, range: 0..<text.count)
            if text.length > 16 { return internLong(text, in: cursor, adding: adding) }
            let (first, second) = text.firstWords(in: cursor)
            return internShort(first, second, length: text.length, scope: Self.text, adding: adding)
        }
    }

    /// Appends the numbers of texts to a list.
    ///
    /// The first step reads the bucket of each text, and the second compares the bucket's record with the text. Only
    /// texts that differ are searched. The loads of one step do not depend on each other, so they overlap.
    mutating func intern(_ texts: [IDText], in cursor: borrowing JSONCursor, into records: inout [RecordID]) {
        let first = records.count
        let mask = buckets.count &- 1
        for text in texts {
            // A free bucket gives a number that is compared like any other.
            records.append(record(at: buckets[Int(truncatingIfNeeded: hash(text, in: cursor)) & mask] &- 1))
        }
        for (offset, text) in texts.enumerated() where !isText(records[first &+ offset], text, in: cursor) {
            records[first &+ offset] = intern(text, in: cursor)
        }
    }

    @inline(__always)
    private func hash(_ text: IDText, in cursor: borrowing JSONCursor) -> UInt64 {
        if text.length > 16 { return longHash(text, in: cursor) }
        let (first, second) = text.firstWords(in: cursor)
        return hash(first, second, length: text.length, scope: Self.text)
    }

    private func longHash(_ text: IDText, in cursor: borrowing JSONCursor) -> UInt64 {
        var hash = start(Self.text, text.length)
        for index in 0..<text.wordCount { hash = Self.mix(hash ^ text.word(index, in: cursor), Self.multiplier) }
        return hash
    }

    private mutating func internLong(_ text: IDText, in cursor: borrowing JSONCursor, adding: Bool) -> RecordID? {
        let hash = longHash(text, in: cursor)
        if let base, let known = base.numbers.findLong(text, in: cursor, hash: hash) { return known }
        let mask = buckets.count &- 1
        var bucket = Int(truncatingIfNeeded: hash) & mask
        while buckets[bucket] != 0 {
            let entry = entries[Int(buckets[bucket] &- 1)]
            if entry.second == hash, entry.scope == Self.text, Int(entry.detail) == text.length,
                hasWords(entry, text, in: cursor)
            {
                return record(at: buckets[bucket] &- 1)
            }
            bucket = (bucket &+ 1) & mask
        }
        return adding ? addLong(text, cursor, hash: hash, bucket) : nil
    }

    /// Returns the number of a long text; nil if it is unknown.
    private func findLong(_ text: IDText, in cursor: borrowing JSONCursor, hash: UInt64) -> RecordID? {
        let mask = buckets.count &- 1
        var bucket = Int(truncatingIfNeeded: hash) & mask
        while buckets[bucket] != 0 {
            let entry = entries[Int(buckets[bucket] &- 1)]
            if entry.second == hash, entry.scope == Self.text, Int(entry.detail) == text.length,
                hasWords(entry, text, in: cursor)
            {
                return record(at: buckets[bucket] &- 1)
            }
            bucket = (bucket &+ 1) & mask
        }
        return base?.numbers.findLong(text, in: cursor, hash: hash)
    }

    /// Returns true if a number has this text. The check costs less than a lookup.
    @inline(__always)
    func isText(_ record: RecordID, _ text: IDText, in cursor: borrowing JSONCursor) -> Bool {
        let index = position(of: record)
        guard index < entries.count else { return false }
        if index < 0 { return base?.numbers.isText(record, text, in: cursor) ?? false }
        let entry = entries[index]
        guard entry.scope == Self.text, Int(entry.detail) == text.length else { return false }
        if text.length > 16 { return hasWords(entry, text, in: cursor) }
        let (first, second) = text.firstWords(in: cursor)
        return entry.first == first && entry.second == second
    }

    private func hasWords(_ entry: Entry, _ text: IDText, in cursor: borrowing JSONCursor) -> Bool {
        let start = Int(entry.first)
        for index in 0..<text.wordCount where words[start &+ index] != text.word(index, in: cursor) { return false }
        return true
    }

    /// Returns the position after the quote if the response has the text of a record, without its prefix, at `start`;
    /// otherwise nil.
    @inline(__always)
    func endOfText(
        _ record: RecordID, after prefix: IDPrefix, _ cursor: borrowing JSONCursor, at start: Int
    ) -> Int? {
        let index = position(of: record)
        if index < 0 { return base?.numbers.endOfText(record, after: prefix, cursor, at: start) }
        guard index < entries.count, entries[index].scope == Self.text else { return nil }
        let length = Int(entries[index].detail) &- prefix.count
        guard length >= 0 else { return nil }
        let end = start &+ length
        // A text that contains an escape is not found this way.
        guard cursor.byte(at: end) == 0x22,
            isText(record, IDText(prefix: prefix, range: start..<end), in: cursor)
        else { return nil }
        var offset = 0
        while offset < length {
            let word = cursor.word(at: start &+ offset, before: end)
            if JSONCursor.syntaxBytes(word | Self.filler(length &- offset)) != 0 { return nil }
            offset &+= 8
        }
        return end &+ 1
    }

    /// Returns bits that turn the zeros after `length` bytes of a text into plain characters.
    @inline(__always)
    static func filler(_ length: Int) -> UInt64 {
        length >= 8 ? 0 : 0x2020_2020_2020_2020 &<< UInt64(truncatingIfNeeded: length &* 8)
    }
}
