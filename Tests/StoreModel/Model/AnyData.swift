import Baton

/// Reads any plan, as generated code does, and keeps the result as JSON.
struct AnyData: GeneratedCode.Selections {
    @TaskLocal static var items: [SelectionPlan.Item] = []

    let json: JSONValue

    init?(_ reader: inout GeneratedCode.RecordReader) {
        var members: [JSONValue.Member] = [.init("__typename", .string(reader.typename()))]
        for (index, item) in Self.items.enumerated() {
            switch item.kind {
            case .field(let field):
                var type = field.type
                var isRequired = false
                if case .nonNull(let inner) = type { (type, isRequired) = (inner, item.condition == nil) }
                let value: JSONValue?
                if case .list(let inner) = type {
                    value = Self.list(inner, field, index, &reader)
                } else {
                    value = Self.field(type, field, index, &reader)
                }
                if value == nil, isRequired { return nil }
                members.append(.init(field.responseKey, value ?? .null))
            case .inline(let condition, let items):
                let value = Self.$items.withValue(items) { reader.inlineFragment(index, AnyData.self) }
                members.append(.init("... on \(condition?.type ?? "")", value?.json ?? .null))
            case .spread: break
            }
        }
        json = .object(members)
    }

    private static func list(
        _ type: SelectionPlan.FieldType, _ field: SelectionPlan.Field, _ index: Int,
        _ reader: inout GeneratedCode.RecordReader
    ) -> JSONValue? {
        if case .nonNull(let inner) = type {
            return reader.requiredList(index) { item(inner, field, &$0) }.map { .array($0) }
        }
        return reader.list(index) { item(type, field, &$0) }.map { .array($0.map { $0 ?? .null }) }
    }

    private static func field(
        _ type: SelectionPlan.FieldType, _ field: SelectionPlan.Field, _ index: Int,
        _ reader: inout GeneratedCode.RecordReader
    ) -> JSONValue? {
        switch type.named {
        case .int: reader.int(index).map(JSONValue.int)
        case .float: reader.double(index).map(JSONValue.double)
        case .boolean: reader.bool(index).map(JSONValue.bool)
        case .mappedScalar: reader.scalar(index, Word.self).map(Word.encode)
        case .object, .abstract: $items.withValue(field.selections) { reader.object(index, AnyData.self) }?.json
        default: reader.string(index).map(JSONValue.string)
        }
    }

    private static func item(
        _ type: SelectionPlan.FieldType, _ field: SelectionPlan.Field, _ reader: inout GeneratedCode.RecordReader
    ) -> JSONValue? {
        switch type {
        case .nonNull(let inner): return item(inner, field, &reader)
        case .list(.nonNull(let inner)):
            return reader.requiredList { item(inner, field, &$0) }.map { .array($0) }
        case .list(let inner): return reader.list { item(inner, field, &$0) }.map { .array($0.map { $0 ?? .null }) }
        case .named(let name):
            switch name {
            case .int: return reader.int().map(JSONValue.int)
            case .float: return reader.double().map(JSONValue.double)
            case .boolean: return reader.bool().map(JSONValue.bool)
            case .object, .abstract: return $items.withValue(field.selections) { reader.object(AnyData.self) }?.json
            default: return reader.string().map(JSONValue.string)
            }
        }
    }
}
