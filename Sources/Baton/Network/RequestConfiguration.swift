/// The options of a caller for one request.
///
/// Callers share a request in flight only if their configurations are equal.
public struct RequestConfiguration: Sendable, Hashable {
    /// False if the response gets records of its own, and the store does not change. Only `fetch` of
    /// ``RelayEnvironment`` can do that; every other method refuses such a configuration with
    /// ``RelayError/configuration(_:)``.
    public var writeResultsToStore: Bool
    /// The effect of errors in the response.
    public var errorPolicy: RequestConfiguration.ErrorPolicy
    /// The longest time from the beginning of the request to its end, on the environment's clock; nil if the network
    /// decides. It replaces the time that a network allows, for example for a large file. When it is over, the request
    /// fails with ``RelayError/timedOut(after:)``; with zero or less it fails at once. A subscription has no timeout.
    public var timeout: Duration?
    /// Further headers. A transport gives them precedence over its own.
    public var headers: [String: String]
    /// The files that belong to variables. A transport that cannot send files refuses the request.
    public var uploads: [Upload]
    /// The key under which a server may recognize a repeated mutation. If it is nil, each commit gets a random key.
    public var idempotencyKey: String?
    /// Values for interceptors and transports.
    public var context: RequestContext

    /// Makes a configuration; omitted arguments have their defaults.
    public init(
        writeResultsToStore: Bool = true, errorPolicy: RequestConfiguration.ErrorPolicy = .partialData,
        timeout: Duration? = nil,
        headers: [String: String] = [:], uploads: [Upload] = [], idempotencyKey: String? = nil,
        context: RequestContext = RequestContext()
    ) {
        self.writeResultsToStore = writeResultsToStore
        self.errorPolicy = errorPolicy
        self.timeout = timeout
        self.headers = headers
        self.uploads = uploads
        self.idempotencyKey = idempotencyKey
        self.context = context
    }
}

extension RequestConfiguration {
    /// The reason why a request with this configuration must not be sent for the store.
    var refusal: RelayError? {
        writeResultsToStore
            ? nil
            : .configuration(
                "'writeResultsToStore: false' is for 'fetch' and 'fetchStream'; "
                    + "handles, mutations and subscriptions show what is in the store.")
    }
}

extension RequestConfiguration {
    /// The effect of errors in a response.
    public enum ErrorPolicy: Sendable, Hashable, CaseIterable {
        /// The data is used, and the errors are given together with it.
        case partialData
        /// The request fails with ``RelayError/hasErrors(_:)``, and nothing of the payload with the errors is kept.
        /// Payloads that landed before it stay in the store.
        case failure
    }
}
