extension JSONCursor {
    /// Moves past a string and returns true if the string equals the text; otherwise returns false and stays. The
    /// comparison also checks the string.
    @inline(__always)
    mutating func skip(_ text: borrowing String) -> Bool {
        guard next == 0x22 else { return false }
        let start = position &+ 1
        let cursor = self
        let found = text.utf8.withContiguousStorageIfAvailable {
            cursor.end(of: UnsafeRawBufferPointer($0), from: start)
        }
        guard let end = found ?? nil else { return false }
        position = end
        return true
    }

    /// Returns the position after the quote if the text and a quote stand at `start`; otherwise nil.
    @inline(__always)
    private func end(of text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let count = text.count
        var offset = 0
        while offset &+ 8 <= count, let word = word(at: start &+ offset) {
            let theirs = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            guard word == theirs, Self.syntaxBytes(word) == 0 else {
                return endUnescaped(of: text, from: start &+ offset, offset)
            }
            offset &+= 8
        }
        let rest = count &- offset
        if rest < 8, let word = word(at: start &+ offset) {
            let bits = UInt64(truncatingIfNeeded: rest &* 8)
            let mask = (1 as UInt64) &<< bits &- 1
            if (word ^ Self.tail(text, rest)) & mask == 0, Self.syntaxBytes(word) & mask == 0,
                UInt8(truncatingIfNeeded: word &>> bits) == 0x22
            {
                return start &+ count &+ 1
            }
        }
        return endUnescaped(of: text, from: start &+ offset, offset)
    }

    /// Returns the last `rest` bytes of a text, fewer than eight, in the byte order of `word`.
    @inline(__always)
    private static func tail(_ text: UnsafeRawBufferPointer, _ rest: Int) -> UInt64 {
        let count = text.count
        if rest == 0 { return 0 }
        if count >= 8 {
            let last = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
            return last &>> UInt64(truncatingIfNeeded: (8 &- rest) &* 8)
        }
        if count >= 4 {
            let first = UInt32(littleEndian: text.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
            let last = UInt32(littleEndian: text.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            return UInt64(first) | UInt64(last) &<< UInt64(truncatingIfNeeded: (count &- 4) &* 8)
        }
        var word = UInt64(text[0])
        word |= UInt64(text[count &>> 1]) &<< UInt64(truncatingIfNeeded: (count &>> 1) &* 8)
        word |= UInt64(text[count &- 1]) &<< UInt64(truncatingIfNeeded: (count &- 1) &* 8)
        return word
    }

    /// Sets the high bit of each byte that must be escaped: below 0x20, a quote, a backslash. The result is exact up to
    /// the lowest such byte.
    @inline(__always)
    static func syntaxBytes(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let control = (word &- ones &* 0x20) & ~word
        let quoted = word ^ (ones &* 0x22)
        let quote = (quoted &- ones) & ~quoted
        let slashed = word ^ (ones &* 0x5C)
        let slash = (slashed &- ones) & ~slashed
        return (control | quote | slash) & (ones &* 0x80)
    }

    /// Continues the comparison where there may be an escape. A string that equals a text is valid UTF-8, so the bytes
    /// need no check.
    @inline(never)
    private func endUnescaped(of text: UnsafeRawBufferPointer, from start: Int, _ first: Int) -> Int? {
        var index = start
        var offset = first
        while true {
            let byte = byte(at: index)
            if byte == 0x5C {
                // Half of a surrogate pair is no character. The slow way reads it and notes it.
                guard let (end, isLoneSurrogate) = try? checkEscape(at: index), !isLoneSurrogate else { return nil }
                let escape = escape(at: index)
                guard offset &+ escape.count <= text.count else { return nil }
                for position in 0..<escape.count
                where text[offset &+ position] != UInt8(truncatingIfNeeded: escape.bytes &>> UInt32(position &* 8)) {
                    return nil
                }
                index = end
                offset &+= escape.count
                while offset &+ 8 <= text.count, let word = word(at: index),
                    word == UInt64(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
                    Self.syntaxBytes(word) == 0
                {
                    index &+= 8
                    offset &+= 8
                }
                continue
            }
            if offset == text.count { return byte == 0x22 ? index &+ 1 : nil }
            guard byte >= 0x20, byte != 0x22, byte == text[offset] else { return nil }
            index &+= 1
            offset &+= 1
        }
    }
}
