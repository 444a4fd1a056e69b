// What only fragments and queries with `@updatable` have. The compiler of Swift chooses these for others, and shows
// their sentence in place of the protocol that they do not conform to.

extension WritableQuery {
    /// The query has variables.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "give an argument for each variable without a default, as in (id: id)"
    )
    public init() { preconditionFailure("nothing can call this") }
}

extension RecordSourceProxy {
    /// Only a fragment with `@updatable` can be written.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "only a fragment with '@updatable' can be written through a struct"
    )
    public func writable<Fragment: GraphQLFragment>(_ reference: FragmentReference<Fragment>) -> Fragment.Data? { nil }

    /// Only a fragment with `@updatable` can be written.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "only a fragment with '@updatable' can be written through a struct"
    )
    public func writable<Fragment: GraphQLFragment>(
        _ type: Fragment.Type, at id: DataID, variables: [String: JSONValue] = [:]
    ) -> Fragment.Data? {
        nil
    }

    /// Only a query with `@updatable` can be written.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "only a query with '@updatable' can be written through a struct"
    )
    public func writable<Query: GraphQLOperation>(_ query: Query) -> Query.Data? { nil }
}
