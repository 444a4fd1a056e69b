import Baton
import BatonHTTP
import Foundation
import HarbourOperations
import NIOTransport

/// Many subscriptions of one environment: the events a second until all have arrived, and what they hold.
struct SubscriptionLoad {
    /// What the subscriptions go over: one WebSocket, or an event stream over a connection of its own for each.
    enum Client: String, CaseIterable {
        case nioSocket = "one NIOWebSocketTransport"
        case curlSocket = "one CurlWebSocketTransport"
        case nioStreams = "event streams over AsyncHTTPTransport"
        case curlStreams = "event streams over CurlTransport"
        case sessionStreams = "event streams over URLSession"
    }

    let url: URL
    let count: Int

    struct MissingEvents: Error {}

    func run(_ client: Client) async throws -> Measurement {
        // One connection is left for others.
        let connections = count + 1
        let network: any NetworkLayer =
            switch client {
            case .nioSocket: WebSocketNetwork(url: url, transport: NIOWebSocketTransport())
            case .curlSocket: WebSocketNetwork(url: url, transport: try CurlWebSocketTransport())
            case .nioStreams: HTTPNetwork(url: url, transport: AsyncHTTPTransport(connections: connections))
            case .curlStreams: HTTPNetwork(url: url, transport: try CurlTransport(connections: connections))
            case .sessionStreams: HTTPNetwork(url: url, transport: URLSessionTransport(connections: connections))
            }
        let environment = RelayEnvironment(network: network, log: { _ in })
        // The first subscription pays for work that is done once.
        let first = try await Self.events(of: environment.subscribe(TicksSubscription(count: 0, delay: 0)))
        let before = Holdings.memory
        let start = ContinuousClock.now
        let iterators = try await withThrowingTaskGroup(of: (Held, Duration).self) { group in
            for number in 1...count {
                group.addTask {
                    let stream = try await Self.events(
                        of: environment.subscribe(TicksSubscription(count: number, delay: 0)))
                    return (stream, start.duration(to: .now))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let took = start.duration(to: .now)
        defer { withExtendedLifetime((first, iterators)) {} }
        let late = Measurement(
            iterators.map(\.1), took: took, memory: max(Holdings.memory - before, 0) / count, threads: Holdings.threads)
        return Measurement(
            rate: late.rate * Double(CannedServer.events), median: late.median, percentile99: late.percentile99,
            memory: late.memory, threads: late.threads)
    }

    private typealias Held = GraphQLResponses<TicksSubscription>

    /// Takes the events that the server sends at once, and returns the stream, which keeps the subscription alive.
    private static func events(of stream: Held) async throws -> Held {
        var taken = 0
        for try await response in stream {
            taken += 1
            guard response.data?.ticks == taken else { throw MissingEvents() }
            if taken == CannedServer.events { return stream }
        }
        throw MissingEvents()
    }
}
