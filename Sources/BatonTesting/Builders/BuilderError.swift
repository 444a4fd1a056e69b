/// The mistakes in the edits of a builder, or in the world that fills the rest.
public struct BuilderError: Error, Hashable, CustomStringConvertible {
    /// One text for each mistake.
    public let messages: [String]

    init(_ messages: [String]) { self.messages = messages }

    /// All messages, one on each line.
    public var description: String { messages.joined(separator: "\n") }
}
