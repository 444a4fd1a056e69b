// swift-format-ignore-file: AlwaysUseLowerCamelCase

@testable import Baton

/// Reads any plan. The fields are looked up in the rows, as the properties of generated code do.
struct AnyData: GeneratedCode.Selections {
    let __row: GeneratedCode.Row

    /// Stands in the JSON for a value that a read must never leave out.
    static let lack = JSONValue.string("a non-null value is missing")

    /// Returns the data as JSON in the order of the plan from which it was read, perhaps with the types of the objects.
    func json(_ items: [SelectionPlan.Item], types: Bool = false) -> JSONValue {
        let type: [JSONValue.Member] = types ? [.init("__typename", .string(__row.typename))] : []
        return .object(
            type
                + items.enumerated().compactMap { index, item in
                    switch item.kind {
                    case .spread: return nil
                    case .inline(let condition, let selections):
                        let value = caught(item, index, isRequired: false) { data in
                            (data.__row.inlineFragment(index) as AnyData?)?.json(selections, types: types)
                        }
                        return .init("as \(condition?.type ?? "")", value)
                    case .field(let field):
                        let isRequired = item.marks.required != nil || item.condition == nil && field.type.isNonNull
                        let value = caught(item, index, isRequired: isRequired) {
                            $0.value(of: field, at: index, types)
                        }
                        return .init(field.responseKey, value)
                    }
                })
    }

    /// Returns the data that the body reads, or the errors at the item and below it if the plan catches them.
    private func caught(
        _ item: SelectionPlan.Item, _ index: Int, isRequired: Bool, _ body: (AnyData) -> JSONValue?
    ) -> JSONValue {
        let lack = isRequired ? Self.lack : .null
        switch item.marks.catches {
        case nil: return body(self) ?? lack
        case .null: return __row.unlessCaught(index) { body(AnyData(__row: $0)) } ?? .null
        case .result:
            switch __row.result(index, { body(AnyData(__row: $0)) }) {
            case .success(let value): return .array([value ?? lack])
            case .failure(let errors): return .string("\(errors)")
            }
        }
    }

    private func value(of field: SelectionPlan.Field, at index: Int, _ types: Bool) -> JSONValue? {
        if case .list(let item) = field.type.nullable {
            guard field.type.named.isComposite else {
                return __row.optionalList(index) { Self.item($0, item) ?? Self.lack(in: item) }.map(JSONValue.array)
            }
            return __row.list(of: index).map { Self.list($0, item, field.selections, types) }
        }
        if field.name == SelectionPlan.Field.dataID { return __row.optionalDataID(index).map(JSONValue.string) }
        switch field.type.named {
        case .int: return __row.optionalInt(index).map(JSONValue.int)
        case .float: return __row.optionalDouble(index).map(JSONValue.double)
        case .boolean: return __row.optionalBool(index).map(JSONValue.bool)
        case .object, .abstract: return (__row.optionalObject(index) as AnyData?)?.json(field.selections, types: types)
        default: return __row.optionalString(index).map(JSONValue.string)
        }
    }

    private static func item(_ item: GeneratedCode.ListItem, _ type: SelectionPlan.FieldType) -> JSONValue? {
        if case .list(let inner) = type.nullable {
            return item.optionalList { Self.item($0, inner) ?? lack(in: inner) }.map(JSONValue.array)
        }
        switch type.named {
        case .int: return item.optionalInt().map(JSONValue.int)
        case .float: return item.optionalDouble().map(JSONValue.double)
        case .boolean: return item.optionalBool().map(JSONValue.bool)
        default: return item.optionalString().map(JSONValue.string)
        }
    }

    private static func list(
        _ list: GeneratedCode.RowList, _ type: SelectionPlan.FieldType, _ items: [SelectionPlan.Item], _ types: Bool
    ) -> JSONValue {
        .array(
            (0..<list.count).map { position in
                if case .list(let inner) = type.nullable {
                    return list.list(position).map { Self.list($0, inner, items, types) } ?? lack(in: type)
                }
                return list.row(position).map { AnyData(__row: $0).json(items, types: types) } ?? lack(in: type)
            })
    }

    private static func lack(in type: SelectionPlan.FieldType) -> JSONValue { type.isNonNull ? lack : .null }
}

extension SelectionPlan.FieldType {
    var isNonNull: Bool { if case .nonNull = self { true } else { false } }

    /// The type without its exclamation mark.
    var nullable: SelectionPlan.FieldType { if case .nonNull(let inner) = self { inner } else { self } }
}
