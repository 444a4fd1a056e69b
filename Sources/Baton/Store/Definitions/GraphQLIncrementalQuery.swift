/// A query whose response may have several payloads, because its document has `@defer`, `@stream` or
/// `@stream_connection`. ``RelayEnvironment/fetchStream(_:policy:configuration:)`` fetches the query and returns a
/// response for each payload.
public protocol GraphQLIncrementalQuery: GraphQLQuery where ResponseFormat == GeneratedCode.IncrementalResponse {}
