/// The bytes of one GraphQL response from a service.
public struct NetworkResponse: Sendable {
    /// The JSON text of the response, in UTF-8, untouched.
    public let body: [UInt8]
    /// True if the transport will give another response to the same request.
    public let hasNext: Bool
    /// Values that the transport passes to the caller, such as a status or headers.
    public let metadata: [String: String]

    /// Wraps a response's body.
    public init(body: [UInt8], hasNext: Bool = false, metadata: [String: String] = [:]) {
        self.body = body
        self.hasNext = hasNext
        self.metadata = metadata
    }
}
