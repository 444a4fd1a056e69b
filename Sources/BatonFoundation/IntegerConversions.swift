public import Baton

/// An `Int64` as text. Servers send large integers as text because JavaScript cannot hold them as numbers.
public enum Int64Text: ScalarConversion {
    /// Reads decimal digits with or without a sign as text, or a number.
    ///
    /// - Throws: ``ConversionError``.
    public static func decode(_ json: JSONValue) throws -> Int64 { try json.integer() }

    /// Writes decimal digits.
    public static func encode(_ value: Int64) -> JSONValue { .string(String(value)) }
}

/// An `Int64` as a JSON number.
public enum Int64Number: ScalarConversion {
    /// Reads a number, or decimal digits as text.
    ///
    /// - Throws: ``ConversionError``.
    public static func decode(_ json: JSONValue) throws -> Int64 { try json.integer() }

    /// Writes a number.
    public static func encode(_ value: Int64) -> JSONValue {
        Int(exactly: value).map(JSONValue.int) ?? .double(Double(value))
    }
}

/// A `UInt64` as text.
public enum UInt64Text: ScalarConversion {
    /// Reads decimal digits as text, or a number that is not negative.
    ///
    /// - Throws: ``ConversionError``.
    public static func decode(_ json: JSONValue) throws -> UInt64 { try json.integer() }

    /// Writes decimal digits.
    public static func encode(_ value: UInt64) -> JSONValue { .string(String(value)) }
}

extension JSONValue {
    /// The value of a number, or of decimal digits as text.
    fileprivate func integer<Integer: FixedWidthInteger>() throws(ConversionError) -> Integer {
        switch self {
        case .int(let value): if let value = Integer(exactly: value) { return value }
        // The initializer checks the digits and the range. A text of more than 24 bytes can only fit with leading
        // zeros.
        case .string(let text) where text.utf8.count <= 24: if let value = Integer(text) { return value }
        default: break
        }
        throw ConversionError(expected: "an integer from \(Integer.min) to \(Integer.max)", found: self)
    }
}
