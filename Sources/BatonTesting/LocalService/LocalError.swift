public import Baton

/// An error with its own message for the response; a resolver throws it, or returns it as one item of a list.
///
/// For any other error that a resolver throws, the message is the error's description.
public struct LocalError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The message of the error in the response.
    public var message: String
    /// The members of the error's `extensions`; empty extensions are left out of the response.
    public var extensions: [JSONValue.Member]

    /// Makes an error, for example with a code in `extensions`.
    public init(_ message: String, extensions: [JSONValue.Member] = []) {
        self.message = message
        self.extensions = extensions
    }

    public var description: String { message }
}

/// The reasons why a `LocalService` could not be made: all mistakes in its schema and its resolvers.
public struct LocalSchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One text for each mistake. A mistake in the schema comes with line, column and the line itself.
    public let messages: [String]

    public var description: String { messages.joined(separator: "\n") }
}
