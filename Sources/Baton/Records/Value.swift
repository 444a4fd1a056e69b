/// What a record keeps under a storage key.
@usableFromInline
package enum Value: Sendable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    /// Text, an ID, an enum value, or a scalar without a mapping.
    case string(String)
    /// One record.
    case link(RecordID)
    /// A list of records; `RecordID.none` is null.
    case links([RecordID])
    /// A list of anything else, and of lists.
    case list([Value])
    /// A scalar that was converted.
    case scalar(ConvertedScalar)
}

/// A custom scalar as its conversion made it, and the JSON that it was made of.
@usableFromInline
package final class ConvertedScalar: Sendable {
    /// What the conversion made; the JSON if it has not run.
    package let value: any Sendable
    /// What the answer brought. Two scalars are the same if this is.
    package let json: JSONValue
    /// The conversion has run.
    let isConverted: Bool

    init(value: any Sendable, json: JSONValue) {
        self.value = value
        self.json = json
        isConverted = true
    }

    /// A scalar that was restored, of which it is not known how to convert it; readers do.
    init(unconverted json: JSONValue) {
        value = json
        self.json = json
        isConverted = false
    }
}

extension Value {
    /// Says whether nobody could tell the two apart: text is compared by its bytes, doubles by their bits.
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

    /// The value as JSON; links become data IDs.
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
