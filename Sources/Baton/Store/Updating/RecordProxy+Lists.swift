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
