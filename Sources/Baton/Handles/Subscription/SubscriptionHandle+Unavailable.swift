// `QueryHandle+Unavailable.swift` says what these are for.

extension SubscriptionHandle {
    /// The subscription has variables.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "'subscribe' needs an argument for each variable without a default"
    )
    public func subscribe() -> QueryResult<Operation.Data> { result }
}
