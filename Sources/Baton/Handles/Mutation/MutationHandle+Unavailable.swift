// `QueryHandle+Unavailable.swift` says what these are for.

extension MutationHandle {
    /// The mutation has variables.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "give each variable without a default"
    )
    @discardableResult
    public func commit(
        optimistic: OptimisticUpdate<Operation>? = nil, serial: String? = nil,
        configuration: RequestConfiguration? = nil,
        update: (@Sendable (RecordSourceProxy, Operation.Data) throws -> Void)? = nil
    ) async throws(RelayError) -> GraphQLResponse<Operation> {
        throw .cancelled
    }
}
