extension RelayEnvironment {
    /// Returns the data of a query in the store as JSON, fragments included, in the form of a response and without a
    /// request.
    ///
    /// Missing fields are left out, and so are fields of the client's own schema. The JSON can be published again:
    /// `publish(.data(json), for: query)`. For the JSON of a fetched response, see ``GraphQLResponse/json``.
    ///
    /// Null if the root fields were never written, or if the JSON is larger than ``StoreOptions/resultSize``. Each
    /// value in it counts as 32 bytes.
    public func json<Query: GraphQLQuery>(of query: Query) -> JSONValue {
        let operation = store.bind(query)
        return store.whileReading(operation) { store.json(of: operation) }
    }
}
