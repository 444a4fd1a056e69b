// The identities of numbers as text.

extension RecordNumbers {
    /// The identity of a number.
    enum Identity {
        case text(String)
        case place(parent: RecordID, key: StorageKeyID, index: UInt32)
    }

    /// Returns the parent of a place; nil for a text.
    func parent(of record: RecordID) -> RecordID? {
        let index = position(of: record)
        if index < 0 { return base?.numbers.parent(of: record) }
        guard index < entries.count, entries[index].scope == Self.place else { return nil }
        return RecordID(UInt32(entries[index].first >> 32))
    }

    /// Returns the place of a number; nil for a text.
    func place(of record: RecordID) -> (parent: RecordID, key: StorageKeyID, index: UInt32)? {
        let index = position(of: record)
        if index < 0 { return base?.numbers.place(of: record) }
        guard let parent = parent(of: record) else { return nil }
        let entry = entries[index]
        return (parent, StorageKeyID(index: UInt32(truncatingIfNeeded: entry.first)), entry.detail)
    }

    /// Prints the text of a record as JSON; an empty text if the record has none.
    func printText(of record: RecordID, into printer: inout JSONPrinter) {
        let index = position(of: record)
        if index < 0, let base { return base.numbers.printText(of: record, into: &printer) }
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
        let index = position(of: record)
        if index < 0 { return base?.numbers.identity(of: record) }
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

    /// Calls `body` with each byte of a record's text. Returns false for a record that has no text.
    func forEachByte(ofText record: RecordID, _ body: (UInt8) -> Void) -> Bool {
        let index = position(of: record)
        if index < 0 { return base?.numbers.forEachByte(ofText: record, body) ?? false }
        guard index < entries.count, entries[index].scope == Self.text else { return false }
        let entry = entries[index]
        let isShort = entry.detail <= 16
        for offset in 0..<Int(entry.detail) {
            let word = isShort ? (offset < 8 ? entry.first : entry.second) : words[Int(entry.first) + offset / 8]
            body(UInt8(truncatingIfNeeded: word >> UInt64(offset % 8 * 8)))
        }
        return true
    }

    /// Returns the text of a record without its first bytes; nil if the record has no text or a shorter one.
    func text(of record: RecordID, droppingFirst count: Int) -> String? {
        let index = position(of: record)
        if index < 0 { return base?.numbers.text(of: record, droppingFirst: count) }
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
