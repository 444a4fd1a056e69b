// Lists of records outside connections.

extension RecordField {
    /// Adds a record at the end of a list; returns true if it was added.
    ///
    /// A record that is already in the list is not added again, unless repetition is allowed. A list that is missing or
    /// null stays as it is, because its other items are unknown; set such a list with `setLinkedRecords`.
    @discardableResult
    public func append(_ target: RecordProxy, allowingRepetition: Bool = false) throws(UpdateError) -> Bool {
        try insert(target, at: .max, allowingRepetition: allowingRepetition)
    }

    /// Adds a record at the beginning of a list; otherwise like ``append(_:allowingRepetition:)``.
    @discardableResult
    public func prepend(_ target: RecordProxy, allowingRepetition: Bool = false) throws(UpdateError) -> Bool {
        try insert(target, at: 0, allowingRepetition: allowingRepetition)
    }

    /// Inserts a record at an index of a list. An index out of range means the nearer end. Otherwise like
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

    /// Removes every occurrence of a record from a list; returns the number of removed items.
    @discardableResult
    public func remove(_ target: RecordProxy) throws(UpdateError) -> Int {
        let target = try record.own(target)
        return try remove { target }
    }

    /// Removes every occurrence of a record, which may be deleted, from a list; returns the number of removed items.
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

    /// Adds a record at the beginning of a list field; see ``RecordField/prepend(_:allowingRepetition:)``.
    @discardableResult
    public func prepend(
        _ target: RecordProxy, toList name: String, arguments: [String: JSONValue] = [:],
        allowingRepetition: Bool = false
    ) throws(UpdateError) -> Bool {
        try field(name, arguments: arguments).prepend(target, allowingRepetition: allowingRepetition)
    }

    /// Inserts a record at an index of a list field; see ``RecordField/insert(_:at:allowingRepetition:)``.
    @discardableResult
    public func insert(
        _ target: RecordProxy, at index: Int, inList name: String, arguments: [String: JSONValue] = [:],
        allowingRepetition: Bool = false
    ) throws(UpdateError) -> Bool {
        try field(name, arguments: arguments).insert(target, at: index, allowingRepetition: allowingRepetition)
    }

    /// Removes every occurrence of a record from a list field; returns the number of removed items.
    @discardableResult
    public func remove(
        _ target: RecordProxy, fromList name: String, arguments: [String: JSONValue] = [:]
    ) throws(UpdateError) -> Int {
        try field(name, arguments: arguments).remove(target)
    }

    /// Adds a record at the end of a list field, for every combination of arguments that the record has. Returns the
    /// number of lists that it was added to.
    @discardableResult
    public func append(_ target: RecordProxy, toEveryList name: String) throws(UpdateError) -> Int {
        var count = 0
        for field in fields(name) where try field.append(target) { count += 1 }
        return count
    }

    /// Adds a record at the beginning of a list field, for every combination of arguments that the record has. Returns
    /// the number of lists that it was added to.
    @discardableResult
    public func prepend(_ target: RecordProxy, toEveryList name: String) throws(UpdateError) -> Int {
        var count = 0
        for field in fields(name) where try field.prepend(target) { count += 1 }
        return count
    }

    /// Removes a record from a list field, for every combination of arguments that the record has. Returns the number
    /// of removed items.
    @discardableResult
    public func remove(_ target: RecordProxy, fromEveryList name: String) throws(UpdateError) -> Int {
        var count = 0
        for field in fields(name) { count += try field.remove(target) }
        return count
    }
}

extension Value {
    /// The records of a list of links; nil for anything else. An empty list of values counts as a list of links,
    /// because an empty list may have been written without a type.
    var linkList: [RecordID]? {
        switch self {
        case .links(let links): links
        case .list(let values) where values.isEmpty: []
        default: nil
        }
    }
}
