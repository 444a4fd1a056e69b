import AsyncHTTPClient
public import BatonHTTP
import Foundation
public import NIOCore
import NIOHTTP1
import NIOPosix
public import NIOSSL
import Tracing

/// Sends HTTP requests with async-http-client, over HTTP/1.1 or HTTP/2, whichever the server chooses.
///
///     RelayEnvironment(network: HTTPNetwork(url: endpoint, transport: AsyncHTTPTransport()))
///
/// Connections are kept and used again. All transports run on one group of event loops that the process shares. A body
/// is read from the socket on demand. Closing an exchange over HTTP/1.1 closes its connection.
///
/// The only time limit of the transport is that for connecting; `HTTPNetwork` has the others. Releasing the last
/// reference closes the connections in the background; ``shutdown()`` closes them and waits.
public final class AsyncHTTPTransport: HTTPTransport {
    private let client: HTTPClient
    private let executors: EventLoopExecutors

    /// Makes a transport with connections of its own.
    ///
    /// - Parameters:
    ///   - tls: The settings of TLS for `https`, such as trusted certificates; nil for those of the system.
    ///   - connections: The largest number of HTTP/1.1 connections to one host; further requests wait for one. An event
    ///     stream holds a connection during its whole life.
    ///   - connectTimeout: The longest time for one attempt to connect, TLS included, and for the wait for a connection
    ///     when all of them are busy.
    ///   - maximumInflation: The largest ratio of a decompressed body to the received bytes. It bounds the memory that
    ///     one read of a compressed body takes.
    ///   - allowsHTTP2: Whether HTTP/2 is offered; it needs `https`.
    ///   - group: The event loops. They must not be shut down before the last request is over.
    public init(
        tls: TLSConfiguration? = nil,
        connections: Int = 64,
        connectTimeout: Duration = .seconds(30),
        maximumInflation: Int = 250,
        allowsHTTP2: Bool = true,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(bounding: connectTimeout), read: nil),
            decompression: .enabled(limit: .ratio(maximumInflation))
        )
        configuration.httpVersion = allowsHTTP2 ? .automatic : .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        // A refused connection is an error at once. Retries belong to `RetryInterceptor`, not to a transport.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.http1_1ConnectionDebugInitializer = IdleGuard.watch
        // async-http-client parses the URL for each span, even if spans are not recorded.
        if configuration.tracing.tracer is NoOpTracer { configuration.tracing.tracer = nil }
        executors = EventLoopExecutors(group)
        client = HTTPClient(eventLoopGroup: group, configuration: configuration)
    }

    deinit { client.shutdown { _ in } }

    /// Closes all connections and returns when they are closed. Requests in flight and later ones fail.
    public func shutdown() async {
        try? await client.shutdown()
    }

    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let outgoing = OutgoingBody(request.body)
        let message = outgoing.message(for: request)
        do {
            // The client works on an event loop. With another executor, each await would wake another thread.
            return try await withTaskExecutorPreference(executors.any) {
                let response = try await execute(message, request.body)
                let body = ResponseBody(response.body, client: self)
                return HTTPResponse(
                    status: Int(response.status.code),
                    headers: BatonHTTP.HTTPHeaders(response.headers.map { .init($0.name, $0.value) }),
                    body: HTTPPieces { try await body.next() }
                )
            }
        } catch {
            throw Task.isCancelled ? CancellationError() : outgoing.failure ?? HTTPError.make(of: error)
        }
    }

    /// Sends a message, and again as long as it was to go over a connection that was no longer good, a few times.
    private func execute(_ message: HTTPClientRequest, _ body: HTTPRequest.Body) async throws -> HTTPClientResponse {
        for _ in 0..<16 {
            do {
                return try await client.execute(message, deadline: .distantFuture)
            } catch is IdleGuard.NothingWasSent {
                // The first pieces of a body are gone.
                if case .pieces = body { break }
            }
        }
        throw HTTPError.closed(reason: "something came in on the connection before the request")
    }
}

/// The body of one response. It keeps the transport alive. Releasing it closes the exchange.
private final class ResponseBody: @unchecked Sendable {
    // `HTTPPieces` demands that one task at a time reads, so that the iterator needs no lock.
    private var iterator: HTTPClientResponse.Body.AsyncIterator
    private let client: AsyncHTTPTransport

    init(_ body: HTTPClientResponse.Body, client: AsyncHTTPTransport) {
        iterator = body.makeAsyncIterator()
        self.client = client
    }

    func next() async throws -> [UInt8]? {
        do {
            let buffer = try await iterator.next()
            if buffer == nil { try Task.checkCancellation() }
            return buffer.map { Array($0.readableBytesView) }
        } catch {
            try Task.checkCancellation()
            throw HTTPError.make(of: error)
        }
    }
}
