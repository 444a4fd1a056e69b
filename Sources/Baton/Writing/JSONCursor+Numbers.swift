extension JSONCursor {
    /// A number as far as it can be kept exactly.
    enum Number {
        case int(Int)
        case double(Double)
    }

    /// Moves past a number. One without fraction and exponent that fits 64 bits is an integer (but `-0` is not); one beyond the range of
    /// a double is infinite, which its readers refuse where a number is selected.
    @inline(__always)
    mutating func number() throws(JSONFailure) -> Number {
        let start = position
        var index = start
        let isNegative = next == 0x2D
        if isNegative { index &+= 1 }
        let first = index
        var magnitude: UInt64 = 0
        while true {
            let digit = byte(at: index) &- 0x30
            guard digit < 10 else { break }
            magnitude = magnitude &* 10 &+ UInt64(digit)
            index &+= 1
        }
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
            while true {
                let digit = byte(at: index) &- 0x30
                guard digit < 10 else { break }
                mantissa = mantissa &* 10 &+ UInt64(digit)
                index &+= 1
            }
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
        // A mantissa and a power of ten that are both exact doubles give the correctly rounded quotient or product.
        if significant < 19, mantissa < 1 << 53, scale >= -22, scale <= 22 {
            let power = Self.powersOfTen[abs(scale)]
            let value = scale < 0 ? Double(mantissa) / power : Double(mantissa) * power
            return .double(isNegative ? -value : value)
        }
        return .double(Double(text(start..<index)) ?? .nan)
    }

    /// Moves past a number of any size, which nobody wants to know.
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

    /// Moves past digits; false if there is none.
    @inline(__always)
    private mutating func skipDigits() -> Bool {
        let start = position
        while next &- 0x30 < 10 { position &+= 1 }
        return position > start
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
