extension JSONCursor {
    /// A number of the document, as exactly as the type can hold it.
    enum Number {
        case int(Int)
        case double(Double)
    }

    /// Moves past a number. A number without fraction and exponent that fits 64 bits is an integer, except `-0`. A
    /// number beyond the range of a double is infinite; the readers of selected numbers refuse it.
    @inline(__always)
    mutating func number() throws(JSONFailure) -> Number {
        if let value = shortInteger() { return .int(value) }
        return try longNumber()
    }

    /// Moves past an integer of at most seven digits, as most integers are; nil if something else is next.
    @inline(__always)
    private mutating func shortInteger() -> Int? {
        let isNegative = next == 0x2D
        let start = isNegative ? position &+ 1 : position
        guard let word = word(at: start) else { return nil }
        let digits = word ^ 0x3030_3030_3030_3030
        let marks = Self.otherThanDigits(digits)
        let bits = UInt64(truncatingIfNeeded: marks.trailingZeroBitCount & 0x78)
        guard marks != 0, bits != 0 else { return nil }
        let after = UInt8(truncatingIfNeeded: word &>> bits)
        // The number has no fraction, no exponent and no leading zero, and is not `-0`.
        guard after == 0x2C || after == 0x7D || after == 0x5D, digits & 0xFF != 0 || bits == 8 && !isNegative else {
            return nil
        }
        position = start &+ Int(truncatingIfNeeded: bits &>> 3)
        let value = Int(truncatingIfNeeded: Self.number(digits &<< (64 &- bits)))
        return isNegative ? 0 &- value : value
    }

