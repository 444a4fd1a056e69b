import Baton
import BatonHTTP
import Foundation
import HarbourOperations
import NIOTransport
import Testing

@Suite(.withServers, .timeLimit(.minutes(20)))
struct SocketTests {
    typealias Dialect = (Server, WebSocketOptions.Subprotocol, SocketKind)

    /// The servers, what they speak, and the transports.
    static let dialects: [Dialect] = SocketKind.allCases.flatMap { kind -> [Dialect] in
        var dialects: [Dialect] = [
            (.strawberry, .graphqlTransportWS, kind), (.strawberry, .graphqlWS, kind),
            (.ariadne, .graphqlTransportWS, kind),
        ]
        for mock in Server.mocks {
            dialects += [(mock, .graphqlTransportWS, kind), (mock, .graphqlWS, kind)]
        }
        return dialects
    }

    private static func visit(
        _ server: Server, _ subprotocol: WebSocketOptions.Subprotocol, _ kind: SocketKind
    ) throws -> Visit {
        var options = WebSocketOptions()
        options.subprotocols = [subprotocol]
        options.reconnecting = ReconnectPolicy(firstDelay: .milliseconds(10), maximumDelay: .seconds(1))
        return try Visit(server) { mark in
            WebSocketNetwork(
                url: try server.url, transport: try kind.make(), options: options,
                headers: { ["X-Mark": mark] })
        }
    }

    @Test(arguments: dialects)
    func eventsComeInOrderAndEnd(
        _ server: Server, _ subprotocol: WebSocketOptions.Subprotocol, _ kind: SocketKind
    ) async throws {
        let events = try Self.visit(server, subprotocol, kind).environment.subscribe(
            TicksSubscription(count: 5, delay: 20))
        let ticks = try await events.reduce(into: []) { $0.append($1.data?.ticks) }
        #expect(ticks == [1, 2, 3, 4, 5])
    }

    /// Strawberry refuses them in the older protocol.
    @Test(arguments: [Server.strawberry, .ariadne] + Server.mocks, SocketKind.allCases)
    func queriesAndMutationsGoOverTheSocketToo(_ server: Server, _ kind: SocketKind) async throws {
        let visit = try Self.visit(server, .graphqlTransportWS, kind)
        #expect(try await visit.environment.fetch(ShipQuery(id: "Ship:1")).data?.ship?.name == "Aurora")
        let response = try await visit.environment.commit(RenameMutation(id: "Ship:9", name: "Nobody"))
        #expect(response.data == nil)
        #expect(response.errors.map(\.message) == ["there is no ship Ship:9"])
    }

    @Test(arguments: dialects)
    func anErrorInMidstreamIsToldAfterTheEvents(
        _ server: Server, _ subprotocol: WebSocketOptions.Subprotocol, _ kind: SocketKind
    ) async throws {
        let visit = try Self.visit(server, subprotocol, kind)
        var ticks: [Int] = []
        var messages: [String] = []
        do {
            for try await event in visit.environment.subscribe(TicksSubscription(count: 5, delay: 20, failAt: 3)) {
                if let tick = event.data?.ticks { ticks.append(tick) }
                messages += event.errors.map(\.message)
            }
        } catch {
            messages += error.graphQLErrors.map(\.message)
        }
        #expect(ticks == [1, 2])
        #expect(messages == ["the clock has stopped"])
    }

    @Test(arguments: dialects)
    func manyOperationsShareOneSocket(
        _ server: Server, _ subprotocol: WebSocketOptions.Subprotocol, _ kind: SocketKind
    ) async throws {
        let visit = try Self.visit(server, subprotocol, kind)
        try await withThrowingTaskGroup(of: [Int?].self) { group in
            for count in 1...50 {
                group.addTask {
                    let events = visit.environment.subscribe(TicksSubscription(count: count, delay: 5))
                    return try await events.reduce(into: []) { $0.append($1.data?.ticks) }
                }
            }
            var ends: Set<Int?> = []
            for try await ticks in group {
                #expect(ticks == Array(1...ticks.count))
                ends.insert(ticks.last ?? nil)
            }
            #expect(ends.count == 50)
        }
        guard server.hasLogbook else { return }
        #expect(try await visit.entries().count == 1)
    }

    @Test(arguments: dialects)
    func aCutSocketIsMadeAgain(
        _ server: Server, _ subprotocol: WebSocketOptions.Subprotocol, _ kind: SocketKind
    ) async throws {
        let visit = try Self.visit(server, subprotocol, kind)
        try await expectNewBeginning(visit) { try await visit.drop() }
        guard server.hasLogbook else { return }
        #expect(try await visit.entries(2).count == 2)
    }

    /// One after the other, since all use the same server.
    @Test(.serialized, arguments: SocketKind.allCases)
    func aServerThatStartsAnewIsFoundAgain(_ kind: SocketKind) async throws {
        let visit = try Self.visit(.restarted, .graphqlTransportWS, kind)
        try await expectNewBeginning(visit) { try await visit.restart() }
    }

    @Test(arguments: SocketKind.allCases)
    func theSocketClosesAfterTheLastOperation(_ kind: SocketKind) async throws {
        var options = WebSocketOptions()
        options.idleTime = .zero
        let visit = try Visit(.strawberry) { [options] mark in
            WebSocketNetwork(
                url: try Server.strawberry.url, transport: try kind.make(), options: options,
                headers: { ["X-Mark": mark] })
        }
        _ = try await visit.environment.fetch(ShipsQuery())
        #expect(try await visit.entries(1, "closed 1000").map(\.outcome) == ["closed 1000"])
    }

    @Test func urlSessionWorksOrSaysThatItCannot() async throws {
        let network = WebSocketNetwork(url: try Server.strawberry.url, transport: URLSessionWebSocketTransport())
        do {
            let response = try await RelayEnvironment(network: network, log: { _ in }).fetch(ShipsQuery())
            #expect(response.data?.ships.count == 3)
        } catch {
            guard case WebSocketError.notSupported? = error.underlying else { throw error }
        }
    }

    /// Subscribes, disturbs the connection after the first event, and waits until the events begin at 1 again.
    private func expectNewBeginning(_ visit: Visit, _ disturb: () async throws -> Void) async throws {
        var events = visit.environment.subscribe(TicksSubscription(count: 100_000, delay: 50)).makeAsyncIterator()
        #expect(try await events.next()?.data?.ticks == 1)
        try await disturb()
        var last = 1
        while let tick = try await events.next()?.data?.ticks {
            if tick <= last {
                #expect(tick == 1)
                return
            }
            last = tick
        }
        Issue.record("the subscription ended")
    }
}
