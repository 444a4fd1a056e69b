public import Baton
public import Foundation

/// A `Decimal` as text, which keeps every digit.
public enum DecimalText: ScalarConversion {
    /// Reads a decimal number as text, or a JSON number by its shortest decimal form.
    ///
    /// - Throws: ``ConversionError``, also for more than 38 digits.
    public static func decode(_ json: JSONValue) throws -> Decimal { try json.decimal() }

    /// Writes digits without an exponent.
    public static func encode(_ value: Decimal) -> JSONValue { .string(value.description) }
}

/// A `Decimal` as a JSON number, which keeps 15 digits.
public enum DecimalNumber: ScalarConversion {
    /// Reads a JSON number by its shortest decimal form, or a decimal number as text.
    ///
    /// - Throws: ``ConversionError``, also for more than 38 digits.
    public static func decode(_ json: JSONValue) throws -> Decimal { try json.decimal() }

    /// Writes an integer if the value is an integer of 64 bits, and else the nearest double.
    public static func encode(_ value: Decimal) -> JSONValue {
        let text = value.description
        return Int(text).map(JSONValue.int) ?? .double(Double(text) ?? .nan)
    }
}

extension JSONValue {
    fileprivate func decimal() throws(ConversionError) -> Decimal {
        switch self {
        case .int(let value): return Decimal(value)
        // The double goes by way of its text, because `Decimal(3.133)` is 3.132999999999999488.
        case .double(let value): if let decimal = Decimal(checking: value.description) { return decimal }
        case .string(let text): if let decimal = Decimal(checking: text) { return decimal }
        default: break
        }
        throw ConversionError(expected: #"a decimal number such as "12.50""#, found: self)
    }
}

extension Decimal {
    /// Reads digits, a point and an exponent, and nothing else; nil if a `Decimal` cannot hold the value exactly.
    ///
    /// Foundation's own initializer also accepts text behind the number, and rounds.
    fileprivate init?(checking text: String) {
        var rest = text[...].utf8
        guard rest.count <= 200 else { return nil }
        Self.skipSign(&rest)
        let mantissa = rest.prefix { Self.isDigit($0) || $0 == 0x2E }
        rest = rest[mantissa.endIndex...]
        guard mantissa.contains(where: Self.isDigit), mantissa.count(where: { $0 == 0x2E }) <= 1 else { return nil }
        if let letter = rest.first {
            guard letter | 0x20 == 0x65 else { return nil }
            rest.removeFirst()
            Self.skipSign(&rest)
            guard !rest.isEmpty, rest.count <= 4, rest.allSatisfy(Self.isDigit) else { return nil }
        }
        guard let value = Decimal(string: text), !value.isNaN,
            Self.significantDigits(mantissa).elementsEqual(Self.significantDigits(value.description[...].utf8))
        else { return nil }
        self = value
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    private static func skipSign(_ rest: inout Substring.UTF8View) {
        if let sign = rest.first, sign == 0x2B || sign == 0x2D { rest.removeFirst() }
    }

    /// The digits without zeros at the beginning and the end.
    private static func significantDigits(_ number: Substring.UTF8View) -> ArraySlice<UInt8> {
        let digits = number.filter(isDigit)
        let isZero = { (digit: UInt8) in digit == 0x30 }
        let end = digits.lastIndex { !isZero($0) }.map { $0 + 1 } ?? 0
        return digits[..<end].drop(while: isZero)
    }
}
