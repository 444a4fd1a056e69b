import AsyncHTTPClient
import Baton
import BatonHTTP
import Foundation
import HarbourOperations
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOTransport

/// The requests per second and the latencies of many concurrent operations over one client.
struct RequestLoad {
    /// What sends the requests.
    enum Client: String, CaseIterable {
        case asyncHTTPClient = "async-http-client alone"
        case asyncHTTPTransport = "AsyncHTTPTransport alone"
        case network = "HTTPNetwork over it"
        case nio = "Baton over AsyncHTTPTransport"
        case curlTransport = "CurlTransport alone"
        case curl = "Baton over CurlTransport"
        case session = "Baton over URLSession"
    }

    let url: URL
    let concurrency: Int
    let requests: Int

    /// The number of connections that every client may have.
    static let connections = 64

    struct WrongAnswer: Error {}

    /// Measures one client; others would leave their memory and their threads in this process.
    func run(_ client: Client) async throws -> Measurement {
        switch client {
        case .asyncHTTPClient: try await asyncHTTPClient(sentBytes())
        case .asyncHTTPTransport:
            try await alone(AsyncHTTPTransport(connections: Self.connections), sentBytes())
        case .network: try await networkAlone()
        case .nio: try await environment(AsyncHTTPTransport(connections: Self.connections))
        case .curlTransport: try await alone(CurlTransport(connections: Self.connections), sentBytes())
        case .curl: try await environment(CurlTransport(connections: Self.connections))
        case .session: try await environment(URLSessionTransport(connections: Self.connections))
        }
    }

    /// The body of the requests, for a client that is no part of this program.
    func body() async throws -> String {
        guard case .bytes(let bytes) = try await sentBytes().body else { throw WrongAnswer() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The request of `HTTPNetwork` in the form in which its transport gets it.
    private func sentBytes() async throws -> HTTPRequest {
        let recorder = Recorder()
        let network = HTTPNetwork(url: url, transport: recorder)
        _ = try? await RelayEnvironment(network: network, log: { _ in }).fetch(ShipQuery(id: "ship:1"))
        guard let request = recorder.request.withLockedValue({ $0 }) else { throw WrongAnswer() }
        return request
    }

    private func environment(_ transport: some HTTPTransport) async throws -> Measurement {
        let environment = RelayEnvironment(network: HTTPNetwork(url: url, transport: transport), log: { _ in })
        return try await measure { worker in
            // Each worker has a query of its own. Otherwise the environment would send one request for all workers.
            let response = try await environment.fetch(ShipQuery(id: "ship:\(worker)"))
            guard response.data?.ship?.name == "Aurora" else { throw WrongAnswer() }
        }
    }

    /// The same bytes over the transport, without a network.
    private func alone(_ transport: some HTTPTransport, _ request: HTTPRequest) async throws -> Measurement {
        let expected = CannedServer.answer.utf8.count
        return try await measure { _ in
            var count = 0
            for try await piece in try await transport.send(request).body { count += piece.count }
            guard count == expected else { throw WrongAnswer() }
        }
    }

    /// Measures the network without an environment, so that no data are decoded.
    private func networkAlone() async throws -> Measurement {
        let recorder = RequestRecorder()
        _ = try? await RelayEnvironment(network: recorder, log: { _ in }).fetch(ShipQuery(id: "ship:1"))
        guard let request = recorder.request.withLockedValue({ $0 }) else { throw WrongAnswer() }
        let network = HTTPNetwork(url: url, transport: AsyncHTTPTransport(connections: Self.connections))
        return try await measure { _ in
            guard try await network.send(request).body.count == CannedServer.answer.utf8.count else {
                throw WrongAnswer()
            }
        }
    }

    private func asyncHTTPClient(_ recorded: HTTPRequest) async throws -> Measurement {
        guard case .bytes(let body) = recorded.body else { throw WrongAnswer() }
        var request = HTTPClientRequest(url: recorded.url.absoluteString)
        request.method = .POST
        for field in recorded.headers.fields { request.headers.add(name: field.name, value: field.value) }
        request.body = .bytes(ByteBuffer(bytes: body))
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.connections
        let client = HTTPClient(eventLoopGroup: .singletonMultiThreadedEventLoopGroup, configuration: configuration)
        let expected = CannedServer.answer.utf8.count
        let result = try await measure { [request] _ in
            let response = try await client.execute(request, timeout: .seconds(60))
            guard try await response.body.collect(upTo: 1 << 20).readableBytes == expected else { throw WrongAnswer() }
        }
        try await client.shutdown()
        return result
    }

    /// Runs the operation on all workers until the requests are used up.
    private func measure(_ operation: @escaping @Sendable (_ worker: Int) async throws -> Void) async throws
        -> Measurement
    {
        let each = max(requests / concurrency, 1)
        for worker in 0..<8 { try await operation(worker) }
        let before = Holdings.memory
        let start = ContinuousClock.now
        let latencies = try await withThrowingTaskGroup(of: [Duration].self) { group in
            for worker in 0..<concurrency {
                group.addTask {
                    var latencies: [Duration] = []
                    for _ in 0..<each {
                        let start = ContinuousClock.now
                        try await operation(worker)
                        latencies.append(start.duration(to: .now))
                    }
                    return latencies
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let took = start.duration(to: .now)
        return Measurement(
            latencies, took: took, memory: max(Holdings.peakMemory - before, 0) / concurrency, threads: Holdings.threads
        )
    }
}

/// A transport that keeps its request, and sends nothing.
private final class Recorder: HTTPTransport {
    let request = NIOLockedValueBox<HTTPRequest?>(nil)

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        self.request.withLockedValue { $0 = request }
        throw HTTPError.notHTTP
    }
}

/// A network that keeps the request of an environment, and sends nothing.
private final class RequestRecorder: NetworkLayer {
    let request = NIOLockedValueBox<NetworkRequest?>(nil)

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        self.request.withLockedValue { $0 = request }
        throw HTTPError.notHTTP
    }
}
