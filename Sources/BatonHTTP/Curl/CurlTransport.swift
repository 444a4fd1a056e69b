import Foundation

/// Sends requests with the system's libcurl, over HTTP/1.1 or, over TLS, HTTP/2, whichever the server chooses.
///
/// The library is opened at run time. A transport has one thread, which begins with the first request and ends when
/// there was nothing to do for `idleTime`, or when the transport goes. Connections are kept and used again.
///
/// A slow reader makes the server wait. If a kept connection closes before the response, the error is
/// ``HTTPError/closed(reason:)``, whatever the method. A request is sent once more only where the server has certainly
/// not carried it out. Redirects are not followed, there are no cookies, and the user and the password of a URL are not
/// sent.
///
/// The transport has no time limits but that of connecting: `HTTPNetwork` has them.
public final class CurlTransport: HTTPTransport {
    /// What the thread is told.
    struct Options: Sendable {
        let connecting: CurlOptions
        let connections: Int
        let idleTime: Duration
        let allowsHTTP2: Bool
        let maximumHeadSize: Int
        let maximumInflation: Int

        /// Whether a server is told that the client knows HTTP/2.
        func offersHTTP2(to url: URL) -> Bool {
            allowsHTTP2 && url.scheme?.lowercased() == "https" && CurlLibrary.hasHTTP2
        }
    }

    let options: Options
    private let loop: CurlLoop

    /// Makes a transport with connections of its own.
    ///
    /// - Parameters:
    ///   - options: Certificates, proxies, and how to connect.
    ///   - connections: How many connections to one host there may be; further requests wait for one, in order. An
    ///     event stream over HTTP/1.1 holds a connection as long as it lasts. Over HTTP/2, requests share one up to the
    ///     number of streams that the server allows, and further ones are made beyond it, one after the other.
    ///   - idleTime: How long a connection without requests is kept.
    ///   - allowsHTTP2: Whether HTTP/2 is offered; it needs `https`.
    ///   - maximumHeadSize: The largest head of a response in bytes, together with interim ones and trailers.
    ///   - maximumInflation: How many times larger than the received bytes a decompressed body may be.
    /// - Throws: ``HTTPError/unavailable(reason:)`` if the library is missing or cannot be used.
    public init(
        _ options: CurlOptions = CurlOptions(),
        connections: Int = 64,
        idleTime: Duration = .seconds(60),
        allowsHTTP2: Bool = true,
        maximumHeadSize: Int = 256 << 10,
        maximumInflation: Int = 250
    ) throws(HTTPError) {
        try CurlLibrary.load()
        self.options = Options(
            connecting: options, connections: max(connections, 1), idleTime: idleTime, allowsHTTP2: allowsHTTP2,
            maximumHeadSize: maximumHeadSize, maximumInflation: max(maximumInflation, 1))
        loop = CurlLoop(self.options)
    }

    deinit { loop.close() }

    /// Sends a request and returns when the head of the response is there.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        return try await CurlExchange(request, on: loop).response()
    }
}
