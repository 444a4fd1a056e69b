// Descriptions of records for a person. A description does not count as a read of the update, so the update does not
// run again because of it.

extension RecordProxy: CustomStringConvertible {
    private static let mostFields = 12

    /// Example: `Film 'film-4' {director: -> person-1, id: "film-4", title: "A New Hope"}`. Fields are sorted; at most
    /// twelve are shown.
    public var description: String {
        guard let records = source.records else { return "'\(dataID)', in an update that has ended" }
        guard let type = records.type(of: record), records.state(of: record) == .existing else {
            return records.state(of: record) == .deleted ? "'\(dataID)', deleted" : "'\(dataID)', unknown"
        }
        let names = source.names
        let keys = records.keys(of: record).map { (key: $0, text: names.name(of: $0)) }.sorted { $0.text < $1.text }
        var fields = keys.prefix(Self.mostFields).compactMap { key, text in
            records.value(key, of: record).map { "\(text): \($0.summary(names))" }
        }
        if keys.count > Self.mostFields { fields.append("and \(keys.count - Self.mostFields) more") }
        return "\(names.name(of: type)) '\(dataID)' {\(fields.joined(separator: ", "))}"
    }
}

extension RecordField: CustomStringConvertible {
    /// Example: `title of Film 'film-4': "A New Hope"`
    public var description: String {
        guard let records = record.source.records else { return "\(storageKey) of \(record)" }
        let names = record.source.names
        let type = records.type(of: record.record).map { names.name(of: $0) + " " } ?? ""
        let value = records.value(key, of: record.record)?.summary(names) ?? "missing"
        return "\(storageKey) of \(type)'\(record.dataID)': \(value)"
    }
}

extension Value {
    private static let mostItems = 5
    private static let longestText = 60

    /// The value in a few words; a link has an arrow.
    fileprivate func summary(_ names: NameTable) -> String {
        switch self {
        case .link(let target): return "-> \(names.dataID(of: target))"
        case .links(let targets):
            return Self.list(targets) { $0 == .none ? "null" : "-> \(names.dataID(of: $0))" }
        case .list(let values): return Self.list(values) { $0.summary(names) }
        default:
            let text = json { names.dataID(of: $0) }.text
            return text.count > Self.longestText ? text.prefix(Self.longestText) + "..." : text
        }
    }

    private static func list<Item>(_ items: [Item], _ text: (Item) -> String) -> String {
        let shown = items.prefix(mostItems).map(text)
        let rest = items.count > mostItems ? ["and \(items.count - mostItems) more"] : []
        return "[\((shown + rest).joined(separator: ", "))]"
    }
}
