import Baton
import BatonIR
import BatonSchema
import BatonTransforms

/// The data that compiled documents show of a response. A store writes the response by the normalization plan, and
/// reads it with the readers of the operation and of the fragments.
///
/// The data have the form of `SourceMeaning`.
struct CompiledMeaning {
    /// A mistake that shows without a comparison.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    /// The plan of a reader.
    struct Fragment {
        let artifact: GeneratedCode.FragmentArtifact
        let plan: BatonTransforms.SelectionPlan
    }

    /// The JSON in place of data with errors.
    static let errors: JSONValue = ["!": "errors"]
    /// The JSON in place of data that a required field without a value removes.
    static let missing: JSONValue = ["!": "missing"]

    let schema: Schema
    let fragments: [String: Fragment]
    private let store = Store()
    /// The errors that were found, each with its definition.
    private(set) var paths: Set<String> = []

    init(schema: Schema, fragments: [String: Fragment]) {
        self.schema = schema
        self.fragments = fragments
    }

    /// The data of an operation after the payloads of its response were written; null if a required field at the root
    /// is null.
    mutating func data(
        of artifact: GeneratedCode.OperationArtifact, _ plan: BatonTransforms.SelectionPlan,
        _ sent: [String: JSONValue], answer: [JSONValue]
    ) throws -> JSONValue {
        let variables = JSONValue.object(sent.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })
        let operation = store.bind(artifact, variables: variables)
        try write(answer, for: operation)
        return try data(of: store.read(AnyData.self, of: operation), plan, artifact.name)
    }

    /// Writes a response as the environment does: each payload when it arrives.
    private func write(_ answer: [JSONValue], for operation: BoundOperation) throws {
        guard var delivery = IncrementalDelivery(operation) else {
            guard answer.count == 1 else { throw Mistake(description: "'\(operation.artifact.name)' has no parts") }
            store.publish(try store.normalize(answer[0].jsonBytes, for: operation), for: operation)
            return
        }
        // An item of a streamed list may already be in the store, without the fields of the stream.
        let hasStreams = operation.artifact.text?.contains("@stream(") == true
        for (index, payload) in answer.enumerated() {
            let part = try store.normalize(
                payload.jsonBytes, into: &delivery, isLast: index == answer.count - 1)
            store.publish(part.response, for: operation)
            if hasStreams { continue }
            guard case .available = store.check(operation, isArriving: true) else {
                throw Mistake(description: "data is missing beside parts that arrive later, after payload \(index)")
            }
        }
        try delivery.finish()
        guard case .available = store.check(operation, isArriving: false) else {
            throw Mistake(description: "data is missing although every payload has come\n\(store.dump())")
        }
    }

    private mutating func data(
        of snapshot: ReadResult<AnyData>, _ plan: BatonTransforms.SelectionPlan, _ name: String
    ) throws -> JSONValue {
        guard !snapshot.isMissingData else { throw Mistake(description: "data of '\(name)' is missing") }
        switch snapshot.problems?.failure?.reason {
        case .fieldErrors(let errors)?:
            note(errors)
            return Self.errors
        case .missingRequiredField(let path, let component)?:
            paths.insert(Self.text(of: path, in: component))
            return Self.missing
        case let reason?: throw Mistake(description: "reading '\(name)' fails with \(RelayError(reason))")
        case nil: return try snapshot.data.map { try data(of: $0.__row, plan) } ?? .null
        }
    }

    private mutating func note(_ errors: [FieldError]) {
        for error in errors { paths.insert(Self.text(of: error.path, in: error.component)) }
    }

    private static func text(of path: [JSONValue.PathComponent], in component: String) -> String {
        ([component] + path.map(\.description)).joined(separator: ".")
    }

    private mutating func data(
        of row: GeneratedCode.Row, _ plan: BatonTransforms.SelectionPlan
    ) throws -> JSONValue {
        var members = Members()
        for (index, item) in plan.items.enumerated() {
            switch item {
            case .field(let field):
                if let errors = caught(field.nullability.catches, at: index, row) {
                    members.add(field.responseKey, errors)
                } else if let value = try value(of: field, at: index, row) {
                    members.add(field.responseKey, value)
                }
            case .inline(let inline):
                let errors = caught(inline.catches, at: index, row)
                let object: AnyData? = errors == nil ? row.inlineFragment(index) : nil
                let value = try errors ?? object.map { try data(of: $0.__row, inline.selections) } ?? .null
                if let alias = inline.alias {
                    if inline.isRequired, errors == nil, object == nil {
                        throw Mistake(description: "'\(alias)' has no data")
                    }
                    members.add(alias, value)
                } else if case .object(let shown) = value {
                    for member in shown { members.add(member.name, member.value) }
                }
            case .spread(let spread):
                guard row.matches(index) else { continue }
                let name = spread.fragment
                guard let fragment = fragments[name], let bound = store.bind(row.target(index), fragment.artifact)
                else {
                    throw Mistake(description: "nothing reads '\(name)'")
                }
                let snapshot = store.read(AnyData.self, at: bound.record, bound.selections)
                members.add("...\(name)", .array([try data(of: snapshot, fragment.plan, name)]))
            }
        }
        return .object(members.sorted)
    }

    /// The data in place of a field or an inline fragment with errors; nil without errors.
    private mutating func caught(
        _ target: CatchTarget?, at index: Int, _ row: GeneratedCode.Row
    ) -> JSONValue? {
        switch target {
        case nil: return nil
        case .null?: return row.unlessCaught(index) { Optional($0) } == nil ? .null : nil
        case .result?:
            guard case .failure(let errors) = row.result(index, { $0 }) else { return nil }
            note(errors)
            return Self.errors
        }
    }

    /// The value of a field; nil for null.
    private mutating func value(
        of field: BatonTransforms.SelectionPlan.Field, at index: Int, _ row: GeneratedCode.Row
    ) throws -> JSONValue? {
        let value = try nullableValue(of: field, at: index, row)
        let isPresent = field.type.isNonNull || field.nullability.required != nil
        if value == nil, isPresent, field.condition.isAlways {
            throw Mistake(description: "'\(field.responseKey)' has no value, although its type says so")
        }
        return value
    }

    private mutating func nullableValue(
        of field: BatonTransforms.SelectionPlan.Field, at index: Int, _ row: GeneratedCode.Row
    ) throws -> JSONValue? {
        let name = schema.namedType(of: field.type).name
        if let item = field.type.item {
            guard let selections = field.selections else {
                return row.optionalList(index) { Self.leaf($0, name, item.listDepth) ?? .null }.map { .array($0) }
            }
            // Lists of objects in lists are read by generated code alone.
            if item.isList { return .array([]) }
            guard let list: ObjectList<AnyData?> = row.optionalObjects(index) else { return nil }
            var shown: [JSONValue] = []
            for object in list {
                if object == nil, item.isNonNull {
                    throw Mistake(description: "'\(field.responseKey)' has a null, although its type has none")
                }
                shown.append(try object.map { try data(of: $0.__row, selections) } ?? .null)
            }
            return .array(shown)
        }
        if let selections = field.selections {
            let object: AnyData? = row.optionalObject(index)
            return try object.map { try data(of: $0.__row, selections) }
        }
        switch name {
        case "Int": return row.optionalInt(index).map(JSONValue.int)
        case "Float": return row.optionalDouble(index).map(JSONValue.double)
        case "Boolean": return row.optionalBool(index).map(JSONValue.bool)
        default: return row.optionalString(index).map(JSONValue.string)
        }
    }

    private static func leaf(_ item: GeneratedCode.ListItem, _ type: String, _ depth: Int) -> JSONValue? {
        if depth > 0 { return item.optionalList { leaf($0, type, depth - 1) ?? .null }.map { .array($0) } }
        return switch type {
        case "Int": item.optionalInt().map(JSONValue.int)
        case "Float": item.optionalDouble().map(JSONValue.double)
        case "Boolean": item.optionalBool().map(JSONValue.bool)
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
