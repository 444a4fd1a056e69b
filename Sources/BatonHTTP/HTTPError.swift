public import Foundation

/// Why no answer came over HTTP; a `RelayError.transport` holds it.
public enum HTTPError: Error, Sendable, Hashable {
    /// The whole exchange took longer than the network's `timeout`.
    case timedOut(after: Duration)
    /// The connection stood still for longer than the network's `idleTimeout`.
    case stalled(after: Duration)
    /// The answer has more bytes than the network's `maximumBodySize`.
    case bodyTooLarge(limit: Int)
    /// The server sent the request elsewhere, where it was not sent: to another origin, which must not see credentials,
    /// or with a status that would turn the POST into a GET.
    case redirectRefused(status: Int, location: String)
    /// One redirect led to the next, this many times.
    case tooManyRedirects(Int)
    /// What was received is no HTTP.
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
            "the server redirects to '\(location)' with status \(status), which a POST does not follow; use that URL"
        case .tooManyRedirects(let count): "the server redirected \(count) times"
        case .notHTTP: "the answer is no HTTP response"
        case .connection(_, let reason): reason
        }
    }
}
