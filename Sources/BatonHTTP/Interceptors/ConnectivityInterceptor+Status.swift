public import Baton

extension ConnectivityInterceptor {
    /// What is known about the service at one moment.
    public struct Status: Sendable, Equatable {
        /// The number of requests that wait for a response, without subscriptions and probes.
        public var requestsInFlight = 0
        /// The outage; nil while nothing says that the service cannot be reached.
        public var outage: Outage?

        /// Makes the status of a service that can be reached.
        public init() {}
    }

    /// A time in which the service cannot be reached.
    public struct Outage: Sendable, Equatable {
        /// The newest failure.
        public var error: RelayError
        /// The number of probes that have not found the service.
        public var failedProbes = 0
        /// True while a probe is under way.
        public var isProbing = false

        /// Makes an outage that has just begun.
        public init(_ error: RelayError) { self.error = error }
    }

    /// True for failures that mean that the service cannot be reached: no connection, a connection that broke, no
    /// response in time, and a status of 500 and more. False for other statuses, for a response that breaks its
    /// protocol, and for a request that was cancelled or could not be sent.
    ///
    /// Each such failure is of the kind `network`. The reverse is not true: a status of 404 and a page in place of a
    /// response come from a service that can be reached.
    public static func isOutage(_ error: RelayError) -> Bool {
        switch error.reason {
        case .httpStatus(let status, _, _): status >= 500
        case .timedOut: true
        default: RetryInterceptor.isTransient(error)
        }
    }
}
