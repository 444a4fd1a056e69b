/// The names of the fields that the program selects, and the unknown names that updates have used.
struct Spelling: Sendable {
    /// The plans whose names were not needed yet.
    private var waiting: [SelectionPlan] = []
    private var operations: Set<String> = []
    private var fragments: Set<String> = []
    private var fields: Set<String> = []
    private var told: Set<UnknownNameEvent.Name> = []
    private var events: [UnknownNameEvent] = []

    /// The greatest number of reported names, because an update may make names up without end.
    private static let limit = 1000

    /// Adds the names of a plan, once for each operation or fragment.
    mutating func note(_ plan: SelectionPlan, of component: String, isFragment: Bool) {
        let isNew = isFragment ? fragments.insert(component).inserted : operations.insert(component).inserted
        if isNew { waiting.append(plan) }
    }

    /// Returns true if a plan selects a field with this name.
    mutating func knows(_ field: String) -> Bool {
        for plan in waiting { plan.addFieldNames(to: &fields) }
        waiting = []
        return fields.contains(field)
    }

    /// Returns the names of fields with similar spelling.
    func fields(near field: String) -> [String] { field.nearest(in: fields) }

    /// Notes an unknown name, once.
    mutating func tell(_ name: UnknownNameEvent.Name, near: [String]) {
        guard told.count < Self.limit, told.insert(name.withoutRecord).inserted else { return }
        events.append(UnknownNameEvent(name: name, near: near))
    }

    /// Returns the events that were noted since the last call.
    mutating func takeEvents() -> [UnknownNameEvent] {
        if events.isEmpty { return [] }
        defer { events = [] }
        return events
    }
}

extension NameTable {
    /// Notes that a record does not exist, if its identity resembles other records.
    func noteUnknown(_ id: DataID, isExisting: (RecordID) -> Bool) {
        guard !id.rawValue.hasPrefix("client:") else { return }
        let near = records(near: id).filter(isExisting)
        guard !near.isEmpty else { return }
        let ids = near.prefix(5).map { dataID(of: $0).rawValue }
        withSpelling { $0.tell(.record(id), near: ids) }
    }
}

/// A log event: an update or an invalidation uses an unknown name while similar names exist. Each name is reported
/// once.
public struct UnknownNameEvent: Sendable, Hashable {
    /// The unknown name.
    public enum Name: Sendable, Hashable {
        /// A field that no operation and no fragment in use selects, with the record on which it was used.
        case field(String, of: DataID)
        /// A record that the store does not hold.
        case record(DataID)

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
        case .record(let id): "the record '\(id)' is named, which is not in the store; near it: \(near)"
        }
    }
}
