// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Baton

/// Reads any plan. The fields are looked up in the row by the methods that generated code calls.
struct AnyData: GeneratedCode.Selections {
    let __row: GeneratedCode.Row

    /// The JSON in place of a non-null value that is missing, which a read must never allow.
    fileprivate static let lack = JSONValue.string("a non-null value is missing")

    /// Returns the data as JSON in the order of the plan from which it was read.
    func json(_ items: [SelectionPlan.Item]) -> JSONValue {
        var members: [JSONValue.Member] = [.init("__typename", .string(__row.typename))]
        for (index, item) in items.enumerated() {
            switch item.kind {
            case .field(let field):
                let lack = item.condition == nil && field.type.isNonNull ? Self.lack : .null
                members.append(.init(field.responseKey, value(of: field, at: index) ?? lack))
            case .inline(let condition, let items):
                let value: AnyData? = __row.inlineFragment(index)
                members.append(.init("... on \(condition?.type ?? "")", value?.json(items) ?? .null))
            case .spread: break
            }
        }
        return .object(members)
    }

    private func value(of field: SelectionPlan.Field, at index: Int) -> JSONValue? {
        if case .list(let item) = field.type.withoutNonNull {
            guard !field.type.named.isComposite else { return objects(index, field, AnyData.self, field.type) }
            return __row.optionalList(index) { Self.item($0, item) ?? Self.lack(in: item) }.map { .array($0) }
        }
        switch field.type.named {
        case .int: return __row.optionalInt(index).map(JSONValue.int)
        case .float: return __row.optionalDouble(index).map(JSONValue.double)
        case .boolean: return __row.optionalBool(index).map(JSONValue.bool)
        case .mappedScalar: return __row.optionalScalar(index, Word.self).map(Word.encode)
        case .object, .abstract: return (__row.optionalObject(index) as AnyData?)?.json(field.selections)
        default: return __row.optionalString(index).map(JSONValue.string)
        }
    }

    private static func item(_ item: GeneratedCode.ListItem, _ type: SelectionPlan.FieldType) -> JSONValue? {
        if case .list(let inner) = type.withoutNonNull {
            return item.optionalList { Self.item($0, inner) ?? lack(in: inner) }.map { .array($0) }
        }
        switch type.named {
        case .int: return item.optionalInt().map(JSONValue.int)
        case .float: return item.optionalDouble().map(JSONValue.double)
        case .boolean: return item.optionalBool().map(JSONValue.bool)
        default: return item.optionalString().map(JSONValue.string)
        }
    }

    /// Reads a list of elements, or nested lists of elements.
    private func objects<Element: AnyElement>(
        _ index: Int, _ field: SelectionPlan.Field, _: Element.Type, _ rest: SelectionPlan.FieldType
    ) -> JSONValue? {
        guard case .list(let inner) = rest.withoutNonNull else { return nil }
        if case .list = inner.withoutNonNull { return objects(index, field, ObjectList<Element?>.self, inner) }
        let list: ObjectList<Element?>? = __row.optionalObjects(index)
        return list?.json(field.type, field.selections)
    }

    fileprivate static func lack(in type: SelectionPlan.FieldType) -> JSONValue { type.isNonNull ? lack : .null }
}

/// An object, or a list.
private protocol AnyElement: GeneratedCode.ListElement {
    func json(_ type: SelectionPlan.FieldType, _ items: [SelectionPlan.Item]) -> JSONValue
}

private protocol AnyNullableElement {
    func json(_ type: SelectionPlan.FieldType, _ items: [SelectionPlan.Item]) -> JSONValue
}

extension AnyData: AnyElement {
    fileprivate func json(_ type: SelectionPlan.FieldType, _ items: [SelectionPlan.Item]) -> JSONValue { json(items) }
}

extension Optional: AnyNullableElement where Wrapped: AnyElement {
    fileprivate func json(_ type: SelectionPlan.FieldType, _ items: [SelectionPlan.Item]) -> JSONValue {
        self?.json(type, items) ?? AnyData.lack(in: type)
    }
}

extension ObjectList: AnyElement where Element: AnyNullableElement {
    fileprivate func json(_ type: SelectionPlan.FieldType, _ items: [SelectionPlan.Item]) -> JSONValue {
        guard case .list(let inner) = type.withoutNonNull else { return .null }
        return .array(map { $0.json(inner, items) })
    }
}

extension SelectionPlan.FieldType {
    fileprivate var isNonNull: Bool { if case .nonNull = self { true } else { false } }
}
