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
