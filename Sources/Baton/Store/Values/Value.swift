/// The value of a record under a storage key.
@usableFromInline
package enum Value: Sendable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    /// Text, an ID, an enum value, or a scalar without a mapping.
    case string(String)
    /// A link to one record.
    case link(RecordID)
    /// A list of links; `RecordID.none` stands for null.
    case links([RecordID])
    /// A list of other values, or of lists.
    case list([Value])
    /// A converted scalar.
    case scalar(ConvertedScalar)
}

/// A custom scalar: the converted value, and its JSON.
@usableFromInline
package final class ConvertedScalar: Sendable {
    /// The converted value; the JSON if the conversion has not run.
    package let value: any Sendable
    /// The JSON that the answer brought. Two scalars are identical if their JSON is equal.
    package let json: JSONValue
    /// True if the conversion has run.
    let isConverted: Bool
    /// Keeps what a read has made of a restored scalar; nil for others.
    private let late: LateScalar?

    init(value: any Sendable, json: JSONValue) {
        self.value = value
        self.json = json
        isConverted = true
        late = nil
    }

    /// Returns the value as a conversion makes it. Converts the JSON if no conversion has run, or another one.
    func value<Conversion: ScalarConversion>(by _: Conversion.Type) -> Conversion.Value? {
        if isConverted, let value = value as? Conversion.Value { return value }
        return try? Conversion.decode(json)
    }

    /// Makes a restored scalar. Its conversion is not known here; the first read converts it.
    init(unconverted json: JSONValue) {
        value = json
        self.json = json
        isConverted = false
        late = LateScalar()
    }

    /// Returns the scalar with a value that a decoder accepts. Converts the JSON if nobody has; throws what the decoder
    /// throws.
    func converted(by decoder: GeneratedCode.ScalarDecoder) throws -> ConvertedScalar {
        if isConverted, decoder.accepts(value) { return self }
        if let known = late?.made, decoder.accepts(known.value) { return known }
        let made = ConvertedScalar(value: try decoder.decode(json), json: json)
        late?.keep(made)
        return made
    }
}

/// The place for a value that is converted later than it was stored.
private final class LateScalar: Sendable {
    private let state = Guarded<ConvertedScalar?>(nil)

    var made: ConvertedScalar? { state.withLock { $0 } }

    /// The old value is released outside the lock, because it may be an object of the application.
    func keep(_ made: ConvertedScalar) {
        _ = state.withLock { state -> ConvertedScalar? in
            defer { state = made }
            return state
        }
    }
}

extension Value {
    /// Returns true if the two values cannot be told apart: text is compared by its bytes, doubles by their bits.
    func isIdentical(to other: Value) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.link(let left), .link(let right)): left == right
        case (.links(let left), .links(let right)): left == right
        case (.list(let left), .list(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
        case (.scalar(let left), .scalar(let right)): left === right || left.json.jsonBytes == right.json.jsonBytes
        default: false
        }
    }

    var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// Returns the value as JSON; links become data IDs.
    func json(_ dataID: (RecordID) -> DataID) -> JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        case .link(let record): .string(dataID(record).rawValue)
        case .links(let records): .array(records.map { $0 == .none ? .null : .string(dataID($0).rawValue) })
        case .list(let values): .array(values.map { $0.json(dataID) })
        case .scalar(let scalar): scalar.json
        }
    }
}
