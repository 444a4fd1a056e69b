import AsyncHTTPClient
import Baton
import BatonHTTP
import Foundation
import HarbourOperations
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOTransport

/// The requests per second and the latencies of many concurrent operations, and those of async-http-client alone with
/// the same bytes.
struct RequestLoad {
    let url: URL
    let concurrency: Int
    let requests: Int
    let rounds: Int

    /// The number of connections that every client may have.
    private static let connections = 64

    struct WrongAnswer: Error {}

    func run(into table: Table) async throws {
        let bytes = try await sentBytes()
        var alone: [Measurement] = []
        var transport: [Measurement] = []
        var network: [Measurement] = []
        var nio: [Measurement] = []
        var curlAlone: [Measurement] = []
        var curl: [Measurement] = []
        var session: [Measurement] = []
        // The measurements take turns, so that a busy moment of the machine affects all of them.
        for _ in 0..<rounds {
            alone.append(try await asyncHTTPClient(bytes))
            transport.append(try await self.alone(AsyncHTTPTransport(connections: Self.connections), bytes))
            curlAlone.append(try await self.alone(CurlTransport(connections: Self.connections), bytes))
            network.append(try await networkAlone())
            nio.append(try await environment(AsyncHTTPTransport(connections: Self.connections)))
            curl.append(try await environment(CurlTransport(connections: Self.connections)))
            session.append(try await environment(URLSessionTransport(connections: Self.connections)))
        }
        let base = Measurement.median(alone)
        let row = "\(concurrency) operations"
        table.add("async-http-client alone, \(row)", base, relativeTo: base)
        table.add("AsyncHTTPTransport alone, \(row)", .median(transport), relativeTo: base)
        table.add("HTTPNetwork over it, \(row)", .median(network), relativeTo: base)
        table.add("Baton over AsyncHTTPTransport, \(row)", .median(nio), relativeTo: base)
        table.add("CurlTransport alone, \(row)", .median(curlAlone), relativeTo: base)
        table.add("Baton over CurlTransport, \(row)", .median(curl), relativeTo: base)
        table.add("Baton over URLSession, \(row)", .median(session), relativeTo: base)
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
        return Measurement(latencies, took: start.duration(to: .now))
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
