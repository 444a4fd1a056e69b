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
