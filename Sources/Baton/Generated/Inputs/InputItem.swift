/// A value of a variable or of a field of an input object, or a part of such a value.
enum InputItem: Sendable {
    case absent
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    /// A string, or the text of an enum value.
    case string(String)
    case json(JSONValue)
    case list([InputItem])
    case object(GeneratedCode.InputFields)
    /// An object of which one field is given.
    case one(OneInput)
    /// A value of an application's type, together with the item that is sent for the value.
    case kept(KeptInput)
}

extension InputItem {
    /// The JSON to send. In an object, parts that are nested deeper than `JSONValue.maximumDepth` are null.
    var jsonValue: JSONValue {
        switch self {
        case .absent, .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        case .json(let value): value
        case .list(let items): .array(items.map(\.jsonValue))
        case .object(let fields): .object(fields.encoded(levels: JSONValue.maximumDepth - 1).members)
        case .one(let one): .object(one.fields.encoded(levels: JSONValue.maximumDepth - 1).members)
        case .kept(let kept): kept.item.jsonValue
        }
    }

    /// The JSON to send; nil if arrays and objects are nested in it deeper than `levels`.
    func jsonValue(levels: Int) -> JSONValue? {
        switch self {
        case .absent, .null: return .null
        case .bool(let value): return .bool(value)
        case .int(let value): return .int(value)
        case .double(let value): return .double(value)
        case .string(let value): return .string(value)
        case .json(let value): return value.isDeeper(than: levels) ? .none : value
        case .list(let items):
            guard levels > 0 else { return .none }
            var values: [JSONValue] = []
            values.reserveCapacity(items.count)
            for item in items {
                guard let value = item.jsonValue(levels: levels - 1) else { return .none }
                values.append(value)
            }
            return .array(values)
        case .object(let fields): return fields.jsonValue(levels: levels)
        case .one(let one): return one.fields.jsonValue(levels: levels)
        case .kept(let kept): return kept.item.jsonValue(levels: levels)
        }
    }
}

extension InputItem {
    /// Compares two values; the values in lists and objects are added to `waiting`.
    static func areAlike(
        _ left: InputItem, _ right: InputItem, _ waiting: inout [([InputItem], [InputItem])]
    ) -> Bool {
        switch (left, right) {
        case (.absent, .absent), (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.int(let left), .int(let right)): return left == right
        case (.double(let left), .double(let right)): return left == right || left.isNaN && right.isNaN
        case (.string(let left), .string(let right)): return left.hasSameBytes(as: right)
        case (.json(let left), .json(let right)): return left == right
        case (.list(let left), .list(let right)):
            waiting.append((left, right))
            return true
        case (.object(let left), .object(let right)):
            if !left.isIdentical(to: right) { waiting.append((left.nested, right.nested)) }
            return true
        case (.one(let left), .one(let right)):
            if left !== right { waiting.append((left.fields.nested, right.fields.nested)) }
            return true
        case (.kept(let left), .kept(let right)):
            return left === right || areAlike(left.item, right.item, &waiting)
        default: return false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .absent: hasher.combine(0 as UInt8)
        case .null: hasher.combine(1 as UInt8)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.isNaN ? .nan : value)
        case .string(let value): hasher.combine(value)
        case .json(let value): hasher.combine(value)
        case .list(let items): hasher.combine(items.count)
        case .object(let fields): hasher.combine(fields.nested.count)
        case .one: hasher.combine(2 as UInt8)
        case .kept(let kept): kept.item.hash(into: &hasher)
        }
    }
}

extension InputItem {
    init<Wrapped>(_ value: GraphQLNullable<Wrapped>, _ item: (Wrapped) -> InputItem) {
        switch value {
        case .absent: self = .absent
        case .null: self = .null
        case .value(let value): self = item(value)
        }
    }

    func input<Wrapped>(_ value: (InputItem) -> Wrapped?) -> GraphQLInput<Wrapped> {
        switch self {
        case .absent: nil
        case .null: .null
        default: value(self).map { .some(.some(.some(.some($0)))) } ?? nil
        }
    }

    func one<Object: GeneratedCode.OneOfInput>() -> Object? {
        if case .one(let one) = self { one.value as? Object } else { nil }
    }

    func kept<Kept: Sendable>() -> Kept? {
        if case .kept(let kept) = self { kept.value as? Kept } else { nil }
    }
}

final class KeptInput: Sendable {
    let value: any Sendable
    let item: InputItem

    init(_ value: any Sendable, _ item: InputItem) { (self.value, self.item) = (value, item) }
}

/// The value of an enum for an object with `@oneOf`. The value is converted to fields only when the fields are needed,
/// because such values may be nested deeper than the call stack allows.
final class OneInput: Sendable {
    let value: any GeneratedCode.OneOfInput
    var fields: GeneratedCode.InputFields { value.__fields }

    init(_ value: any GeneratedCode.OneOfInput) { self.value = value }
}
