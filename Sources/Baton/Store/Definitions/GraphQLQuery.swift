/// A query, which a `QueryHandle` can hold.
public protocol GraphQLQuery: GraphQLOperation {}
