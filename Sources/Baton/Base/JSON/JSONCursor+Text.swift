extension JSONCursor {
    /// The text of a string.
    @inline(__always)
    func text(_ token: StringToken) -> String {
        token.hasEscapes ? unescapedText(token) : text(token.range)
    }

    @inline(never)
    private func unescapedText(_ token: StringToken) -> String {
        // The text with its escapes replaced is shorter than the bytes.
        String(unsafeUninitializedCapacity: token.end - token.start) { buffer in
            var count = 0
            unescape(token) { run in
                let run = UnsafeRawBufferPointer(rebasing: run.prefix(buffer.count - count))
                UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                    .copyMemory(from: run)
                count += run.count
                return true
            }
            return count
        }
    }

    /// Returns the bytes of a string with its escapes replaced.
    func unescaped(_ token: StringToken) -> [UInt8] {
        guard token.hasEscapes else { return bytes(token.range) }
        var result: [UInt8] = []
        result.reserveCapacity(token.end - token.start)
        unescape(token) { run in
            result.append(contentsOf: run)
            return true
        }
        return result
    }

    /// Returns true if the string has the same bytes as the text.
    @inline(__always)
    func isEqual(_ token: StringToken, _ text: String) -> Bool {
        let length = token.end &- token.start
        let count = text.utf8.count
        if token.hasEscapes ? count > length : count != length { return false }
        let result = text.utf8.withContiguousStorageIfAvailable { other in
            let other = UnsafeRawBufferPointer(other)
            return token.hasEscapes ? isEqualUnescaped(token, other) : hasBytes(other, at: token.start)
        }
        return result ?? text.utf8.elementsEqual(unescaped(token))
    }

    /// Returns true if the bytes of a range, which contains no escape, are the text.
    @inline(__always)
    func hasText(_ text: String, at range: Range<Int>) -> Bool {
        isEqual(StringToken(start: range.lowerBound, end: range.upperBound, hasEscapes: false), text)
    }

    @inline(never)
    private func isEqualUnescaped(_ token: StringToken, _ other: UnsafeRawBufferPointer) -> Bool {
        var count = 0
        let isEqual = unescape(token) { run in
            guard run.count <= other.count - count else { return false }
            let start = count
            count += run.count
            return run.elementsEqual(other[start..<count])
        }
        return isEqual && count == other.count
    }

    /// Passes the bytes of a string to `take` in runs, with escapes replaced, until `take` returns false. Returns false
    /// if `take` did.
    @inline(__always)
    @discardableResult
    private func unescape(_ token: StringToken, _ take: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        var index = token.start
        while index < token.end {
            let start = index
            index = firstBackslash(from: index, to: token.end)
            if index > start, !take(run(start..<index)) { return false }
            guard index < token.end else { break }
            let escape = escape(at: index)
            index = escape.end
            let isTaken = withUnsafeBytes(of: escape.bytes.littleEndian) {
                take(UnsafeRawBufferPointer(rebasing: $0[..<escape.count]))
            }
            if !isTaken { return false }
        }
        return true
    }

    @inline(__always)
    private func firstBackslash(from start: Int, to end: Int) -> Int {
        var index = start
        while index < end {
            if let word = word(at: index) {
                let ones: UInt64 = 0x0101_0101_0101_0101
                let slashed = word ^ (ones &* 0x5C)
                let marks = (slashed &- ones) & ~slashed & (ones &* 0x80)
                if marks == 0 {
                    index &+= 8
                    continue
                }
                return min(index &+ marks.trailingZeroBitCount >> 3, end)
            }
            if byte(at: index) == 0x5C { return index }
            index &+= 1
        }
        return end
    }

    /// The character of an escape in UTF-8; the first byte is in the lowest bits.
    struct Escape {
        let bytes: UInt32
        let count: Int
        /// The position after the escape.
        let end: Int
    }

    /// Returns the escape at a backslash. The escape must have been checked.
    func escape(at index: Int) -> Escape {
        let kind = byte(at: index &+ 1)
        switch kind {
        case 0x62: return Escape(bytes: 0x08, count: 1, end: index &+ 2)
        case 0x66: return Escape(bytes: 0x0C, count: 1, end: index &+ 2)
        case 0x6E: return Escape(bytes: 0x0A, count: 1, end: index &+ 2)
        case 0x72: return Escape(bytes: 0x0D, count: 1, end: index &+ 2)
        case 0x74: return Escape(bytes: 0x09, count: 1, end: index &+ 2)
        case 0x75:
            var scalar = hexadecimal(at: index &+ 2) ?? 0xFFFD
            var end = index &+ 6
            if let low = lowSurrogate(after: scalar, at: end) {
                scalar = 0x10000 &+ (scalar & 0x3FF) << 10 &+ (low & 0x3FF)
                end &+= 6
            }
            // Half of a surrogate pair is no scalar.
            let encoded = UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}")
            var bytes: UInt32 = 0
            var count = 0
            for byte in encoded ?? UTF8.encodedReplacementCharacter {
                bytes |= UInt32(byte) << UInt32(truncatingIfNeeded: count &* 8)
                count &+= 1
            }
            return Escape(bytes: bytes, count: count, end: end)
        default: return Escape(bytes: UInt32(kind), count: 1, end: index &+ 2)
        }
    }
}
