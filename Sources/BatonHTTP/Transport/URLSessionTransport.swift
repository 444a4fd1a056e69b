import Baton
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with `URLSession`, over one session that reuses connections.
///
/// On Linux, `URLSession` cannot make a server wait. A response that arrives faster than it is read therefore piles up,
/// and ends with ``HTTPError/overrun(limit:)`` beyond `maximumWaitingBytes`. On other systems, the server has to wait.
///
/// Foundation on Linux ends the process when a connection is closed after the first line of a response and before the
/// end of its head (https://github.com/swiftlang/swift-corelibs-foundation/issues/5285), and on a `Content-Length` near
/// the greatest number. It may send a request without a body again when a kept connection closes before the response.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let delegate = URLSessionExchanges()
    private let keepsCookies: Bool
    private let maximumWaitingBytes: Int

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - connections: The number of requests that may be in flight at a time for each host; further requests wait.
    ///   - keepsCookies: True if cookies of the server are sent back to it, as long as the transport lives.
    ///   - maximumWaitingBytes: The number of bytes of one response that may wait to be read.
    public init(connections: Int = 16, keepsCookies: Bool = false, maximumWaitingBytes: Int = 64 << 20) {
        self.keepsCookies = keepsCookies
        self.maximumWaitingBytes = maximumWaitingBytes
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.httpShouldSetCookies = keepsCookies
        configuration.httpCookieAcceptPolicy = keepsCookies ? .onlyFromMainDocumentDomain : .never
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request and returns when the head of the response is there.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        guard let scheme = request.url.scheme?.lowercased(), ["http", "https"].contains(scheme), request.url.host != nil
        else { throw HTTPError.badURL(reason: "it has no host, or its scheme is not 'http' or 'https'") }
        var prepared = URLRequest(url: request.url)
        prepared.httpMethod = request.method.rawValue
        prepared.httpShouldHandleCookies = keepsCookies
        // The session's own timeout must never end a request before the network's timeouts do.
        prepared.timeoutInterval = 24 * 60 * 60
        for field in request.headers.fields { prepared.addValue(field.value, forHTTPHeaderField: field.name) }
        var feed: BodyFeed?
        switch request.body {
        case .none: break
        case .bytes(let bytes):
            #if canImport(FoundationNetworking)
                // Of bytes, libcurl would send some again when a kept connection closes before the response.
                feed = Self.feed(.one(bytes), length: bytes.count, into: &prepared)
            #else
                prepared.httpBody = Data(bytes)
            #endif
        case .pieces(let pieces, let length): feed = Self.feed(pieces, length: length, into: &prepared)
        }
        let task = session.dataTask(with: prepared)
        let exchange = URLSessionExchange(task, feed, maximumWaitingBytes: maximumWaitingBytes)
        delegate.add(exchange, for: task)
        feed?.start { exchange.end(with: $0) }
        return try await withTaskCancellationHandler {
            task.resume()
            return try await exchange.response()
        } onCancel: {
            exchange.end(with: CancellationError())
        }
    }

    /// Has the body of a request read from a stream, which cannot be read twice.
    private static func feed(_ pieces: HTTPPieces, length: Int, into request: inout URLRequest) -> BodyFeed {
        let feed = BodyFeed(pieces)
        request.httpBodyStream = feed.makeStream()
        request.setValue(String(length), forHTTPHeaderField: "Content-Length")
        #if canImport(FoundationNetworking)
            // libcurl sends chunks where it does not know a length. A blank field switches that off and is not sent.
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
        #endif
        return feed
    }
}
