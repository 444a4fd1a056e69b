/// The names of fields that the program is known to select, and what updates named that is none of them.
struct Spelling: Sendable {
    /// Plans whose names were not needed yet.
    private var waiting: [SelectionPlan] = []
    private var operations: Set<String> = []
    private var fragments: Set<String> = []
    private var fields: Set<String> = []
    private var told: Set<UnknownNameEvent.Name> = []
    private var events: [UnknownNameEvent] = []

    /// So many names are told; an update that makes them up would have no end.
    private static let limit = 1000

    /// Takes the names of a plan, once for each operation or fragment.
    mutating func note(_ plan: SelectionPlan, of component: String, isFragment: Bool) {
        let isNew = isFragment ? fragments.insert(component).inserted : operations.insert(component).inserted
        if isNew { waiting.append(plan) }
    }

    /// Says whether a plan selects a field of that name.
    mutating func knows(_ field: String) -> Bool {
        for plan in waiting { plan.addFieldNames(to: &fields) }
        waiting = []
        return fields.contains(field)
    }

    /// The names of fields that are spelled much like one.
    func fields(near field: String) -> [String] { field.nearest(in: fields) }

    /// Notes a name that nobody knows, once.
    mutating func tell(_ name: UnknownNameEvent.Name, near: [String]) {
        guard told.count < Self.limit, told.insert(name.withoutRecord).inserted else { return }
        events.append(UnknownNameEvent(name: name, near: near))
    }

    /// What was noted since the last call.
    mutating func takeEvents() -> [UnknownNameEvent] {
        if events.isEmpty { return [] }
        defer { events = [] }
        return events
    }
}

extension NameTable {
    /// Notes that a record is not there while there are others that may be meant.
    func noteUnknown(_ id: DataID, isExisting: (RecordID) -> Bool) {
        guard !id.rawValue.hasPrefix("client:") else { return }
        let near = records(near: id).filter(isExisting)
        guard !near.isEmpty else { return }
        let ids = near.prefix(5).map { dataID(of: $0).rawValue }
        withSpelling { $0.tell(.record(id), near: ids) }
    }
}

/// A name in an update or invalidation that nothing is known by, while others are spelled much like it, for the log;
/// once for each name.
public struct UnknownNameEvent: Sendable, Hashable {
    /// What was named.
    public enum Name: Sendable, Hashable {
        /// A field that no operation and no fragment in use selects, and the record of which it was asked.
        case field(String, of: DataID)
        /// A record that the store does not hold.
        case record(DataID)

        /// A field is told once, of whatever record.
        fileprivate var withoutRecord: Name {
            if case .field(let name, _) = self { .field(name, of: "") } else { self }
        }
    }

    /// What was named.
    public let name: Name
    /// Names of fields, or identities of records, that may have been meant; the nearest first.
    public let near: [String]
}

extension UnknownNameEvent: CustomStringConvertible {
    /// What nobody knows, and what may have been meant; one line for a person.
    public var description: String {
        let near = near.map { "'\($0)'" }.joined(separator: ", ")
        return switch name {
        case .field(let field, let id):
            "an update names the field '\(field)' of the record '\(id)', which no operation selects; near it: \(near)"
        case .record(let id): "the record '\(id)' is named, which is not in the store; near it: \(near)"
        }
    }
}