    /// Sets the high bit of each byte that is greater than nine. The result is exact up to the lowest such byte.
    @inline(__always)
    private static func otherThanDigits(_ digits: UInt64) -> UInt64 {
        (digits &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080
    }

    @inline(never)
    private mutating func longNumber() throws(JSONFailure) -> Number {
        let start = position
        var index = start
        let isNegative = next == 0x2D
        if isNegative { index &+= 1 }
        let first = index
        var magnitude: UInt64 = 0
        skipDigits(&index, adding: &magnitude)
        let digits = index &- first
        guard digits > 0 else {
            position = index
            throw isNegative ? failure("expected a digit") : failure("expected a value")
        }
        guard digits == 1 || byte(at: first) != 0x30 else {
            throw failure("a number does not start with 0", at: start)
        }
        let after = byte(at: index)
        if after != 0x2E, after != 0x65, after != 0x45, digits < 19, !isNegative || magnitude != 0 {
            position = index
            return .int(isNegative ? 0 &- Int(truncatingIfNeeded: magnitude) : Int(truncatingIfNeeded: magnitude))
        }
        return try unusualNumber(
            start: start, integerEnd: index, magnitude: magnitude, digits: digits, isNegative: isNegative)
    }

    @inline(never)
    private mutating func unusualNumber(
        start: Int, integerEnd: Int, magnitude: UInt64, digits: Int, isNegative: Bool
    ) throws(JSONFailure) -> Number {
        var index = integerEnd
        var mantissa = magnitude
        var significant = digits
        var scale = 0
        var isInteger = true
        if byte(at: index) == 0x2E {
            isInteger = false
            index &+= 1
            let first = index
            // Leading zeros change only the scale.
            if magnitude == 0, digits == 1 {
                while byte(at: index) == 0x30 { index &+= 1 }
                significant = first &- index
            }
            skipDigits(&index, adding: &mantissa)
            guard index > first else {
                position = index
                throw failure("expected a digit")
            }
            significant &+= index &- first
            scale = first &- index
        }
        if byte(at: index) | 0x20 == 0x65 {
            isInteger = false
            index &+= 1
            let isDown = byte(at: index) == 0x2D
            if isDown || byte(at: index) == 0x2B { index &+= 1 }
            let first = index
            var exponent = 0
            while true {
                let digit = byte(at: index) &- 0x30
                guard digit < 10 else { break }
                if exponent < 100_000 { exponent = exponent &* 10 &+ Int(digit) }
                index &+= 1
            }
            guard index > first else {
                position = index
                throw failure("expected a digit")
            }
            scale &+= isDown ? 0 &- exponent : exponent
        }
        position = index
        if isInteger, magnitude != 0 || !isNegative, let value = Int(text(start..<index)) { return .int(value) }
        if significant <= 19, let value = Self.double(mantissa, scale) { return .double(isNegative ? -value : value) }
        return .double(Double(text(start..<index)) ?? .nan)
    }

    /// Returns the double nearest to `mantissa` times ten to the power of `scale`; the even one of two equally near
    /// doubles. Returns nil if the result cannot be decided from the bits at hand.
    @inline(__always)
    static func double(_ mantissa: UInt64, _ scale: Int) -> Double? {
        // If the mantissa and the power of ten are both exact doubles, their quotient or product is rounded correctly.
        if mantissa < 1 << 53, scale >= -22, scale <= 22 {
            let power = powersOfTen[abs(scale)]
            return scale < 0 ? Double(mantissa) / power : Double(mantissa) * power
        }
        if mantissa == 0 { return 0 }
        guard DecimalPower.range.contains(scale) else { return nil }
        return scaled(mantissa, scale)
    }

    /// Multiplies by the 128 bits of a power of ten and keeps 53 bits of the product (benchmark `shape.floats`).
    private static func scaled(_ mantissa: UInt64, _ scale: Int) -> Double? {
        let zeros = mantissa.leadingZeroBitCount
        let power = DecimalPower(scale)
        let factor = mantissa &<< UInt64(truncatingIfNeeded: zeros)
        let top = factor.multipliedFullWidth(by: power.high)
        let rest = factor.multipliedFullWidth(by: power.low)
        let (middle, carries) = top.low.addingReportingOverflow(rest.high)
        let high = top.high &+ (carries ? 1 : 0)
        // The bits cut off the power amount to more than nothing and less than one in `middle`.
        let isExact = DecimalPower.exact.contains(scale)
        if !isExact, middle == .max { return nil }
        let cut: UInt64 = high >> 63 == 1 ? 11 : 10
        var bits = high &>> cut
        let half: UInt64 = 1 &<< (cut &- 1)
        let remainder = high & ((1 &<< cut) &- 1)
        let isTie = isExact && remainder == half && middle == 0 && rest.low == 0
        if isTie ? bits & 1 == 1 : remainder >= half { bits &+= 1 }
        // These scales give values far from the least and the greatest doubles. A carry into the next power of two also
        // carries into the exponent.
        let exponent = Int(truncatingIfNeeded: cut) &- zeros &+ DecimalPower.highestBit(scale) &+ 1 &+ 1075
        return Double(bitPattern: UInt64(truncatingIfNeeded: exponent) &<< 52 &+ (bits &- 1 &<< 52))
    }

    /// Moves past digits and appends them to a number, which wraps around beyond 64 bits.
    @inline(__always)
    private func skipDigits(_ index: inout Int, adding number: inout UInt64) {
        while let word = word(at: index) {
            let digits = word ^ 0x3030_3030_3030_3030
            let marks = Self.otherThanDigits(digits)
            if marks == 0 {
                number = number &* 100_000_000 &+ Self.number(digits)
                index &+= 8
                continue
            }
            let count = marks.trailingZeroBitCount &>> 3
            if count == 0 { return }
            // Zeros fill the places before the first digit.
            let own = digits &<< UInt64(truncatingIfNeeded: (8 &- count) &* 8)
            number = number &* Self.powers[count] &+ Self.number(own)
            index &+= count
            return
        }
        while true {
            let digit = byte(at: index) &- 0x30
            guard digit < 10 else { return }
            number = number &* 10 &+ UInt64(digit)
            index &+= 1
        }
    }

    /// Returns the number that eight digits form; the first digit is in the lowest bits.
    @inline(__always)
    private static func number(_ digits: UInt64) -> UInt64 {
        let pairs = (digits &* 10 &+ digits &>> 8) & 0x00FF_00FF_00FF_00FF
        let quads = (pairs &* 100 &+ pairs &>> 16) & 0x0000_FFFF_0000_FFFF
        return (quads &* 10_000 &+ quads &>> 32) & 0xFFFF_FFFF
    }

    /// Moves past a number of any size without computing its value.
    @inline(__always)
    mutating func skipNumber() throws(JSONFailure) {
        let start = position
        if next == 0x2D { position &+= 1 }
        let isZero = next == 0x30
        let isPositive = position == start
        guard skipDigits() else { throw isPositive ? failure("expected a value") : failure("expected a digit") }
        guard !isZero || position &- start == (isPositive ? 1 : 2) else {
            throw failure("a number does not start with 0", at: start)
        }
        if next == 0x2E {
            position &+= 1
            guard skipDigits() else { throw failure("expected a digit") }
        }
        if next | 0x20 == 0x65 {
            position &+= 1
            if next == 0x2D || next == 0x2B { position &+= 1 }
            guard skipDigits() else { throw failure("expected a digit") }
        }
    }

    /// Moves past digits; returns false if there is none.
    @inline(__always)
    private mutating func skipDigits() -> Bool {
        let start = position
        while next &- 0x30 < 10 { position &+= 1 }
        return position > start
    }

    private static let powers: [UInt64] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000]
    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
