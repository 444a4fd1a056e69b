/// An error that the server put into the `errors` of its response (specification, section 7.1.2).
///
/// Of a response at most 1,000 errors are kept, with a megabyte of JSON together, and of each message at most 8,192
/// bytes. An error of more than 65,536 bytes loses its extensions and its other members.
/// ``LogEvent/irregularResponse(_:)`` says what was left out.
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

    /// The description of the error, for a developer, as the server wrote it: an application may look for a text in it.
    ///
    /// A server may repeat texts that it was sent, even credentials. Log events show `***` for the values of
    /// credentials in `message`, `path`, `extensions` and `otherMembers`. Read the message before you show it to
    /// anybody else.
    public var message: String
    /// The path of the field that has no value because of this error; nil if the error concerns the whole request.
    public var path: [JSONValue.PathComponent]?
    /// The places in the operation's text that the error refers to.
    public var locations: [Location]
    /// The `extensions` of the error, which the server defines.
    public var extensions: JSONValue?
    /// What the server adds beside the members of the specification: `code` or `type` of some servers.
    public var otherMembers: [String: JSONValue]

    /// Creates an error as a server would send it.
    public init(
        message: String,
        path: [JSONValue.PathComponent]? = nil,
        locations: [Location] = [],
        extensions: JSONValue? = nil,
        otherMembers: [String: JSONValue] = [:]
    ) {
        self.message = message
        self.path = path
        self.locations = locations
        self.extensions = extensions
        self.otherMembers = otherMembers
    }
}

extension GraphQLError: CustomStringConvertible {
    /// The message, followed by the path if the server sent one.
    public var description: String {
        guard let path, !path.isEmpty else { return message }
        return "\(message) (at \(path.map(\.description).joined(separator: ".")))"
    }
}

extension [GraphQLError] {
    /// The errors in one line for a person: the first ten, each of at most 500 bytes, and how many there are more.
    var text: String {
        let texts = prefix(10).map { $0.description.cut(to: 500) } + (count > 10 ? ["and \(count - 10) more"] : [])
        return texts.joined(separator: "; ")
    }
}
