extension RelayEnvironment {
    /// Starts to fetch a query for a handle that does not exist yet.
    ///
    /// A request in flight for the same query is shared. With `.storeOrNetwork` no request is sent if the data is
    /// available. With `.storeOnly` no request is ever sent. Keep the returned object: the request is cancelled with
    /// it.
    public func preload<Query: GraphQLQuery>(
        _ query: Query, policy: FetchPolicy = .storeOrNetwork,
        configuration: RequestConfiguration = RequestConfiguration()
    ) -> PreloadedQuery<Query> {
        PreloadedQuery(query, in: self, policy, configuration)
    }
}
