// What a value is, for code that reads JSON: custom scalars, extensions of errors, answers in tests.
//
//     let limit = error.extensions["rate"]?["limit"]?.intValue ?? 100

extension JSONValue {
    /// True for `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The text; nil if this is no text.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    /// The truth value; nil if this is neither `true` nor `false`.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The whole number; nil if this is no number, has a fraction, or does not fit. `2.0` is 2.
    public var intValue: Int? {
        switch self {
        case .int(let value): value
        case .double(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The number; nil if this is no number. A whole number is rounded to the nearest double.
    public var doubleValue: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The elements of a list; nil if this is no list.
    public var arrayValue: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

    /// The members of an object, in their order; nil if this is no object.
    public var objectValue: [Member]? { if case .object(let members) = self { members } else { nil } }

    /// The element at this index; nil if this is no list or has no such element.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let values) = self, values.indices.contains(index) else { return nil }
        return values[index]
    }
}
