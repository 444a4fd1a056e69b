/// An error that the server put into the `errors` of its answer (specification, section 7.1.2).
public struct GraphQLError: Error, Sendable, Hashable {
    /// A line and column of the operation's text, from 1.
    public struct Location: Sendable, Hashable {
        /// The line, from 1.
        public var line: Int
        /// The column, from 1.
        public var column: Int

        /// Pairs a line with a column.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// What went wrong, for a developer.
    public var message: String
    /// The field that has no value because of this error; nil if the error concerns the whole request.
    public var path: [PathComponent]?
    /// Where the operation's text asks for it.
    public var locations: [Location]
    /// Whatever else the server sent along.
    public var extensions: JSONValue?

    /// Puts together an error as a server would send it.
    public init(
        message: String,
        path: [PathComponent]? = nil,
        locations: [Location] = [],
        extensions: JSONValue? = nil
    ) {
        self.message = message
        self.path = path
        self.locations = locations
        self.extensions = extensions
    }
}

extension GraphQLError: CustomStringConvertible {
    /// The message, and where it belongs if the server said so.
    public var description: String {
        guard let path, !path.isEmpty else { return message }
        return "\(message) (at \(path.map(\.description).joined(separator: ".")))"
    }
}
