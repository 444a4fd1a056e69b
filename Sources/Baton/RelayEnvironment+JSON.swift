extension RelayEnvironment {
    /// The data in the store that an answer to a query would bring, fragments included, without a request.
    ///
    /// Missing fields are left out, and so are fields of the client's own schema. The JSON can be published again:
    /// `publish(.data(json), for: query)`. A response of a request has the answer itself: ``GraphQLResponse/json``.
    ///
    /// Null if the root fields were never written, or if the JSON is larger than ``StoreOptions/resultSize``. Each
    /// value in it counts as 32 bytes.
    public func json<Query: GraphQLQuery>(of query: Query) -> JSONValue {
        let operation = store.bind(query)
        return store.whileReading(operation) { store.json(of: operation) }
    }
}
