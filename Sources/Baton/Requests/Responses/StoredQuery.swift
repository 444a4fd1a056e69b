/// The store's data of a query at one moment.
public struct StoredQuery<Query: GraphQLQuery>: Sendable {
    /// The data, with nil for missing nullable fields. It is nil if a non-null field has no value and no nullable field
    /// encloses it. Read its fragments with `environment.read(reference)`.
    public let data: Query.Data?
    /// The availability of the query's data, fragments included.
    public let availability: LogEvent.Check.Finding
    /// True if a field of the query itself is missing in the store.
    public let isMissingData: Bool
    /// The reason why there is no data: a field with `@required(action: THROW)` has no value, a field has an error
    /// under `@throwOnFieldError`, or the data is larger than ``StoreOptions/resultSize``.
    public let failure: RelayError?
    /// The errors of the last answer to the query.
    public let errors: [GraphQLError]
}

extension StoredQuery: Equatable {}
