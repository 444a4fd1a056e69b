extension RelayError {
    /// What a program does after an error differs by kind: try again, show what the server said, look into the data,
    /// correct the program, or do nothing.
    ///
    /// A version of Baton may add a kind, so a `switch` has a `default`.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        private let name: String

        private init(_ name: String) { self.name = name }

        /// No GraphQL response arrived: the server cannot be reached, the connection broke, the time is over, or an
        /// HTTP status or another content came in its place. The same request may succeed later.
        public static let network = Kind("network")
        /// The server answered with GraphQL errors and no data, or with errors that the request does not allow, or
        /// refused a subscription. ``RelayError/graphQLErrors`` holds the errors.
        public static let server = Kind("server")
        /// The data is missing or wrong: a response that does not fit the operation or a limit, a field that must have
        /// a value and has none, a field error, or data that the store does not have.
        public static let data = Kind("data")
        /// The program asked for what cannot be, and would get the same error again. An updater that threw is one of
        /// these, because only the program knows why it did. ``RelayError/underlying`` is what it threw.
        public static let misuse = Kind("misuse")
        /// The request was cancelled. There is nothing to tell anybody.
        public static let cancelled = Kind("cancelled")

        /// The name of the constant.
        public var description: String { name }
    }

    /// The kind of the error, by which a program decides. It says who can do something about it; ``publicFailure`` says
    /// what a visitor of a page may be told.
    ///
    /// - ``Kind/network``: `noResponse`, `timedOut`, `httpStatus`, `contentType`, and `transport`, unless its
    ///   ``TransportError`` has another kind.
    /// - ``Kind/server``: `noData`, `hasErrors`.
    /// - ``Kind/data``: `invalidResponse`, `missingNonNullField`, `missingRequiredField`, `fieldErrors`, `notInStore`,
    ///   `resultTooLarge`.
    /// - ``Kind/misuse``: `configuration`, `updater`, `optimisticResponse`, `variableTooDeep`, `foreignReference`,
    ///   `noReference`, `notAsked`.
    /// - ``Kind/cancelled``: `cancelled`.
    public var kind: Kind {
        switch reason {
        case .transport(let error): (error as? any TransportError)?.kind ?? .network
        case .noResponse, .timedOut, .httpStatus, .contentType: .network
        case .noData, .hasErrors: .server
        case .invalidResponse, .missingNonNullField, .missingRequiredField, .fieldErrors, .notInStore,
            .resultTooLarge:
            .data
        case .configuration, .updater, .optimisticResponse, .variableTooDeep, .foreignReference, .noReference,
            .notAsked:
            .misuse
        case .cancelled: .cancelled
        }
    }
}
