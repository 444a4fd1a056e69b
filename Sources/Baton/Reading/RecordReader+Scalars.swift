extension GeneratedCode.RecordReader {
    /// The converted value of a mapped scalar, or its JSON if a local update wrote it.
    @usableFromInline
    enum Scalar {
        case converted(any Sendable)
        case json(JSONValue)
    }

    @usableFromInline
    mutating func mappedScalar(_ field: Int) -> Scalar? { Self.scalar(value(field)?.pointee ?? .null) }
    @usableFromInline
    mutating func mappedScalarItem() -> Scalar? { Self.scalar(list.items.value(at: index)) }

    private static func scalar(_ value: Value) -> Scalar? {
        switch value {
        case .scalar(let scalar): scalar.isConverted ? .converted(scalar.value) : .json(scalar.json)
        case .null, .link, .links: nil
        default: .json(value.json { _ in "" })
        }
    }

    /// Reads a `String`, an `ID` or a scalar without a mapping.
    @inlinable
    public mutating func string(_ field: Int) -> String? {
        guard let value = value(field) else { return nil }
        if case .string(let text) = value.pointee { return text }
        return Self.otherString(value)
    }

    @usableFromInline
    @inline(never)
    static func otherString(_ value: UnsafePointer<Value>) -> String? { value.pointee.otherString }

    /// Reads an `Int`.
    @inlinable
    public mutating func int(_ field: Int) -> Int? {
        guard let value = value(field), case .int(let number) = value.pointee else { return nil }
        return number
    }

    /// Reads a `Float`.
    @inlinable
    public mutating func double(_ field: Int) -> Double? {
        guard let value = value(field) else { return nil }
        switch value.pointee {
        case .double(let number): return number
        case .int(let number): return Double(number)
        default: return nil
        }
    }

    /// Reads a `Boolean`.
    @inlinable
    public mutating func bool(_ field: Int) -> Bool? {
        guard let value = value(field), case .bool(let holds) = value.pointee else { return nil }
        return holds
    }

    /// Reads a `String`, an `ID` or a scalar without a mapping.
    public mutating func string() -> String? {
        let value = list.items.value(at: index)
        if case .string(let text) = value { return text }
        return value.otherString
    }

    /// Reads an `Int`.
    public mutating func int() -> Int? {
        if case .int(let value) = list.items.value(at: index) { value } else { nil }
    }

    /// Reads a `Float`.
    public mutating func double() -> Double? {
        switch list.items.value(at: index) {
        case .double(let value): value
        case .int(let value): Double(value)
        default: nil
        }
    }

    /// Reads a `Boolean`.
    public mutating func bool() -> Bool? {
        if case .bool(let value) = list.items.value(at: index) { value } else { nil }
    }
}

extension Value {
    /// The text of a value of another kind, such as a number that a local update wrote for an ID.
    fileprivate var otherString: String? {
        switch self {
        case .int(let value): String(value)
        case .scalar(let scalar): scalar.json.text
        case .double, .bool, .list: json { _ in "" }.text
        case .string, .null, .link, .links: nil
        }
    }
}
