extension JSONCursor {
    /// The content of a string literal, as a range of the bytes.
    struct StringToken {
        let start: Int
        let end: Int
        let hasEscapes: Bool

        @inline(__always)
        var range: Range<Int> { start..<end }
    }

    /// Moves past a string and checks its escapes, control characters and UTF-8.
    @inline(__always)
    mutating func string() throws(JSONFailure) -> StringToken {
        guard next == 0x22 else { throw failure("expected a string") }
        let start = position &+ 1
        var index = start
        // Eight bytes are checked at a time, up to the first byte that is not plain: a quote, a backslash, a control
        // character or a byte outside ASCII.
        while let word = word(at: index) {
            let marks = Self.unusualBytes(word)
            if marks == 0 {
                index &+= 8
                continue
            }
            index &+= marks.trailingZeroBitCount >> 3
            break
        }
        if byte(at: index) == 0x22 {
            position = index &+ 1
            return StringToken(start: start, end: index, hasEscapes: false)
        }
        return try unusualString(start: start, from: index)
    }

    /// Sets the high bit of each byte that is below 0x20, above 0x7F, a quote or a backslash. The result is exact up to
    /// the lowest such byte.
    @inline(__always)
    static func unusualBytes(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let control = (word &- ones &* 0x20) & ~word
        let quoted = word ^ (ones &* 0x22)
        let quote = (quoted &- ones) & ~quoted
        let slashed = word ^ (ones &* 0x5C)
        let slash = (slashed &- ones) & ~slashed
        return (control | quote | slash | word) & highs
    }

    @inline(never)
    private mutating func unusualString(start: Int, from first: Int) throws(JSONFailure) -> StringToken {
        var index = first
        var hasEscapes = false
        while true {
            while let word = word(at: index) {
                let marks = Self.unusualBytes(word)
                if marks == 0 {
                    index &+= 8
                    continue
                }
                index &+= marks.trailingZeroBitCount >> 3
                break
            }
            let byte = byte(at: index)
            switch byte {
            case 0x22:
                position = index &+ 1
                return StringToken(start: start, end: index, hasEscapes: hasEscapes)
            case 0x5C:
                hasEscapes = true
                let start = index
                let escape = try checkEscape(at: index)
                index = escape.end
                if escape.isLoneSurrogate { noteLoneSurrogate(at: start) }
            case 0x80...:
                index = try checkCharacter(at: index)
            case 0..<0x20:
                if index >= count {
                    position = count
                    throw failure("expected '\"'")
                }
                throw failure("a control character in a string must be escaped", at: index)
            default: index &+= 1
            }
        }
    }

    /// Checks an escape such as `\n`, `\u0041` or `\ud83d\ude00` and returns the position after it. Half of a surrogate
    /// pair is a whole escape, as in the grammar of JSON.
    func checkEscape(at index: Int) throws(JSONFailure) -> (end: Int, isLoneSurrogate: Bool) {
        switch byte(at: index &+ 1) {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: return (index &+ 2, false)
        case 0x75:
            guard let unit = hexadecimal(at: index &+ 2) else { throw failure("expected four digits", at: index) }
            if unit & 0xF800 != 0xD800 { return (index &+ 6, false) }
            guard lowSurrogate(after: unit, at: index &+ 6) != nil else { return (index &+ 6, true) }
            return (index &+ 12, false)
        default: throw failure("unknown escape", at: index)
        }
    }

    /// Returns the second half of a surrogate pair from the escape at a position; nil if `unit` is no first half or no
    /// second half follows.
    func lowSurrogate(after unit: UInt32, at index: Int) -> UInt32? {
        guard unit & 0xFC00 == 0xD800, byte(at: index) == 0x5C, byte(at: index &+ 1) == 0x75,
            let low = hexadecimal(at: index &+ 2), low & 0xFC00 == 0xDC00
        else { return nil }
        return low
    }

    func hexadecimal(at index: Int) -> UInt32? {
        var value: UInt32 = 0
        for offset in 0..<4 {
            let byte = byte(at: index &+ offset)
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte &- 0x30
            case 0x41...0x46: digit = byte &- 0x37
            case 0x61...0x66: digit = byte &- 0x57
            default: return nil
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    /// Checks one character of two to four bytes (RFC 3629, section 4) and returns the position after it.
    @inline(__always)
    private func checkCharacter(at index: Int) throws(JSONFailure) -> Int {
        let first = byte(at: index)
        let second = byte(at: index &+ 1)
        let lower: UInt8
        let upper: UInt8
        let length: Int
        switch first {
        case 0xC2...0xDF: (length, lower, upper) = (2, 0x80, 0xBF)
        case 0xE0: (length, lower, upper) = (3, 0xA0, 0xBF)
        case 0xED: (length, lower, upper) = (3, 0x80, 0x9F)
        case 0xE1...0xEF: (length, lower, upper) = (3, 0x80, 0xBF)
        case 0xF0: (length, lower, upper) = (4, 0x90, 0xBF)
        case 0xF1...0xF3: (length, lower, upper) = (4, 0x80, 0xBF)
        case 0xF4: (length, lower, upper) = (4, 0x80, 0x8F)
        default: throw failure("invalid UTF-8", at: index)
        }
        guard second >= lower, second <= upper,
            length < 3 || byte(at: index &+ 2) & 0xC0 == 0x80,
            length < 4 || byte(at: index &+ 3) & 0xC0 == 0x80
        else { throw failure("invalid UTF-8", at: index) }
        return index &+ length
    }
}
