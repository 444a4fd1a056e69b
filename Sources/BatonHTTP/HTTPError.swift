public import Baton
public import Foundation

/// The reason why a request got no answer over HTTP; `RelayError.transport` holds it.
public enum HTTPError: Error, Sendable, Hashable {
    /// The whole exchange took longer than the network's `timeout`.
    case timedOut(after: Duration)
    /// No byte was received for longer than the network's `idleTimeout`.
    case stalled(after: Duration)
    /// The answer has more bytes than the network's `maximumBodySize`.
    case bodyTooLarge(limit: Int)
    /// The server redirected the request, and the network did not follow.
    ///
    /// The target has another origin, which must not see credentials, or the status would turn the POST into a GET.
    case redirectRefused(status: Int, location: String)
    /// The server redirected the request more often than this number of times.
    case tooManyRedirects(Int)
    /// The received bytes are not an HTTP response.
    case notHTTP
    /// The connection failed: refused, broken off, name not found, certificate not trusted.
    case connection(URLError.Code, String)
}

extension HTTPError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .timedOut(let duration): "no complete answer came within \(duration)"
        case .stalled(let duration): "nothing was received for \(duration)"
        case .bodyTooLarge(let limit): "the answer has more than \(limit) bytes"
        case .redirectRefused(let status, let location):
            "the server redirects to '\(location)' with status \(status), which a POST does not follow"
        case .tooManyRedirects(let count): "the server redirected \(count) times"
        case .notHTTP: "the answer is no HTTP response"
        case .connection(let code, let reason):
            Self.isUnreached(code) ? "the server could not be reached (\(reason))" : "the connection failed (\(reason))"
        }
    }
}

extension HTTPError {
    /// Whether no connection to the server was made at all.
    ///
    /// A connection that broke later may have delivered the request.
    private static func isUnreached(_ code: URLError.Code) -> Bool {
        switch code {
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet: true
        default: false
        }
    }
}

extension HTTPError: TransportError {
    public var advice: String {
        switch self {
        case .timedOut: "Try again, or give the network a longer 'timeout'."
        case .stalled: "Try again, or give the network a longer 'idleTimeout'."
        case .bodyTooLarge: "Ask for less at a time, or give the network a larger 'maximumBodySize'."
        case .redirectRefused: "Make the network with that URL if it is the right one."
        case .tooManyRedirects: "Check the URL of the network and the redirects of the server."
        case .notHTTP: "Check the URL of the network."
        case .connection(let code, _): Self.advice(for: code)
        }
    }

    private static func advice(for code: URLError.Code) -> String {
        switch code {
        case .badURL, .unsupportedURL: "Check the URL of the network."
        case .cannotFindHost, .dnsLookupFailed: "Check the host in the URL of the network, and the connection."
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            "Check the certificates of the server and of this machine."
        default: "Check the connection and try again."
        }
    }
}
