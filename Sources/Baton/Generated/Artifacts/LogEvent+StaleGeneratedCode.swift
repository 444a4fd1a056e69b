extension LogEvent {
    /// A log event: generated code is older than its source.
    public struct StaleGeneratedCode: Sendable, Hashable {
        /// An operation or fragment whose source was edited.
        public struct Definition: Sendable, Hashable {
            /// The name in the document.
            public let name: String
            /// The path of the source file, relative to the configuration.
            public let source: String

            /// Names a definition.
            public init(name: String, source: String) {
                self.name = name
                self.source = source
            }
        }

        /// The name of the operation that was used.
        public let operationName: String
        /// The definitions that were edited: the operation itself, or fragments that it spreads.
        public let definitions: [Definition]
    }
}

extension LogEvent.StaleGeneratedCode: CustomStringConvertible {
    /// The stale definitions, and the advice to compile them, in one line.
    public var description: String {
        let places = definitions.map { "'\($0.name)' in \($0.source)" }.joined(separator: ", ")
        return "operation '\(operationName)' runs as it was generated, but its source has changed: \(places); "
            + "run 'baton compile'"
    }
}
