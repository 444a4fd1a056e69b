public import Baton

/// The reason why a request got no response over HTTP; `RelayError.transport` holds it.
///
/// A `reason` is a text of the system for a person to read. No error holds a header of the request except `Accept`, the
/// query of a URL, a user name, a password or a part of a request's body.
public enum HTTPError: Error, Sendable, Hashable {
    /// The first response took longer than the network's `timeout`.
    case timedOut(after: Duration)
    /// No byte was received for longer than the network's `silenceTimeout`.
    case stalled(after: Duration)
    /// This machine has no connection to a network.
    case offline(reason: String)
    /// The name of the host was not found.
    case nameNotFound(reason: String)
    /// No connection to the host was made: no program accepts connections there, or no route leads there.
    case refused(reason: String)
    /// There is no secure connection, because of a certificate for example.
    case tls(reason: String)
    /// The connection broke off before the end of the response. The server may have executed the request.
    case closed(reason: String)
    /// The transport failed in another way.
    case failed(reason: String)
    /// The received bytes are not an HTTP response.
    case notHTTP
    /// The server seems to expect the other of the schemes `http` and `https`, or `ws` and `wss`. The associated text
    /// is the scheme of the URL.
    case wrongScheme(String, reason: String)
    /// The server has switched to WebSockets, and not as the handshake demands.
    case notWebSocket(reason: String)
    /// The response with this status has no body.
    case emptyBody(status: Int)
    /// The server can give none of the types of responses that the request's header `Accept` names, and answers with
    /// status 406. The last text is the beginning of the server's response.
    case notAcceptable(accept: String, body: String)
    /// The response, or a part of it, has more bytes than the network's `maximumBodySize`.
    case bodyTooLarge(limit: Int)
    /// More than this number of bytes of the response waited to be read.
    case overrun(limit: Int)
    /// The compressed body of the response is damaged, or exceeds the transport's limit after decompression.
    case compression(reason: String)
    /// The response has a charset that is not UTF-8.
    case charset(String)
    /// The server redirected the request, and the network did not follow. The location is given without its query.
    ///
    /// The target has another origin, which must not see credentials, or the status would turn the POST into a GET.
    case redirectRefused(status: Int, location: String)
    /// The server redirected the request more often than this number of times.
    case tooManyRedirects(Int)
    /// A library that the transport needs is not there, or cannot be used.
    case unavailable(reason: String)
    /// The URL is not one that the transport can send to.
    case badURL(reason: String)
    /// A file of the request cannot be sent.
    case file(path: String, reason: String)
}

extension HTTPError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .timedOut(let duration): "no response came within \(duration)"
        case .stalled(let duration): "nothing was received for \(duration)"
        case .offline(let reason): "this machine is offline (\(reason))"
        case .nameNotFound(let reason): "the name of the server was not found (\(reason))"
        case .refused(let reason): "the server could not be reached (\(reason))"
        case .tls(let reason): "the connection could not be made secure (\(reason))"
        case .closed(let reason): "the connection broke off (\(reason))"
        case .failed(let reason): "the connection failed (\(reason))"
        case .notHTTP: "the response is no HTTP response"
        case .wrongScheme(let scheme, let reason):
            "the server seems not to speak \(SchemeGuess.isSecure(scheme) ? "TLS" : "plain HTTP") at this port, and was "
                + "asked with '\(scheme)' (\(reason))"
        case .notWebSocket(let reason): "the server does not speak WebSockets as it says (\(reason))"
        case .emptyBody(let status): "the response with status \(status) has an empty body"
        case .notAcceptable(let accept, let body):
            "the server gives no response of a type that was asked for, and says so with status 406; sent was 'Accept: "
                + "\(accept)'" + (body.isEmpty ? "" : "; it says: \(body)")
        case .bodyTooLarge(let limit): "the response has more than \(limit) bytes"
        case .overrun(let limit): "the server sends faster than its responses are used: \(limit) bytes were waiting"
        case .compression(let reason): "the compressed response cannot be used (\(reason))"
        case .charset(let name): "the response is written in '\(name)', not in UTF-8"
        case .redirectRefused(let status, let location):
            "the server redirects to '\(location)' with status \(status), where the request must not follow"
        case .tooManyRedirects(let count): "the server redirected \(count) times"
        case .unavailable(let reason): "nothing can be sent, because \(reason)"
        case .badURL(let reason): "the URL cannot be used (\(reason))"
        case .file(let path, let reason): "the file '\(path)' cannot be sent, for \(reason)"
        }
    }
}

extension HTTPError: TransportError {
    /// A response that came and cannot be read is about the data; what could not be sent is a misuse.
    public var kind: RelayError.Kind {
        switch self {
        case .unavailable, .badURL, .file: .misuse
        case .bodyTooLarge, .overrun, .compression, .charset: .data
        case .timedOut, .stalled, .offline, .nameNotFound, .refused, .tls, .closed, .failed, .wrongScheme, .notHTTP,
            .emptyBody, .redirectRefused, .tooManyRedirects, .notWebSocket, .notAcceptable:
            .network
        }
    }

    public var gatewayStatus: Int {
        switch self {
        case .timedOut, .stalled: 504
        case .offline, .nameNotFound, .refused, .unavailable: 503
        default: 502
        }
    }

    public var outcome: String {
        switch self {
        case .unavailable, .badURL, .file: "The request was not sent"
        case .notHTTP, .emptyBody, .bodyTooLarge, .overrun, .compression, .charset, .redirectRefused,
            .tooManyRedirects, .notWebSocket, .notAcceptable:
            "The response cannot be used"
        case .timedOut, .stalled, .offline, .nameNotFound, .refused, .tls, .closed, .failed, .wrongScheme:
            "The request got no response"
        }
    }

    public var advice: String {
        switch self {
        case .timedOut: "Try again, or give the network a longer 'timeout'."
        case .stalled: "Try again, or give the network a longer 'silenceTimeout'."
        case .offline: "Connect this machine and try again."
        case .nameNotFound: "Check the host in the URL of the network, and the connection."
        case .refused: "Check that the server runs at the host and port of the URL, and try again."
        case .tls: "Check the certificates of the server and of this machine."
        case .closed, .failed: "Check the connection and try again."
        case .notHTTP: "Check the URL of the network; a port with TLS is asked with 'https'."
        case .wrongScheme(let scheme, _):
            "Use a URL with '\(SchemeGuess.other(than: scheme))', or with another port."
        case .notWebSocket:
            "Check that the URL is that of a WebSocket endpoint, and what stands between the server and this program."
        case .emptyBody: "Check that the URL is that of a GraphQL endpoint, and what stands in front of it."
        case .notAcceptable:
            "Give the network, or the configuration of the request, a header 'Accept' with the type that the server "
                + "wants, if it is one of streams or JSON."
        case .bodyTooLarge: "Ask for less at a time, or give the network a larger 'maximumBodySize'."
        case .overrun: "Let the server send less at a time, or allow the transport more 'maximumWaitingBytes'."
        case .compression: "Check what compresses the responses of the server, or allow the transport more inflation."
        case .charset: "Let the server answer in UTF-8."
        case .redirectRefused: "Make the network with that URL if it is the right one."
        case .tooManyRedirects: "Check the URL of the network and the redirects of the server."
        case .unavailable:
            "Install libcurl 7.68 or newer (on Debian 'apt-get install libcurl4'), link the program dynamically, or give "
                + "the network another transport."
        case .badURL: "Give the network a URL with 'http' or 'https', or 'ws' or 'wss' for a socket, and a host."
        case .file: "Check the file, and commit again."
        }
    }
}
