extension ConnectionKeys {
    /// True if a collection has removed parts of a connection. That happens if no field links to the connection any
    /// more while a reader still holds its record.
    ///
    /// - Parameters:
    ///   - value: The value of a field of the connection.
    ///   - isGone: Whether nothing is known of a record.
    func hasTornParts(_ value: (StorageKeyID) -> Value?, isGone: (RecordID) -> Bool) -> Bool {
        var parts = value(edges)?.linkList ?? []
        if case .link(let info)? = value(pageInfo) { parts.append(info) }
        return parts.contains { $0 != .none && isGone($0) }
    }
}
