/// The bytes of one GraphQL response from a service.
public struct NetworkResponse: Sendable {
    /// The JSON text of the response, in UTF-8, untouched.
    public let body: [UInt8]
    /// True if the transport will give another response to the same request.
    public let hasNext: Bool
    /// Values that the transport passes to the caller, such as a status or headers.
    ///
    /// A transport may make the values at each access, in time linear in their size. Keep the result to read several
    /// values.
    public var metadata: [String: String] {
        switch source {
        case .values(let values): values
        case .transport(let make): make()
        }
    }

    /// The source of the metadata. Few callers read them, so `HTTPNetwork` makes them on demand.
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

    /// Wraps a response's body. The closure makes the metadata at each access.
    package init(body: [UInt8], hasNext: Bool = false, metadata: @escaping @Sendable () -> [String: String]) {
        self.body = body
        self.hasNext = hasNext
        source = .transport(metadata)
    }

    /// False if the transport has given only a body.
    package var hasMetadata: Bool {
        if case .values(let values) = source { !values.isEmpty } else { true }
    }
}
