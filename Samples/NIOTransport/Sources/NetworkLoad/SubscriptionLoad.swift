import Baton
import BatonHTTP
import Foundation
import HarbourOperations

/// Many subscriptions of one environment over one WebSocket: the time until all events have arrived, and their memory.
struct SubscriptionLoad {
    let url: URL
    let count: Int
    let name: String
    let transport: any WebSocketTransport

    struct MissingEvents: Error {}

    func run(into table: Table) async throws {
        let network = WebSocketNetwork(url: url, transport: transport)
        let environment = RelayEnvironment(network: network, log: { _ in })
        // The first subscription pays for the connection and for other work that is done once.
        let first = try await Self.events(of: environment.subscribe(TicksSubscription(count: 0, delay: 0)))
        let before = ResidentMemory.bytes()
        let start = ContinuousClock.now
        let iterators = try await withThrowingTaskGroup(of: Held.self) { group in
            for number in 1...count {
                group.addTask {
                    try await Self.events(of: environment.subscribe(TicksSubscription(count: number, delay: 0)))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let took = start.duration(to: .now)
        let memory = max(ResidentMemory.bytes() - before, 0)
        let events = count * CannedServer.events
        table.add(
            "\(count) subscriptions on one socket over \(name): \(events) events in \(took.milliseconds) ms "
                + "(\(Int(Double(events) / took.seconds)) a second), \(memory / count) bytes of memory each")
        withExtendedLifetime((first, iterators)) {}
    }

    private typealias Held = AsyncThrowingStream<GraphQLResponse<TicksSubscription>, any Error>

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

/// The memory of this process that is in use.
enum ResidentMemory {
    static func bytes() -> Int {
        #if os(Linux)
            guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
            let fields = text.split(separator: " ")
            return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
        #else
            return 0
        #endif
    }
}
