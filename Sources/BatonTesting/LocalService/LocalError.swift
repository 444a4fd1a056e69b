public import Baton

/// What a resolver throws, or returns as one item of a list, to put an error of its own wording into the answer.
///
/// Any other error that a resolver throws appears with its description as the message.
public struct LocalError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The message of the error in the answer.
    public var message: String
    /// The members of its `extensions`; left out of the answer when empty.
    public var extensions: [JSONValue.Member]

    /// Makes an error with an optional code and the like in `extensions`.
    public init(_ message: String, extensions: [JSONValue.Member] = []) {
        self.message = message
        self.extensions = extensions
    }

    public var description: String { message }
}

/// Why a `LocalService` could not be made: everything that is wrong with its schema and its resolvers.
public struct LocalSchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One text for each mistake, those of the schema with line, column and the line itself.
    public let messages: [String]

    public var description: String { messages.joined(separator: "\n") }
}
