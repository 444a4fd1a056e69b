public import Baton

extension RetryInterceptor {
    /// The statuses that say that the same request may succeed later. 500 is not among them: most servers send it for
    /// a mistake of their own that comes again.
    private static let statuses: Set<Int> = [408, 425, 429, 502, 503, 504]

    /// Returns true for failures that may pass: no connection, a connection that broke, no answer in time, and the
    /// statuses 408, 425, 429, 502, 503 and 504. An answer that breaks its protocol, and a socket that was closed for
    /// good, would come again.
    public static func isTransient(_ error: RelayError) -> Bool {
        switch error {
        case .httpStatus: error.status.map(statuses.contains) ?? false
        case .noResponse: true
        case .transport(let error as HTTPError): isTransient(error)
        case .transport(let error as WebSocketError): !error.isFatal
        case .transport(let error as RelayError.StreamError):
            // The server, or the reader, would do the same again.
            if case .closedEarly = error { true } else { false }
        case .transport(is BatchError): false
        // An error of a transport that is not known here; most are about connections.
        case .transport: true
        default: false
        }
    }

    private static func isTransient(_ error: HTTPError) -> Bool {
        switch error {
        case .timedOut, .stalled, .offline, .nameNotFound, .refused, .closed, .failed, .emptyBody: true
        case .tls, .notHTTP, .bodyTooLarge, .overrun, .compression, .charset, .redirectRefused, .tooManyRedirects,
            .unavailable, .badURL, .file, .wrongScheme:
            false
        }
    }
}
