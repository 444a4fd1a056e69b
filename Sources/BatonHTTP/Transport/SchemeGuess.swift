import Baton
import Foundation

/// Guesses from a failure that a server was asked with the wrong scheme: `https` or `wss` at a port without TLS, or
/// `http` or `ws` at a port with TLS.
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
        "http request", "http_request", "unknown protocol", "record overflow",
    ]
    /// The messages of servers with TLS about plain HTTP.
    private static let signsOfTLS = [
        "plain http request was sent to https port", "http request to an https server", "plain http to an ssl-enabled",
        "requires tls", "plain http to a tls",
    ]

    /// Whether a scheme means TLS.
    static func isSecure(_ scheme: String) -> Bool { ["https", "wss"].contains(scheme) }

    /// The scheme with TLS for one without, and the other way round.
    static func other(than scheme: String) -> String {
        switch scheme {
        case "https": "http"
        case "wss": "ws"
        case "ws": "wss"
        default: "https"
        }
    }

    /// An error about the wrong scheme if the guess is such, and otherwise the same error.
    func explained(_ error: any Error) -> any Error {
        switch (Self.isSecure(scheme), error) {
        case (true, HTTPError.tls(let reason)) where Self.has(reason, Self.signsOfPlainHTTP):
            return HTTPError.wrongScheme(scheme, reason: reason)
        case (false, let error as RelayError):
            guard case .httpStatus(let status, let body, _) = error.reason, (400..<500).contains(status),
                Self.has(body, Self.signsOfTLS)
            else { return error }
            return HTTPError.wrongScheme(scheme, reason: "it answers with status \(status) and asks for HTTPS")
        case (false, HTTPError.closed(let reason)) where !hasResponded:
            return HTTPError.closed(reason: "\(reason); perhaps this port expects '\(Self.other(than: scheme))'")
        default: return error
        }
    }

    private static func has(_ text: String, _ signs: [String]) -> Bool {
        let text = text.lowercased()
        return signs.contains { text.contains($0) }
    }
}
