/// Every record of a store in one version, for people and tests.
///
/// The value keeps its version, so later publishes do not change it. The text form is for tests and bug reports; see
/// ``description``.
public struct StoreRecords: Sendable {
    /// The value that a record has under a storage key.
    public enum Content: Sendable, Hashable {
        /// A scalar, an enum value, null, or a list of them. A mapped scalar is given as the JSON of the response.
        case value(JSONValue)
        /// One record.
        case link(DataID)
        /// A list of records with nil for null.
        case links([DataID?])
        /// A list of lists of records.
        case lists([Content])
    }

    let records: Records
    let names: NameTable
    private let hold: NumberHold

    /// The hold is made before the version is copied. Otherwise numbers might be given to other records in between.
    init(names: NameTable, _ records: () -> Records) {
        hold = NumberHold(names)
        self.names = names
        self.records = records()
    }

    /// The identities of all existing and all deleted records, sorted.
    public var ids: [DataID] {
        records.known.map { names.dataID(of: $0) }
            .sorted { $0.rawValue.utf8.lexicographicallyPrecedes($1.rawValue.utf8) }
    }

    /// The number of existing records.
    public var count: Int { records.rowCount }

    /// Returns an existing record; nil for any other.
    public subscript(id: DataID) -> StoreRecords.Record? {
        guard let record = names.record(id, adding: false), records.state(of: record) == .existing else { return nil }
        return StoreRecords.Record(known: record, records, names)
    }

    /// Returns the store's knowledge of a record.
    public func state(of id: DataID) -> Explanation.State {
        guard let record = names.record(id, adding: false) else { return .unknown }
        return switch records.state(of: record) {
        case .unknown: .unknown
        case .deleted: .deleted
        case .existing: .existing
        }
    }
}

extension StoreRecords.Record {
    /// Every field that the record has, by storage key. Takes time linear in its fields.
    public var fields: [StorageKey: StoreRecords.Content] {
        var fields: [StorageKey: StoreRecords.Content] = [:]
        for (key, value) in zip(records.shape(of: record).keys, records.values(of: record)) {
            fields[StorageKey(names.name(of: key))] = content(value)
        }
        return fields
    }

    private func content(_ value: Value) -> StoreRecords.Content {
        switch value {
        case .link(let target): .link(names.dataID(of: target))
        case .links(let targets): .links(targets.map { $0 == .none ? nil : names.dataID(of: $0) })
        case .list(let values) where value.hasLinks: .lists(values.map(content))
        default: .value(value.json { names.dataID(of: $0) })
        }
    }
}

extension Value {
    /// True if some part of the value is a link.
    fileprivate var hasLinks: Bool {
        switch self {
        case .link, .links: true
        case .list(let values): values.contains { $0.hasLinks }
        default: false
        }
    }
}

extension StoreRecords: CustomStringConvertible {
    /// One line for each record, followed by one line for each of its fields, sorted.
    ///
    /// ```
    /// 1000 Human
    ///   friends(first:2) -> [2001, null]
    ///   name "Luke"
    /// 1001 deleted
    /// mutation#1 __Root
    ///   like -> mutation#1:like
    /// ```
    ///
    /// Local records, and the root records of mutations and events, are named by kind and number: first those that are
    /// met on a walk from the root, field by field, then the others in the order of their content. The text therefore
    /// does not depend on other work of the process: equal stores have equal texts.
    public var description: String {
        var entries = records.known.map { entry($0) }
        let locals = LocalNames(entries)
        for index in entries.indices { entries[index].rename(locals) }
        let sorted = entries.map { (key: LocalNames.sortKey($0.id), text: $0.text) }.sorted { $0.key < $1.key }
        return sorted.map(\.text).joined(separator: "\n")
    }

    private func entry(_ record: RecordID) -> TextEntry {
        let id = names.dataID(of: record).rawValue
        guard records.state(of: record) == .existing else { return TextEntry(id: id, type: "deleted", fields: []) }
        let fields = zip(records.shape(of: record).keys, records.values(of: record))
            .map { (key: names.name(of: $0), value: TextEntry.value($1, names)) }
            .sorted { $0.key < $1.key }
        return TextEntry(id: id, type: names.name(of: records.type(of: record)), fields: fields)
    }
}

/// A record that is being converted to text.
private struct TextEntry {
    indirect enum Part {
        case text(String)
        case link(String)
        case list([Part])

        /// The identities in order.
        var links: [String] {
            switch self {
            case .text: []
            case .link(let id): [id]
            case .list(let parts): parts.flatMap(\.links)
            }
        }
    }

    var id: String
    let type: String
    var fields: [(key: String, value: Part)]

