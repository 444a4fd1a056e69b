extension Value {
    /// Calls a function with every record that the value links to.
    func forEachLink(_ body: (RecordID) -> Void) {
        switch self {
        case .link(let record): body(record)
        case .links(let records): for record in records where record != .none { body(record) }
        case .list(let values): for value in values { value.forEachLink(body) }
        default: break
        }
    }

    /// True if the value links to a record.
    var linksToRecords: Bool {
        switch self {
        case .link: true
        case .links(let records): records.contains { $0 != .none }
        case .list(let values): values.contains { $0.linksToRecords }
        default: false
        }
    }
}
