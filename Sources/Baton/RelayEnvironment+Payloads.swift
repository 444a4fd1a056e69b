extension RelayEnvironment {
    /// Writes a payload into the store as if a server had just sent it, and notifies every handle that reads changed
    /// fields. No request is made.
    ///
    ///     try environment.publish(.data(["film": ["id": "1", "title": "Hope"]]), for: FilmQuery(id: "1"))
    ///
    /// Use the method for data that arrives in another way: with a rendered page, in a push message, from a file.
    /// Fields that the payload leaves out keep their values. The payload counts as fetched now and as newer than the
    /// responses of queries in flight. It does not count as a fetch under any key. The data is not retained; use a
    /// handle or ``retain(_:)`` for that.
    ///
    /// Throws ``RelayError/invalidResponse(_:)`` if the payload is not JSON or does not fit the operation,
    /// ``RelayError/noData(_:)`` if it has no data, and ``RelayError/updater(_:)`` if a field handler throws. The store
    /// is then as it was.
    public func publish<Operation: GraphQLOperation>(
        _ payload: GraphQLPayload<Operation>, for operation: Operation
    ) throws(RelayError) {
        _ = try land(payload, for: store.bind(operation))
    }
}