    static func value(_ value: Value, _ names: NameTable) -> Part {
        switch value {
        case .link(let target): .link(names.dataID(of: target).rawValue)
        case .links(let targets):
            .list(targets.map { $0 == .none ? .text("null") : .link(names.dataID(of: $0).rawValue) })
        case .list(let values) where value.hasLinks: .list(values.map { self.value($0, names) })
        default: .text(value.json { names.dataID(of: $0) }.text)
        }
    }

    mutating func rename(_ names: LocalNames) {
        id = names[id]
        for index in fields.indices { fields[index].value = Self.renamed(fields[index].value, names) }
    }

    private static func renamed(_ part: Part, _ names: LocalNames) -> Part {
        switch part {
        case .text: part
        case .link(let id): .link(names[id])
        case .list(let parts): .list(parts.map { renamed($0, names) })
        }
    }

    var text: String {
        (["\(id) \(type)"] + fields.map { "  \($0.key) \(Self.text($0.value))" }).joined(separator: "\n")
    }

    private static func text(_ part: Part) -> String {
        switch part {
        case .text(let text): text
        case .link(let id): "-> \(id)"
        case .list(let parts): "-> [\(parts.map(item).joined(separator: ", "))]"
        }
    }

    private static func item(_ part: Part) -> String {
        switch part {
        case .text(let text): text
        case .link(let id): id
        case .list(let parts): "[\(parts.map(item).joined(separator: ", "))]"
        }
    }
}

/// Names for counted identities, such as `mutation#1` for `client:root:mutation:17`: in the order in which they are met
/// from the root on, and then in the order of the records' content.
private struct LocalNames {
    private static let kinds = ["mutation", "subscription", "local"]
    private var names: [String: String] = [:]
    private var counts: [String: Int] = [:]
    private var seen: Set<String> = []

    init(_ entries: [TextEntry]) {
        let places = Dictionary(entries.indices.map { (entries[$0].id, $0) }) { first, _ in first }
        walk(from: "client:root", entries, places)
        nameRest(entries, places)
    }

    /// Names what is met from a record on, in the order of the fields.
    private mutating func walk(from start: String, _ entries: [TextEntry], _ places: [String: Int]) {
        var waiting = [start]
        while let id = waiting.popLast() {
            guard seen.insert(id).inserted else { continue }
            name(id)
            guard let place = places[id] else { continue }
            waiting += entries[place].fields.flatMap { $0.value.links }.reversed()
        }
    }

    private mutating func name(_ id: String) {
        guard let (root, kind) = Self.root(id), names[root] == nil else { return }
        counts[kind, default: 0] += 1
        names[root] = "\(kind)#\(counts[kind] ?? 0)"
    }

    private mutating func nameRest(_ entries: [TextEntry], _ places: [String: Int]) {
        let known = self
        var contents: [String: (kind: String, lines: [String])] = [:]
        for entry in entries {
            guard let (root, kind) = Self.root(entry.id), known.names[root] == nil else { continue }
            var entry = entry
            let rest = entry.id.dropFirst(root.count)
            entry.id = String(rest)
            entry.rename(known)
            contents[root, default: (kind, [])].lines.append(entry.text)
        }
        let ordered = contents.sorted {
            ($0.value.kind, $0.value.lines.sorted().joined(), $0.key.count, $0.key)
                < ($1.value.kind, $1.value.lines.sorted().joined(), $1.key.count, $1.key)
        }
        for (root, _) in ordered { walk(from: root, entries, places) }
    }

    /// The name of an identity. Counted ones without a name are called by their kind alone, so that contents can be
    /// compared.
    subscript(id: String) -> String {
        guard let (root, kind) = Self.root(id) else { return id }
        return (names[root] ?? kind) + id.dropFirst(root.count)
    }

    /// The text by which a name is sorted: `local#10` comes after `local#9`.
    static func sortKey(_ name: String) -> String {
        guard let kind = kinds.first(where: { name.hasPrefix($0 + "#") }) else { return name }
        let digits = name.dropFirst(kind.count + 1).prefix { $0.isNumber }
        let zeros = String(repeating: "0", count: max(0, 9 - digits.count))
        return "\(kind)#\(zeros)\(name.dropFirst(kind.count + 1))"
    }

    /// Returns the counted identity at the beginning of an identity, and its kind.
    private static func root(_ id: String) -> (root: String, kind: String)? {
        for kind in kinds {
            let prefix = kind == "local" ? "client:local:" : "client:root:\(kind):"
            guard id.hasPrefix(prefix) else { continue }
            let number = id.dropFirst(prefix.count).prefix { $0.isNumber }
            if !number.isEmpty { return (prefix + number, kind) }
        }
        return nil
    }
}

extension Store {
    /// Every record of the current version.
    package var inspection: StoreRecords {
        unseenLayer.noteRead()
        return StoreRecords(names: names) { records }
    }
}
