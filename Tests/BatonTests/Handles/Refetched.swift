import Baton

extension QueryHandle {
    /// Fetches again; returns what the handle shows then.
    @discardableResult
    func refetched() async -> QueryResult<Operation.Data> {
        // The error is in `fetchError`.
        try? await refetch().finished()
        return result
    }
}

extension PagedQuery {
    /// Fetches again; returns what the handle shows then.
    @discardableResult
    func refetched() async -> QueryResult<[Query.Data]> {
        // The error is in `fetchError`.
        try? await refetch().finished()
        return result
    }
}
