/// The names and types of the fields that the program selects, and the unknown names that updates have used.
struct Spelling: Sendable {
    /// The plans whose names have not been added yet, because no update has asked for names.
    private var waiting: [Waiting] = []
    private var operations: Set<String> = []
    private var fragments: Set<String> = []
    private var fields: Set<String> = []
    private var types = FieldTypes()
    private var asked: Set<String> = []
    /// Tests may turn checks off.
    var checks = Checks.all
    private var told: Set<LogEvent.UnknownName.Name> = []
    /// The unknown names that resembled no other when they were told.
    private var toldAlone: Set<LogEvent.UnknownName.Name> = []
    /// The number of searches for connections that do not exist.
    private var sought: [DataID: Int] = [:]
    private var events: [LogEvent.UnknownName] = []

    struct Checks: OptionSet, Sendable {
        let rawValue: UInt8

        /// Values must be of the types that the documents in use tell.
        static let types = Checks(rawValue: 1)
        /// Fields that no document in use selects stay in a file.
        static let stored = Checks(rawValue: 2)
        static let all: Checks = [.types, .stored]
    }

    /// The greatest number of reported names, because an update may use any number of unknown names.
    private static let limit = 1000
    /// The greatest number of searches for each connection.
    private static let searches = 16

    private struct Waiting: Sendable {
        let plan: SelectionPlan
        let scalars: [GeneratedCode.ScalarDecoder]
        /// The type of the root. For a fragment it may be abstract.
        let root: String?
        let isFragment: Bool
    }

    /// Adds the names and types of a plan, once for each operation or fragment. `condition` is the type of a fragment.
    mutating func note(
        _ plan: SelectionPlan, of component: String, isFragment: Bool, on condition: String? = nil,
        _ scalars: [GeneratedCode.ScalarDecoder]
    ) {
        let isNew = isFragment ? fragments.insert(component).inserted : operations.insert(component).inserted
        guard isNew else { return }
        waiting.append(
            Waiting(
                plan: plan, scalars: scalars, root: isFragment ? condition : NameTable.rootTypeName,
                isFragment: isFragment))
    }

    private mutating func takeWaiting() {
        for one in waiting {
            one.plan.addFieldNames(to: &fields)
            types.add(one.plan, root: one.root, isAbstract: one.isFragment, one.scalars)
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

    /// The number of field types that are known, and of fields that updates have asked for. It grows with the documents
    /// in use.
    mutating func countTypes() -> Int {
        takeWaiting()
        return types.count + asked.count
    }

    /// Notes fields that an update has asked for, so that they do not stay in a file although no document selects them.
    mutating func ask(for fields: [String]) { asked.formUnion(fields) }

    func isAsked(for field: String) -> Bool { asked.contains(field) }

    /// True if no type is known, because the program has selected nothing yet.
    var knowsNoTypes: Bool { types.isEmpty }

    /// Returns the names of fields with similar spelling.
    func fields(near field: String) -> [String] { field.nearest(in: fields) }

    /// Notes an unknown name, once.
    mutating func tell(_ name: LogEvent.UnknownName.Name, near: [String]) {
        let key = name.withoutRecord
        // A name that resembles another one is worth a second event.
        let isAlone = near.isEmpty && !told.contains(key)
        guard (isAlone ? toldAlone : told).count < Self.limit else { return }
        guard isAlone ? toldAlone.insert(key).inserted : told.insert(key).inserted else { return }
        events.append(LogEvent.UnknownName(name: name, near: near))
    }

    /// Returns true if a search for connections similar to a connection that does not exist is worth its cost. Each
    /// missing connection is searched for only a few times, because it may be fetched later.
    mutating func maySeek(_ connection: DataID) -> Bool {
        guard !told.contains(.connection(connection)), sought.count < Self.limit || sought[connection] != nil else {
            return false
        }
        sought[connection, default: 0] += 1
        return sought[connection, default: 0] <= Self.searches
    }

    /// Returns the events that were noted since the last call.
    mutating func takeEvents() -> [LogEvent.UnknownName] {
        if events.isEmpty { return [] }
        defer { events = [] }
        return events
    }
}

extension NameTable {
    /// Notes that a record does not exist, with the records whose identities resemble its own.
    func noteUnknown(_ id: DataID, isExisting: (RecordID) -> Bool) {
        guard !id.rawValue.hasPrefix("client:") else { return }
        let near = records(near: id).filter(isExisting)
        let ids = near.prefix(5).map { dataID(of: $0).rawValue }
        withSpelling { $0.tell(.record(id), near: ids) }
    }
}
