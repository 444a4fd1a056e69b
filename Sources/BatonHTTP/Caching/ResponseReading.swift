/// An answer of a `ResponseStorage`.
public struct ResponseReading: Sendable {
    /// The response; nil if there is none.
    public var response: StoredResponse?
    /// The versions of the tags at the time of reading.
    public var versions: [UInt64]

    /// Makes an answer.
    public init(response: StoredResponse?, versions: [UInt64]) {
        self.response = response
        self.versions = versions
    }
}
