@testable import Baton

/// Reads any plan, keeps lists of objects as rows, and remembers the records that it read.
struct TreeFields: GeneratedCode.Selections {
    @TaskLocal static var items: [SelectionPlan.Item] = []
    /// The positions in the plan of the enclosing fields.
    @TaskLocal static var path: [Int] = []
    @TaskLocal static var isInList = false

    /// A list of objects with the path of its field.
    struct Rows {
        let record: RecordID
        let path: [Int]
        let isInList: Bool
        let items: [TreeRow?]
        /// The address of the array that the reader returned.
        let address: Int

        /// True if the list may keep its storage between reads: lists inside lists only do if they are long.
        var isKept: Bool { !isInList || items.count >= 16 }
    }

    let record: RecordID
    let json: JSONValue
    /// The lists in this object and below it.
    let lists: [Rows]
    /// The records of this object and below it.
    let records: Set<RecordID>

    static func == (left: TreeFields, right: TreeFields) -> Bool {
        left.record == right.record && left.json == right.json
    }

    /// The collected results of an object's properties.
    private struct Sum {
        var members: [JSONValue.Member] = []
        var lists: [Rows] = []
        var records: Set<RecordID>

        mutating func add(_ object: TreeFields?) -> JSONValue? {
            lists += object?.lists ?? []
            records.formUnion(object?.records ?? [])
            return object?.json
        }

        mutating func add(_ rows: [TreeRow?], _ address: Int, at record: RecordID, _ path: [Int]) -> JSONValue {
            lists.append(
                Rows(record: record, path: path, isInList: TreeFields.isInList, items: rows, address: address))
            return .array(rows.map { add($0?.__row.fields) ?? .null })
        }
    }

    init?(_ reader: inout GeneratedCode.RecordReader) {
        record = reader.currentTarget.record
        var sum = Sum(records: [record])
        for (index, item) in Self.items.enumerated() {
            switch item.kind {
            case .inline(let condition, let selections):
                let part = Self.caught(item, index, &reader) { reader in
                    let part = Self.below(index, selections) { reader.inlineFragment(index, TreeFields.self) }
                    return sum.add(part)
                }
                sum.members.append(.init("as \(condition.map { "\($0.type)" } ?? "")", part ?? .null))
            case .field(let field):
                let value = Self.caught(item, index, &reader) { Self.value(field, index, &$0, &sum) }
                guard let value else {
                    if item.condition == nil, case .nonNull = field.type { return nil }
                    if item.marks.required != nil { return nil }
                    sum.members.append(.init(field.responseKey, .null))
                    continue
                }
                sum.members.append(.init(field.responseKey, value))
            case .spread: break
            }
        }
        json = .object(sum.members)
        lists = sum.lists
        records = sum.records
    }

    /// Returns the data that the body reads, or the errors at the item and below it if the plan catches them.
    private static func caught(
        _ item: SelectionPlan.Item, _ index: Int, _ reader: inout GeneratedCode.RecordReader,
        _ body: (inout GeneratedCode.RecordReader) -> JSONValue?
    ) -> JSONValue? {
        switch item.marks.catches {
        case nil: return body(&reader)
        case .null: return reader.catchingToNull(index, body)
        case .result:
            switch reader.catching(index, body) {
            case .success(let value): return .array([value ?? .null])
            case .failure(let errors): return .string("\(errors)")
            }
        }
    }

    private static func below<Result>(_ index: Int, _ items: [SelectionPlan.Item], _ body: () -> Result) -> Result {
        $items.withValue(items) { $path.withValue(path + [index]) { body() } }
    }

    private static func value(
        _ field: SelectionPlan.Field, _ index: Int, _ reader: inout GeneratedCode.RecordReader, _ sum: inout Sum
    ) -> JSONValue? {
        var type = field.type
        if case .nonNull(let inner) = type { type = inner }
        let record = reader.currentTarget.record
        guard case .list(let inner) = type else {
            switch type.named {
            case .int: return reader.int(index).map(JSONValue.int)
            case .object: return sum.add(below(index, field.selections) { reader.object(index, TreeFields.self) })
            default: return reader.string(index).map(JSONValue.string)
            }
        }
        let rows = below(index, field.selections) { () -> ([TreeRow?], Int)? in
            $isInList.withValue(true) {
                if case .nonNull = inner {
                    return reader.requiredObjects(index, TreeRow.self).map { ($0, address(of: $0)) }
                }
                return reader.objects(index, TreeRow.self).map { ($0, address(of: $0)) }
            }
        }
        return rows.map { sum.add($0.0, $0.1, at: record, path + [index]) }
    }

    private static func address<Item>(of items: [Item]) -> Int {
        items.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    }
}

/// An item of a list that `TreeFields` reads.
struct TreeRow: GeneratedCode.ItemSelections {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    let __row: GeneratedCode.Row<TreeFields>

    init(_ row: GeneratedCode.Row<TreeFields>) { __row = row }
}
