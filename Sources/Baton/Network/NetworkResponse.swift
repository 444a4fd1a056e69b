/// The bytes of one GraphQL response from a service.
public struct NetworkResponse: Sendable {
    /// The JSON text of the response, in UTF-8, untouched.
    public let body: [UInt8]
    /// True if the transport will give another response to the same request.
    public let hasNext: Bool
    /// Values that the transport passes to the caller, such as a status or headers.
    ///
    /// A transport may make them at each access, in time linear in their size: keep them to look at several.
    public var metadata: [String: String] {
        switch source {
        case .values(let values): values
        case .transport(let make): make()
        }
    }

    /// Where the metadata come from. Few callers look at them, so `HTTPNetwork` makes them when somebody asks.
    private enum Source: Sendable {
        case values([String: String])
        case transport(@Sendable () -> [String: String])
    }

    private let source: Source

    /// Wraps a response's body.
    public init(body: [UInt8], hasNext: Bool = false, metadata: [String: String] = [:]) {
        self.body = body
        self.hasNext = hasNext
        source = .values(metadata)
    }

    /// Wraps a response's body. The closure makes the metadata, each time that they are asked for.
    package init(body: [UInt8], hasNext: Bool = false, metadata: @escaping @Sendable () -> [String: String]) {
        self.body = body
        self.hasNext = hasNext
        source = .transport(metadata)
    }

    /// False if the transport said nothing besides the body.
    package var hasMetadata: Bool {
        if case .values(let values) = source { !values.isEmpty } else { true }
    }
}
