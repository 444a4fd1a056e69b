/// A query whose answer may come in parts, because its document has `@defer`, `@stream` or `@stream_connection`. Its
/// `fetch` returns a response for each part.
public protocol GraphQLIncrementalQuery: GraphQLQuery {}
