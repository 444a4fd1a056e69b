public import Baton
public import HTTPTypes

/// What a visitor is told when data could not be had: a status and a text without anything of the inside.
public struct PublicFailure: Sendable, Hashable {
    /// The status of the page.
    public var status: HTTPResponse.Status
    /// The text for the visitor.
    public var text: String

    /// Makes a failure.
    public init(status: HTTPResponse.Status, text: String) {
        self.status = status
        self.text = text
    }

    /// The failure of a page that got this error. A server that is too slow gives 504, one that is busy 503, one that
    /// is away or answers what cannot be used 502, and a mistake of this program 500.
    public init(_ error: RelayError) {
        switch error {
        case .timedOut: self.init(status: .gatewayTimeout, text: "The answer takes too long. Please try again.")
        case .httpStatus(429, _, _), .httpStatus(503, _, _), .cancelled, .loading:
            self.init(status: .serviceUnavailable, text: "There is much to do at the moment. Please try again.")
        case .transport, .httpStatus, .contentType, .invalidResponse, .noData, .hasErrors, .noResponse, .fieldErrors:
            self.init(status: .badGateway, text: "The data of this page is not available. Please try again.")
        default: self.init(status: .internalServerError, text: "Something went wrong.")
        }
    }
}
