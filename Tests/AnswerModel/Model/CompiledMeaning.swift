import Baton

/// What compiled documents show of an answer: a store writes the answer by the normalization plan, and reads it by the
/// readers of the operation and of the fragments.
///
/// The form of the data is that of `SourceMeaning`.
struct CompiledMeaning {
    /// A mistake that no comparison is needed for.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    /// The plan of a reader, and its items for walking through a result.
    struct Fragment {
        let artifact: GeneratedCode.FragmentArtifact
        let items: [SelectionPlan.Item]
    }

    let fragments: [String: Fragment]
    private let store = Store()

    init(fragments: [String: Fragment]) { self.fragments = fragments }

    /// The data of an operation after its answer was written; null if a required field is null at its root.
    func data(
        of artifact: GeneratedCode.OperationArtifact, _ sent: [String: JSONValue], answer: JSONValue
    ) throws -> JSONValue {
        let variables = JSONValue.object(sent.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })
        let operation = store.bind(artifact, variables: variables)
        store.publish(try store.normalize(answer.jsonBytes, for: operation), for: operation)
        let snapshot = store.read(AnyData.self, of: operation)
        guard !snapshot.isMissingData else { throw Mistake(description: "the operation's data is missing") }
        guard let data = snapshot.data else { return .null }
        return try self.data(of: data.__row, try artifact.reader.plan.get().items)
    }

    private func data(of row: GeneratedCode.Row, _ items: [SelectionPlan.Item]) throws -> JSONValue {
        var members = Members()
        for (index, item) in items.enumerated() {
            switch item.kind {
            case .field(let field):
                if let value = try value(of: field, at: index, row) { members.add(field.responseKey, value) }
            case .inline(_, let items):
                let inner: AnyData? = row.inlineFragment(index)
                guard let inner, case .object(let shown) = try data(of: inner.__row, items) else { continue }
                for member in shown { members.add(member.name, member.value) }
            case .spread(let name, _, _):
                guard row.matches(index) else { continue }
                guard let fragment = fragments[name], let bound = store.bind(row.target(index), fragment.artifact)
                else {
                    throw Mistake(description: "nothing reads '\(name)'")
                }
                let snapshot = store.read(AnyData.self, at: bound.record, bound.selections)
                guard !snapshot.isMissingData else { throw Mistake(description: "data of '\(name)' is missing") }
                let shown = try snapshot.data.map { try data(of: $0.__row, fragment.items) } ?? .null
                members.add("...\(name)", .array([shown]))
            }
        }
        return .object(members.sorted)
    }

    /// The value of a field; nil for null.
    private func value(
        of field: SelectionPlan.Field, at index: Int, _ row: GeneratedCode.Row
    ) throws -> JSONValue? {
        if case .list = field.type.withoutNonNull {
            guard field.type.named.isComposite else {
                return row.optionalList(index) { Self.leaf($0, field.type.named) ?? .null }.map { .array($0) }
            }
            let list: ObjectList<AnyData?>? = row.optionalObjects(index)
            return try list.map { list in
                .array(try list.map { try $0.map { try data(of: $0.__row, field.selections) } ?? .null })
            }
        }
        switch field.type.named {
        case .int: return row.optionalInt(index).map(JSONValue.int)
        case .boolean: return row.optionalBool(index).map(JSONValue.bool)
        case .object, .abstract:
            let object: AnyData? = row.optionalObject(index)
            return try object.map { try data(of: $0.__row, field.selections) }
        default: return row.optionalString(index).map(JSONValue.string)
        }
    }

    private static func leaf(_ item: GeneratedCode.ListItem, _ type: SelectionPlan.NamedType) -> JSONValue? {
        switch type {
        case .int: item.optionalInt().map(JSONValue.int)
        case .boolean: item.optionalBool().map(JSONValue.bool)
        default: item.optionalString().map(JSONValue.string)
        }
    }
}

/// The data of any plan.
private struct AnyData: GeneratedCode.Selections {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    let __row: GeneratedCode.Row
}

/// The members of an object. A member that occurs again in an inline fragment is merged with the first.
private struct Members {
    private var values: [String: JSONValue] = [:]

    var sorted: [JSONValue.Member] {
        values.sorted { $0.key < $1.key }.map { name, value in
            guard name.hasPrefix("..."), case .array(let items) = value else { return .init(name, value) }
            return .init(name, .array(Set(items).sorted { $0.text < $1.text }))
        }
    }

    mutating func add(_ name: String, _ value: JSONValue) {
        guard let known = values[name] else {
            values[name] = value
            return
        }
        values[name] = name.hasPrefix("...") ? Self.union(known, value) : Self.merged(known, value)
    }

    private static func union(_ first: JSONValue, _ second: JSONValue) -> JSONValue {
        guard case .array(let first) = first, case .array(let second) = second else { return first }
        return .array(first + second)
    }

    private static func merged(_ first: JSONValue, _ second: JSONValue) -> JSONValue {
        switch (first, second) {
        case (.object(let own), .object(let other)):
            var members = Members()
            for member in own + other { members.add(member.name, member.value) }
            return .object(members.sorted)
        case (.array(let own), .array(let other)) where own.count == other.count:
            return .array(zip(own, other).map(merged))
        default: return first
        }
    }
}

extension SelectionPlan.FieldType {
    fileprivate var withoutNonNull: SelectionPlan.FieldType { if case .nonNull(let type) = self { type } else { self } }
}
