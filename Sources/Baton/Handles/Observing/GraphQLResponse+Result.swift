extension GraphQLResponse {
    /// What a handle shows of the response: a failure if the data cannot be read, or if the server sent no data and
    /// errors that say why; a success otherwise, also with errors beside the data.
    ///
    ///     let film = try await environment.commit(mutation).result.get()
    public var result: QueryResult<Operation.Data> {
        if let error = shownFailure { .failure(error) } else { .success(data) }
    }
}
