extension GraphQLResponse {
    /// The state in which a handle shows the response. It is a failure if the data cannot be read, or if the server
    /// sent errors and no data. Otherwise it is a success, even if there are errors beside the data.
    ///
    ///     let film = try await environment.commit(mutation).result.get()
    public var result: QueryResult<Operation.Data> {
        if let error = failure { .failure(error) } else { .success(data) }
    }
}
