/// The kinds of marks that an item has.
struct MarkSet: OptionSet, Sendable {
    let rawValue: UInt8

    static let maxAge = MarkSet(rawValue: 1)
    static let handle = MarkSet(rawValue: 2)
    /// The field is a list whose later items arrive later (`@stream`).
    static let stream = MarkSet(rawValue: 4)
    /// The item is an inline fragment that arrives later (`@defer`).
    static let deferred = MarkSet(rawValue: 8)
    static let required = MarkSet(rawValue: 16)
    static let catches = MarkSet(rawValue: 32)
    static let client = MarkSet(rawValue: 64)
}

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

    let set: MarkSet
    let maxAge: Duration?
    let handle: Handle?
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
        if let field, let handle = marks.handle {
            let arguments = variables.arguments(of: field)
            let filters = arguments.filter { handle.filters.contains($0.name) }
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
        if label != nil { set.insert(field == nil ? .deferred : .stream) }
        if required != nil { set.insert(.required) }
        if catches != nil { set.insert(.catches) }
        if marks.isClient { set.insert(.client) }
        self.set = set
    }
}
