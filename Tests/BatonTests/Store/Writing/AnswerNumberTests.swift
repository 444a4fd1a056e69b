import Foundation
import RandomCases
import Testing

@testable import Baton

/// Numbers in answers become the same doubles that the toolchain makes of their text, to the last bit.
@Suite struct AnswerNumberTests {
    private static func number(_ text: String) -> Double? {
        try? JSONCursor.read(Array(text.utf8)) { (cursor) throws(JSONFailure) -> Double in
            let number = try cursor.number()
            try cursor.expectEnd()
            switch number {
            case .int(let value): return Double(value)
            case .double(let value): return value
            }
        }
    }

    /// Returns the texts whose number differs from the toolchain's, at the end of a body or before other text.
    private static func wrong(_ texts: some Sequence<String>) -> [String] {
        texts.filter { text in
            let expected = Double(text)?.bitPattern
            return number(text)?.bitPattern != expected || number("\(text)        ")?.bitPattern != expected
        }
    }

    @Test func shortestTextsOfRandomDoublesAreReadBack() {
        var random = SeededGenerator(seed: 17)
        let texts = (0..<4_000).map { _ -> String in
            var value = Double(bitPattern: random.next())
            // Numbers of all magnitudes, with more of the usual ones.
            if Bool.random(using: &random) || !value.isFinite {
                value =
                    Double.random(in: -1...1, using: &random)
                    * pow(10, Double(Int.random(in: -25...25, using: &random)))
            }
            return "\(value)"
        }
        #expect(Self.wrong(texts) == [])
    }

    @Test func randomDigitsAndExponentsAreRounded() {
        var random = SeededGenerator(seed: 18)
        let texts = (0..<6_000).map { _ -> String in
            let count = Int.random(in: 1...24, using: &random)
            var digits = (0..<count).map { _ in "\(Int.random(in: 0...9, using: &random))" }
            if digits[0] == "0" { digits[0] = "1" }
            let sign = Bool.random(using: &random) ? "-" : ""
            let exponent = "e\(Int.random(in: -90...90, using: &random))"
            switch Int.random(in: 0...3, using: &random) {
            case 0: return sign + digits.joined() + exponent
            case 1: return sign + digits[0] + "." + (digits.dropFirst() + ["0"]).joined() + exponent
            case 2: return sign + "0." + String(repeating: "0", count: count / 2) + digits.joined()
            default: return sign + digits.joined() + ".5"
            }
        }
        #expect(Self.wrong(texts) == [])
    }

    /// Numbers exactly between two doubles, and numbers as near to the middle as their digits allow.
    @Test func numbersHalfwayBetweenDoublesAreRounded() {
        var random = SeededGenerator(seed: 19)
        var texts: [String] = []
        for _ in 0..<400 {
            let mantissa = UInt64.random(in: 1 << 52..<1 << 53, using: &random)
            let halfway = mantissa * 2 + 1
            for near in [halfway - 1, halfway, halfway + 1] {
                texts += [
                    "\(near)", "\(near).0", "\(near)e0", "\(near)00e-2", "\(near * 4)", "\(near)e3", "\(near)e25",
                ]
                // An odd number times a negative power of two, written out.
                texts += ["\(near * 5)e-1", "\(near * 25)e-2", "\(near * 125)e-3", "\(near * 625)e-4"]
            }
        }
        #expect(Self.wrong(texts) == [])
    }

    @Test(arguments: [
        "0.0", "-0.0", "0e9", "-0.000000000000000000000000000000", "0.1", "1e22", "1e23", "9007199254740993",
        "9007199254740993.0", "9007199254740992.5", "4503599627370497.5", "1e-64", "1e64", "1e65", "1e-65",
        "9999999999999999999e64", "9999999999999999999e-64", "18446744073709551615.0", "18446744073709551616.0",
        "99999999999999999999.0", "2.2250738585072014e-308", "5e-324", "1.7976931348623157e308", "1e400", "1e-400",
        "8.5e-5", "0.00000000000000000000000000000000123456789012345678", "1.00000000000000011102230246251565",
        "123456789012345678901234567890e-10", "12345678", "1234567890123456789", "0.3333333333333333",
        "6.631236846766476e-316", "7205759403792793199999e-5", "100000000.0000000000000001",
    ])
    func hardNumbersAreReadLikeTheToolchainDoes(_ text: String) {
        #expect(Self.wrong([text]) == [])
    }

    @Test func integersKeepEachDigit() throws {
        for text in [
            "0", "7", "12345678", "123456789", "999999999999999999", "-999999999999999999", "9223372036854775807",
        ] {
            let value = try JSONCursor.read(Array("\(text),    ".utf8)) { (cursor) throws(JSONFailure) -> Int? in
                if case .int(let value) = try cursor.number() { value } else { nil }
            }
            #expect(value == Int(text))
        }
    }

    /// Computes the powers with integers of any size, in digits of 32 bits, the lowest first.
    @Test func powersOfTenAreExactToTheLastBit() {
        for exponent in DecimalPower.range {
            var five: [UInt32] = [1]
            for _ in 0..<abs(exponent) { five = Self.times(five, 5) }
            var bits = Self.bits(of: five)
            if exponent < 0 {
                // Computes the first 128 bits of a power of two divided by it, one bit after the other.
                let divisor = five
                var rest: [UInt32] = [1]
                bits = []
                while bits.count < 128 {
                    let isNotLess = Self.isNotLess(rest, divisor)
                    if isNotLess { rest = Self.minus(rest, divisor) }
                    if isNotLess || !bits.isEmpty { bits.append(isNotLess) }
                    rest = Self.times(rest, 2)
                }
            }
            bits = Array((bits + Array(repeating: false, count: 128)).prefix(128))
            let words = [bits[..<64], bits[64...]].map { $0.reduce(0) { $0 << 1 | ($1 ? 1 : 0) as UInt64 } }
            let power = DecimalPower(exponent)
            #expect([power.high, power.low] == words, "10^\(exponent)")
        }
        #expect(DecimalPower.exact.upperBound == 55)
    }

    private static func times(_ number: [UInt32], _ factor: UInt32) -> [UInt32] {
        var carry: UInt64 = 0
        var result = number.map { digit -> UInt32 in
            carry += UInt64(digit) * UInt64(factor)
            defer { carry >>= 32 }
            return UInt32(truncatingIfNeeded: carry)
        }
        if carry > 0 { result.append(UInt32(carry)) }
        return result
    }

    private static func bits(of number: [UInt32]) -> [Bool] {
        let all = number.reversed().flatMap { digit in (0..<32).reversed().map { digit >> UInt32($0) & 1 == 1 } }
        return Array(all.drop { !$0 })
    }

    private static func isNotLess(_ left: [UInt32], _ right: [UInt32]) -> Bool {
        for index in (0..<max(left.count, right.count)).reversed() {
            let (own, other) = (index < left.count ? left[index] : 0, index < right.count ? right[index] : 0)
            if own != other { return own > other }
        }
        return true
    }

    private static func minus(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
        var borrow: Int64 = 0
        return left.enumerated().map { index, digit in
            var difference = Int64(digit) - borrow - (index < right.count ? Int64(right[index]) : 0)
            borrow = difference < 0 ? 1 : 0
            if difference < 0 { difference += 1 << 32 }
            return UInt32(difference)
        }
    }
}
