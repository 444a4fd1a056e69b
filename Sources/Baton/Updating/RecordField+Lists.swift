// Lists of records that are no connections.

extension RecordField {
    /// Adds a record at the end of a list; says whether it did.
    ///
    /// A record that is in the list already is not added again, unless repetition is allowed. A list that is missing or
    /// null stays as it is, for nobody knows what else belongs there: set it with `setLinkedRecords`.
    @discardableResult
    public func append(_ target: RecordProxy, allowingRepetition: Bool = false) throws(UpdateError) -> Bool {
        try insert(target, at: .max, allowingRepetition: allowingRepetition)
    }

    /// Adds a record in front of a list; otherwise like ``append(_:allowingRepetition:)``.
    @discardableResult
    public func prepend(_ target: RecordProxy, allowingRepetition: Bool = false) throws(UpdateError) -> Bool {
        try insert(target, at: 0, allowingRepetition: allowingRepetition)
    }

    /// Adds a record at an index of a list, or at the end that is nearer if there is no such index; otherwise like
    /// ``append(_:allowingRepetition:)``.
    @discardableResult
    public func insert(
        _ target: RecordProxy, at index: Int, allowingRepetition: Bool = false
    ) throws(UpdateError) -> Bool {
        let target = try record.own(target)
        guard var links = stored?.linkList, allowingRepetition || !links.contains(target) else { return false }
        links.insert(target, at: min(max(index, 0), links.count))
        try write(.links(links))
        return true
    }

    /// Takes a record out of a list, wherever it occurs; the number of items that went.
    @discardableResult
    public func remove(_ target: RecordProxy) throws(UpdateError) -> Int {
        let target = try record.own(target)
        return try remove { target }
    }

    /// Takes a record out of a list, be it deleted or not; the number of items that went.
    @discardableResult
    public func remove(_ id: DataID) throws(UpdateError) -> Int {
        guard record.source.records != nil else { throw .ended }
        return try remove { record.source.sought(id) }
    }

    private func remove(_ find: () -> RecordID?) throws(UpdateError) -> Int {
        guard let links = stored?.linkList, let target = find() else { return 0 }
        let rest = links.filter { $0 != target }
        if rest.count < links.count { try write(.links(rest)) }
        return links.count - rest.count
    }
}

extension RecordProxy {
    /// Adds a record at the end of a list field; see ``RecordField/append(_:allowingRepetition:)``.
    @discardableResult
    public func append(
        _ target: RecordProxy, toList name: String, arguments: [String: JSONValue] = [:],
        allowingRepetition: Bool = false
    ) throws(UpdateError) -> Bool {
        try field(name, arguments: arguments).append(target, allowingRepetition: allowingRepetition)
    }

    /// Adds a record in front of a list field; see ``RecordField/append(_:allowingRepetition:)``.
    @discardableResult
    public func prepend(
        _ target: RecordProxy, toList name: String, arguments: [String: JSONValue] = [:],
        allowingRepetition: Bool = false
    ) throws(UpdateError) -> Bool {
        try field(name, arguments: arguments).prepend(target, allowingRepetition: allowingRepetition)
    }

    /// Adds a record at an index of a list field; see ``RecordField/insert(_:at:allowingRepetition:)``.
    @discardableResult
    public func insert(
        _ target: RecordProxy, at index: Int, inList name: String, arguments: [String: JSONValue] = [:],
        allowingRepetition: Bool = false
    ) throws(UpdateError) -> Bool {
        try field(name, arguments: arguments).insert(target, at: index, allowingRepetition: allowingRepetition)
    }

    /// Takes a record out of a list field, wherever it occurs; the number of items that went.
    @discardableResult
    public func remove(
        _ target: RecordProxy, fromList name: String, arguments: [String: JSONValue] = [:]
    ) throws(UpdateError) -> Int {
        try field(name, arguments: arguments).remove(target)
    }

    /// Adds a record at the end of a list field with every combination of arguments that the record has; the number of
    /// lists that took it.
    @discardableResult
    public func append(_ target: RecordProxy, toEveryList name: String) throws(UpdateError) -> Int {
        var count = 0
        for field in fields(name) where try field.append(target) { count += 1 }
        return count
    }

    /// Adds a record in front of a list field with every combination of arguments that the record has; the number of
    /// lists that took it.
    @discardableResult
    public func prepend(_ target: RecordProxy, toEveryList name: String) throws(UpdateError) -> Int {
        var count = 0
        for field in fields(name) where try field.prepend(target) { count += 1 }
        return count
    }

    /// Takes a record out of a list field with every combination of arguments that the record has; the number of items
    /// that went.
    @discardableResult
    public func remove(_ target: RecordProxy, fromEveryList name: String) throws(UpdateError) -> Int {
        var count = 0
        for field in fields(name) { count += try field.remove(target) }
        return count
    }
}

extension Value {
    /// The records of a list of records; nil for anything else. An empty list may have been written without saying of
    /// what.
    var linkList: [RecordID]? {
        switch self {
        case .links(let links): links
        case .list(let values) where values.isEmpty: []
        default: nil
        }
    }
}
