public import Baton

extension RetryInterceptor {
    /// The statuses after which the same request may succeed later. The status 500 is not one of them: most servers
    /// send it for a defect that comes again.
    private static let statuses: Set<Int> = [408, 425, 429, 502, 503, 504]

    /// True for failures after which the same request may succeed later: no connection, a connection that broke, no
    /// response in time, and the statuses 408, 425, 429, 502, 503 and 504. False for a response that breaks its
    /// protocol, and for a socket that was closed for good.
    public static func isTransient(_ error: RelayError) -> Bool {
        switch error.reason {
        case .httpStatus(let status, _, _): statuses.contains(status)
        case .noResponse: true
        case .transport(let error as HTTPError): isTransient(error)
        case .transport(let error as WebSocketError): !error.isFatal
        case .transport(let error as RelayError.StreamError):
            // Other errors of a stream are due to the server or the reader, and would come again.
            if case .closedEarly = error { true } else { false }
        case .transport(is BatchError): false
        // The error belongs to an unknown transport. Most such errors concern the connection; others say so.
        case .transport: error.kind == .network
        default: false
        }
    }

    private static func isTransient(_ error: HTTPError) -> Bool {
        switch error {
        case .timedOut, .stalled, .offline, .nameNotFound, .refused, .closed, .failed, .emptyBody: true
        case .tls, .notHTTP, .bodyTooLarge, .overrun, .compression, .charset, .redirectRefused, .tooManyRedirects,
            .unavailable, .badURL, .file, .wrongScheme, .notWebSocket, .notAcceptable:
            false
        }
    }
}
