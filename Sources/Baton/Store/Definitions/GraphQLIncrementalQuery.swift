/// A query whose answer may come in parts, because its document has `@defer`, `@stream` or `@stream_connection`. It is
/// fetched by ``RelayEnvironment/fetchStream(_:policy:configuration:)``, which returns a response for each part.
public protocol GraphQLIncrementalQuery: GraphQLQuery where ResponseFormat == GeneratedCode.IncrementalResponse {}
