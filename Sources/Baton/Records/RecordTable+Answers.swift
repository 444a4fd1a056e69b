// Data IDs as they stand in the bytes of an answer.

extension RecordTable {
    /// The number for a text; a new one if it is not known.
    @inline(__always)
    mutating func intern(_ text: IDText, in cursor: borrowing JSONCursor) -> RecordID {
        if text.length > 16 { return internLong(text, in: cursor, adding: true) ?? .none }
        let (first, second) = text.firstWords(in: cursor)
        return internShort(first, second, length: text.length, scope: Self.text, adding: true) ?? .none
    }

    /// The number for a text; nil if it is not known.
    mutating func find(_ text: IDText, in cursor: borrowing JSONCursor) -> RecordID? {
        if text.length > 16 { return internLong(text, in: cursor, adding: false) }
        let (first, second) = text.firstWords(in: cursor)
        return internShort(first, second, length: text.length, scope: Self.text, adding: false)
    }

    /// The number for a text; nil if it is not known and not to be added.
    mutating func intern(_ text: [UInt8], adding: Bool = true) -> RecordID? {
        JSONCursor.reading(text) { cursor in
            let text = IDText(prefix: .none, range: 0..<text.count)
            if text.length > 16 { return internLong(text, in: cursor, adding: adding) }
            let (first, second) = text.firstWords(in: cursor)
            return internShort(first, second, length: text.length, scope: Self.text, adding: adding)
        }
    }

    /// Adds the numbers for texts to a list.
    ///
    /// First what stands in the bucket of each, then whether that is it, and only what is neither is searched: the
    /// loads of one step wait for nothing, so that they overlap.
    mutating func intern(_ texts: [IDText], in cursor: borrowing JSONCursor, into records: inout [RecordID]) {
        let first = records.count
        let mask = buckets.count &- 1
        for text in texts {
            // A free bucket gives `RecordID.none`.
            records.append(RecordID(buckets[Int(truncatingIfNeeded: hash(text, in: cursor)) & mask] &- 1))
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
        let mask = buckets.count &- 1
        var bucket = Int(truncatingIfNeeded: hash) & mask
        while buckets[bucket] != 0 {
            let entry = entries[Int(buckets[bucket] &- 1)]
            if entry.second == hash, entry.scope == Self.text, Int(entry.detail) == text.length,
                hasWords(entry, text, in: cursor)
            {
                return RecordID(buckets[bucket] &- 1)
            }
            bucket = (bucket &+ 1) & mask
        }
        return adding ? addLong(text, cursor, hash: hash, bucket) : nil
    }

    /// Says whether a number stands for a text: cheaper than to look it up.
    @inline(__always)
    func isText(_ record: RecordID, _ text: IDText, in cursor: borrowing JSONCursor) -> Bool {
        let index = Int(record.index)
        guard index < entries.count else { return false }
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

    /// The position after the quote that ends the text for which a number stands, without what stands before it; nil if
    /// something else stands in the answer.
    @inline(__always)
    func endOfText(
        _ record: RecordID, after prefix: IDPrefix, _ cursor: borrowing JSONCursor, at start: Int
    ) -> Int? {
        let index = Int(record.index)
        guard index < entries.count, entries[index].scope == Self.text else { return nil }
        let length = Int(entries[index].detail) &- prefix.count
        guard length >= 0 else { return nil }
        let end = start &+ length
        // Text that has to be escaped is not found like this.
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

    /// Bits that make plain characters of the zeros after so many bytes of a text.
    @inline(__always)
    static func filler(_ length: Int) -> UInt64 {
        length >= 8 ? 0 : 0x2020_2020_2020_2020 &<< UInt64(truncatingIfNeeded: length &* 8)
    }
}
