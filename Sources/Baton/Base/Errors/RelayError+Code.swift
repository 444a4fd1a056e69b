extension RelayError {
    /// What happened, finer than ``Kind``. Each code is named like the function or property that makes the error.
    ///
    /// A version of Baton may add a code, so a `switch` has a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: String

        private init(_ name: String) { self.name = name }

        /// An error of a transport. ``RelayError/underlying`` is that error.
        public static let transport = Code("transport")
        /// An HTTP status that is not a success: ``RelayError/status``, ``RelayError/body``, ``RelayError/retryAfter``.
        public static let httpStatus = Code("httpStatus")
        /// A response that is not JSON: ``RelayError/contentType``, ``RelayError/body``.
        public static let contentType = Code("contentType")
        /// A response that is not one for the operation: ``RelayError/invalidResponse``.
        public static let invalidResponse = Code("invalidResponse")
        /// A response without data: ``RelayError/graphQLErrors``.
        public static let noData = Code("noData")
        /// Errors in a response that must not have any: ``RelayError/graphQLErrors``.
        public static let hasErrors = Code("hasErrors")
        /// An end without a response.
        public static let noResponse = Code("noResponse")
        /// No whole response in time: ``RelayError/timeout``.
        public static let timedOut = Code("timedOut")
        /// A configuration that the operation or the network cannot serve.
        public static let configuration = Code("configuration")
        /// An updater that threw. ``RelayError/underlying`` is what it threw.
        public static let updater = Code("updater")
        /// An optimistic response that does not fit its mutation: ``RelayError/invalidResponse``.
        public static let optimisticResponse = Code("optimisticResponse")
        /// A cancelled request.
        public static let cancelled = Code("cancelled")
        /// A variable that is nested too deep: ``RelayError/variable``, ``RelayError/limit``.
        public static let variableTooDeep = Code("variableTooDeep")
        /// A reference of another environment, or of one that is gone: ``RelayError/component``.
        public static let foreignReference = Code("foreignReference")
        /// A handle without the reference that it needs: ``RelayError/component``.
        public static let noReference = Code("noReference")
        /// A page that was asked for before the list: ``RelayError/component``.
        public static let notAsked = Code("notAsked")
        /// Data that the store does not have, under `storeOnly`: ``RelayError/component``.
        public static let notInStore = Code("notInStore")
        /// No value for a non-null field in the response to a mutation: ``RelayError/path``.
        public static let missingNonNullField = Code("missingNonNullField")
        /// No value for a field with `@required(action: THROW)`: ``RelayError/path``.
        public static let missingRequiredField = Code("missingRequiredField")
        /// Errors of fields under `@throwOnFieldError`: ``RelayError/fieldErrors``.
        public static let fieldErrors = Code("fieldErrors")
        /// Data that is larger than the limit: ``RelayError/component``, ``RelayError/limit``.
        public static let resultTooLarge = Code("resultTooLarge")

        /// The name of the constant.
        public var description: String { name }
    }

    /// What happened, for a program that tells more than the kinds apart:
    ///
    ///     if error.code == .httpStatus, error.status == 404 { ... }
    public var code: Code {
        switch reason {
        case .transport: .transport
        case .httpStatus: .httpStatus
        case .contentType: .contentType
        case .invalidResponse: .invalidResponse
        case .noData: .noData
        case .hasErrors: .hasErrors
        case .noResponse: .noResponse
        case .timedOut: .timedOut
        case .configuration: .configuration
        case .updater: .updater
        case .optimisticResponse: .optimisticResponse
        case .cancelled: .cancelled
        case .variableTooDeep: .variableTooDeep
        case .foreignReference: .foreignReference
        case .noReference: .noReference
        case .notAsked: .notAsked
        case .notInStore: .notInStore
        case .missingNonNullField: .missingNonNullField
        case .missingRequiredField: .missingRequiredField
        case .fieldErrors: .fieldErrors
        case .resultTooLarge: .resultTooLarge
        }
    }
}
