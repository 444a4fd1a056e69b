/// A query, which a `QueryHandle` can hold.
public protocol GraphQLQuery: GraphQLOperation {
    /// The format of the response: one payload or several. It decides whether `fetch` or `fetchStream` takes the query.
    associatedtype ResponseFormat = GeneratedCode.SingleResponse
}
