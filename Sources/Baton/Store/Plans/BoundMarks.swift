/// The marks of an item, with the operation's variables replaced by values.
struct BoundMarks: Sendable {
    struct Handle: Sendable {
        /// The handler's name: `connection`, or the name of a handler of the application.
        let name: String
        /// The key of the field that the handler copies from.
        let source: StorageKeyID
        /// The key under which the handler keeps its copy: `__key_name(filters)`.
        let storageKey: StorageKeyID
        /// The values of all arguments of the field.
        let arguments: [JSONValue.Member]
        /// The values of the arguments that are part of the copy's key.
        let filters: [JSONValue.Member]
    }

    /// A change of connections or records that the field of a mutation's response asks for.
    struct Mutation: Sendable, Hashable {
        typealias Kind = SelectionPlan.Marks.Mutation.Kind

        let kind: Kind
        /// The key of the field.
        let source: StorageKeyID
        /// The identities of the connections; empty for `@deleteRecord`.
        let connections: [DataID]
        /// The type of new edges; nil unless nodes are added.
        let edgeType: TypeName?
    }

    let set: MarkSet
    let maxAge: Duration?
    let handle: Handle?
    let mutation: Mutation?
    /// The label of the part that arrives later; nil if the mark's condition is false.
    let label: String?
    let required: SelectionPlan.Marks.RequiredAction?
    let catches: SelectionPlan.Marks.CatchTarget?

    init(
        _ marks: SelectionPlan.Marks, of field: SelectionPlan.Field?, _ variables: VariableValues, _ names: NameTable
    ) {
        var set = MarkSet()
        maxAge = marks.maxAge
        required = marks.required
        catches = marks.catches
        label = marks.increment.flatMap { variables.holds($0) ? $0.label : nil }
        if let field, let mutation = marks.mutation, mutation.condition.map(variables.holds) ?? true {
            self.mutation = Mutation(mutation, of: field, variables, names)
        } else {
            mutation = nil
        }
        if let field, let handle = marks.handle {
            let arguments = variables.arguments(of: field)
            var filters = arguments.filter { handle.filters.contains($0.name) }
            if let key = handle.dynamicKey, let value = variables.resolve(key), value != .null {
                filters.append(.init(StoreOptions.ConnectionNames.dynamicKey, value))
            }
            let name = "__\(handle.key.isEmpty ? field.name : handle.key)_\(handle.name)"
            self.handle = Handle(
                name: handle.name, source: names.key(variables.storageKey(field)),
                storageKey: names.key(StorageKey(name, filters.map { ($0.name, $0.value) }).rawValue),
                arguments: arguments, filters: filters)
            set.insert(.handle)
        } else {
            handle = nil
        }
        if maxAge != nil { set.insert(.maxAge) }
        if label != nil, let increment = marks.increment { set.insert(increment.isStream ? .stream : .deferred) }
        if required != nil { set.insert(.required) }
        if catches != nil { set.insert(.catches) }
        if marks.isClient { set.insert(.client) }
        self.set = set
    }
}

extension BoundMarks.Mutation {
    fileprivate init(
        _ mark: SelectionPlan.Marks.Mutation, of field: SelectionPlan.Field, _ variables: VariableValues,
        _ names: NameTable
    ) {
        kind = mark.kind
        source = names.key(variables.storageKey(field))
        // A single value stands for a list of one item, as everywhere in GraphQL.
        var ids = mark.connections.flatMap(variables.resolve).map { [$0] } ?? []
        if case .array(let items)? = ids.first { ids = items }
        connections = ids.compactMap { if case .string(let id) = $0 { DataID(id) } else { nil } }
        if case .string(let name)? = mark.edgeType.flatMap(variables.resolve) {
            edgeType = TypeName(name)
        } else {
            edgeType = nil
        }
    }
}

/// The kinds of marks that an item has.
struct MarkSet: OptionSet, Sendable {
    let rawValue: UInt8

    static let maxAge = MarkSet(rawValue: 1)
    static let handle = MarkSet(rawValue: 2)
    /// The field is a list whose further items arrive later (`@stream`).
    static let stream = MarkSet(rawValue: 4)
    /// The item is an inline fragment, a spread or a field that arrives later (`@defer`).
    static let deferred = MarkSet(rawValue: 8)
    static let required = MarkSet(rawValue: 16)
    static let catches = MarkSet(rawValue: 32)
    static let client = MarkSet(rawValue: 64)
}
