// What a call means from which a variable is missing. The compiler of Swift chooses these only where nothing else fits,
// and shows their sentence in place of the requirements of `get()` and `subscribe()` without variables.

extension QueryHandle {
    /// The query has variables.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "'get' needs an argument for each variable without a default: get(id: id)"
    )
    public func get(fetchKey: (any Hashable & Sendable)? = nil) -> QueryResult<Operation.Data> { result }
}
