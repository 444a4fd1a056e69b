/// A query, which a `QueryHandle` can hold.
public protocol GraphQLQuery: GraphQLOperation {
    /// Whether the answer comes at once or in parts. What a query gets from `fetch` and `fetchStream` depends on it.
    associatedtype ResponseFormat = GeneratedCode.SingleResponse
}
