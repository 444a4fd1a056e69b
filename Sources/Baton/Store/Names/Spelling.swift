/// The names and types of the fields that the program selects, and the unknown names that updates have used.
struct Spelling: Sendable {
    /// The plans whose names were not needed yet.
    private var waiting: [Waiting] = []
    private var operations: Set<String> = []
    private var fragments: Set<String> = []
    private var fields: Set<String> = []
    private var types = FieldTypes()
    /// False if updates may write values of any type.
    var checksTypes = true
    private var told: Set<UnknownNameEvent.Name> = []
    /// The number of searches for connections that do not exist.
    private var sought: [DataID: Int] = [:]
    private var events: [UnknownNameEvent] = []

    /// The greatest number of reported names, because an update may make names up without end.
    private static let limit = 1000
    /// The greatest number of searches for each connection.
    private static let searches = 16

    private struct Waiting: Sendable {
        let plan: SelectionPlan
        let scalars: [GeneratedCode.ScalarDecoder]
        /// The type of the root; nil for a fragment.
        let root: String?
    }

    /// Adds the names and types of a plan, once for each operation or fragment.
    mutating func note(
        _ plan: SelectionPlan, of component: String, isFragment: Bool, _ scalars: [GeneratedCode.ScalarDecoder]
    ) {
        let isNew = isFragment ? fragments.insert(component).inserted : operations.insert(component).inserted
        guard isNew else { return }
        waiting.append(
            Waiting(plan: plan, scalars: scalars, root: isFragment ? nil : NameTable.rootTypeName))
    }

    private mutating func takeWaiting() {
        for one in waiting {
            one.plan.addFieldNames(to: &fields)
            types.add(one.plan, root: one.root, one.scalars)
        }
        waiting = []
    }

    /// Returns true if a plan selects a field with this name.
    mutating func knows(_ field: String) -> Bool {
        takeWaiting()
        return fields.contains(field)
    }

    /// Returns the types of the objects in which plans select a field.
    mutating func parents(of field: String) -> [FieldTypes.Parent] {
        takeWaiting()
        return types.parents(of: field)
    }

    /// True if no type is known, because the program has selected nothing yet.
    var knowsNoTypes: Bool { types.isEmpty }

    /// Returns the names of fields with similar spelling.
    func fields(near field: String) -> [String] { field.nearest(in: fields) }

    /// Notes an unknown name, once.
    mutating func tell(_ name: UnknownNameEvent.Name, near: [String]) {
        guard told.count < Self.limit, told.insert(name.withoutRecord).inserted else { return }
        events.append(UnknownNameEvent(name: name, near: near))
    }

    /// Returns true if it is worth looking for connections like one that does not exist. Each identity is looked for a
    /// few times, because the connection may be fetched later.
    mutating func maySeek(_ connection: DataID) -> Bool {
        guard !told.contains(.connection(connection)), sought.count < Self.limit || sought[connection] != nil else {
            return false
        }
        sought[connection, default: 0] += 1
        return sought[connection, default: 0] <= Self.searches
    }

    /// Returns the events that were noted since the last call.
    mutating func takeEvents() -> [UnknownNameEvent] {
        if events.isEmpty { return [] }
        defer { events = [] }
        return events
    }
}

extension NameTable {
    /// Notes that a connection does not exist, if there are connections like it.
    func noteUnknownConnection(_ id: DataID, in records: borrowing Records) {
        guard id.isConnection, withSpelling({ $0.maySeek(id) }) else { return }
        let near = records.connections(near: id, self).map(\.rawValue)
        if !near.isEmpty { withSpelling { $0.tell(.connection(id), near: near) } }
    }

    /// Notes that a record does not exist, if its identity resembles other records.
    func noteUnknown(_ id: DataID, isExisting: (RecordID) -> Bool) {
        guard !id.rawValue.hasPrefix("client:") else { return }
        let near = records(near: id).filter(isExisting)
        guard !near.isEmpty else { return }
        let ids = near.prefix(5).map { dataID(of: $0).rawValue }
        withSpelling { $0.tell(.record(id), near: ids) }
    }
}

/// A log event: an update or an invalidation uses a name that nothing else uses. Each name is reported once.
public struct UnknownNameEvent: Sendable, Hashable {
    /// The unknown name.
    public enum Name: Sendable, Hashable {
        /// A field that no operation and no fragment in use selects, with the record on which it was used.
        case field(String, of: DataID)
        /// A record that the store does not hold.
        case record(DataID)
        /// A connection that the store does not hold, while it holds connections with the same key or a similar one.
        case connection(DataID)
        /// A field that an update has written in an object of this type, and that no operation and no fragment in use
        /// selects. Whether the value is of the field's type is unknown. This is no mistake if only updates use the
        /// field, or if an operation will select it later.
        case uncheckedField(String, of: TypeName)

        /// The name without the record, because a field is reported once for all records.
        fileprivate var withoutRecord: Name {
            if case .field(let name, _) = self { .field(name, of: "") } else { self }
        }
    }

    /// The unknown name.
    public let name: Name
    /// Similar names of fields, or identities of records; the nearest first.
    public let near: [String]
}

extension UnknownNameEvent: CustomStringConvertible {
    /// The unknown name and the similar ones, in one line for a person.
    public var description: String {
        let near = near.map { "'\($0)'" }.joined(separator: ", ")
        return switch name {
        case .field(let field, let id):
            "an update names the field '\(field)' of the record '\(id)', which no operation selects; near it: \(near)"
        case .uncheckedField(let field, let type):
            "an update writes the field '\(field)' of '\(type)', which no operation in use selects; its value was not checked"
        case .connection(let id): "the connection '\(id)' is named, which is not in the store; there are: \(near)"
        case .record(let id): "the record '\(id)' is named, which is not in the store; near it: \(near)"
        }
    }
}
