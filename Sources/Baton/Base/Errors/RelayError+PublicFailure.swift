extension RelayError {
    /// A failure as the visitor of a page may be told of it: without anything of the inside of the server.
    public struct PublicFailure: Sendable, Hashable {
        /// The HTTP status: 400, 500, 502, 503 or 504 (RFC 9110, section 15).
        public let status: Int
        /// One or two sentences for a person. They say neither which server failed nor how.
        public let text: String
        /// The time after which it makes sense to try again; nil if nobody knows.
        public let retryAfter: Duration?
    }

    /// The failure as the visitor of a page may be told of it: a status and a text. A *response* is what a GraphQL
    /// server sends; this is what a site says in its own name when a response is missing or of no use. The text of
    /// `description` is for developers, and may hold addresses and texts of servers.
    ///
    /// | status | when |
    /// |---|---|
    /// | 400 | a variable, made of what the visitor has sent, is nested too deep |
    /// | 502 | the response of the GraphQL server is of no use: errors, no JSON, half of it |
    /// | 503 | the GraphQL server cannot be reached, or says itself that it has too much to do |
    /// | 504 | the response did not arrive in time, or the page was shown before it did |
    /// | 500 | the request was not sent, because of a mistake in the program |
    public var publicFailure: PublicFailure {
        switch publicStatus {
        case 400:
            PublicFailure(status: 400, text: "This address asks for something that does not exist.", retryAfter: nil)
        case 503:
            PublicFailure(
                status: 503, text: "The data cannot be reached at the moment. Please try again soon.",
                retryAfter: retryAfter)
        case 504:
            PublicFailure(
                status: 504, text: "The data took too long to arrive. Please try again soon.", retryAfter: nil)
        case 500:
            PublicFailure(status: 500, text: "Something went wrong on this site.", retryAfter: nil)
        default:
            PublicFailure(
                status: 502, text: "The data could not be read at the moment. Please try again soon.", retryAfter: nil)
        }
    }

    private var publicStatus: Int {
        switch reason {
        case .transport(let error): (error as? any TransportError)?.gatewayStatus ?? 502
        case .httpStatus(429, _, _), .httpStatus(503, _, _): 503
        case .httpStatus(408, _, _), .httpStatus(504, _, _): 504
        case .httpStatus, .contentType, .invalidResponse, .noData, .hasErrors, .noResponse, .missingNonNullField,
            .missingRequiredField, .fieldErrors:
            502
        case .timedOut: 504
        case .cancelled: 503
        case .variableTooDeep: 400
        case .configuration, .updater, .optimisticResponse, .foreignReference, .noReference, .notAsked, .notInStore,
            .resultTooLarge:
            500
        }
    }
}
