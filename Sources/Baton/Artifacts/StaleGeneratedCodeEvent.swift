/// Generated code that is older than its source, for the log.
public struct StaleGeneratedCodeEvent: Sendable, Hashable {
    /// An operation or fragment whose source was edited.
    public struct Definition: Sendable, Hashable {
        /// The name in the document.
        public let name: String
        /// The path of the file that holds it, relative to the configuration.
        public let source: String

        /// Names a definition.
        public init(name: String, source: String) {
            self.name = name
            self.source = source
        }
    }

    /// The operation that was used.
    public let operationName: String
    /// What was edited: the operation, or fragments that it spreads.
    public let definitions: [Definition]
}

extension StaleGeneratedCodeEvent: CustomStringConvertible {
    /// What is stale and what to do, in one line.
    public var description: String {
        let places = definitions.map { "'\($0.name)' in \($0.source)" }.joined(separator: ", ")
        return "operation '\(operationName)' runs as it was generated, but its source has changed: \(places); "
            + "run 'baton compile'"
    }
}
