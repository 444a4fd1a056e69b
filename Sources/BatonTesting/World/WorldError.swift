/// The reasons why a world refuses an override: all mistakes in it.
public struct WorldError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One text for each mistake, which begins with the place in the override.
    public let messages: [String]

    public var description: String { messages.joined(separator: "\n") }
}
