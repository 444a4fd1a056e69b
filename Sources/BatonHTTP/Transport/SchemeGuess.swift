import Baton
import Foundation

/// Guesses from a failure that a server was asked with the wrong scheme: `https` at a port without TLS, or `http` at a
/// port with TLS.
struct SchemeGuess: Sendable {
    private let scheme: String
    private let hasResponded: Bool

    /// - Parameter hasResponded: True if the server has answered before, which proves the scheme.
    init(_ url: URL, hasResponded: Bool) {
        scheme = url.scheme?.lowercased() ?? ""
        self.hasResponded = hasResponded
    }

    /// The messages of TLS libraries about bytes that are not TLS.
    private static let signsOfPlainHTTP = [
        "wrong version number", "wrong_version_number", "unexpected tls packet", "packet length too long",
        "http request",
        "http_request", "unknown protocol", "record overflow",
    ]
    /// The messages of servers with TLS about plain HTTP.
    private static let signsOfTLS = [
        "plain http request was sent to https port", "http request to an https server", "plain http to an ssl-enabled",
        "requires tls", "plain http to a tls",
    ]

    /// An error about the wrong scheme if the guess is such, and otherwise the same error.
    func explained(_ error: any Error) -> any Error {
        switch (scheme, error) {
        case ("https", HTTPError.tls(let reason)) where Self.has(reason, Self.signsOfPlainHTTP):
            return HTTPError.wrongScheme("https", reason: reason)
        case ("http", RelayError.httpStatus(let status, let body, _))
        where (400..<500).contains(status) && Self.has(body, Self.signsOfTLS):
            return HTTPError.wrongScheme("http", reason: "it answers with status \(status) and asks for HTTPS")
        case ("http", HTTPError.closed(let reason)) where !hasResponded:
            return HTTPError.closed(reason: "\(reason); perhaps this port expects 'https'")
        default: return error
        }
    }

    private static func has(_ text: String, _ signs: [String]) -> Bool {
        let text = text.lowercased()
        return signs.contains { text.contains($0) }
    }
}
