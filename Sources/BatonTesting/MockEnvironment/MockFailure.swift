/// What a test expected of a ``MockEnvironment``, and what was seen instead.
public struct MockFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The expectation, and what was seen.
    public let description: String

    init(_ description: String) { self.description = description }
}
