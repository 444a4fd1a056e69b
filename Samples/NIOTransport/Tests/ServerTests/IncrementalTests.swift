import Baton
import BatonHTTP
import HarbourOperations
import Testing

/// Strawberry and the new graphql-core send the current format, the old graphql-core the older one.
@Suite(.withServers, .timeLimit(.minutes(3)))
struct IncrementalTests {
    private static let servers: [Server] = [.strawberry, .core, .coreOld]

    @Test(arguments: TransportKind.allCases, servers)
    func aDeferredFragmentComesLater(_ transport: TransportKind, _ server: Server) async throws {
        let visit = try Visit(server, transport)
        var logs: [String?] = []
        for try await response in visit.environment.fetchStream(ShipWithLogQuery(id: "ship:1", delay: 300)) {
            #expect(response.errors.isEmpty)
            let ship = try #require(response.data?.ship)
            #expect(ship.name == "Aurora")
            logs.append(visit.environment.read(ship.fragments.ship_log.reference)?.log)
        }
        // Only the newest state is shown. The first state shows the log only if the log had arrived by then.
        #expect(logs.count >= 2)
        #expect(logs.last == "Aurora left at dawn.")
    }

    @Test(arguments: TransportKind.allCases, servers)
    func itemsOfAStreamComeOneByOne(_ transport: TransportKind, _ server: Server) async throws {
        let visit = try Visit(server, transport)
        var counts: [Int] = []
        for try await response in visit.environment.fetchStream(ShipWithCargoQuery(id: "ship:2", delay: 150)) {
            #expect(response.errors.isEmpty)
            let cargo = try #require(response.data?.ship?.cargo)
            #expect(cargo.map(\.label) == (1...cargo.count).map { "Crate \($0) of ship 2" })
            counts.append(cargo.count)
        }
        #expect(counts.count >= 3)
        #expect(counts == counts.sorted())
        #expect(counts.first.map { $0 < 4 } == true)
        #expect(counts.last == 4)
    }

    @Test(arguments: TransportKind.allCases, servers)
    func leavingBeforeTheEndClosesTheConnection(_ transport: TransportKind, _ server: Server) async throws {
        let visit = try Visit(server, transport)
        do {
            var parts = visit.environment.fetchStream(ShipWithLogQuery(id: "ship:3", delay: 120_000))
                .makeAsyncIterator()
            #expect(try await parts.next()?.data?.ship != nil)
        }
        #expect(try await visit.entries(1, "abandoned").map(\.outcome) == ["abandoned"])
    }
}
