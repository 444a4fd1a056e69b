import Baton
import BatonHTTP
import HarbourOperations
import Testing

/// The old graphql-core sends the older format, and the other servers the current one.
///
/// Only the newest state is shown. On a machine that is busy with something else, it may have all that came within the
/// server's delay: then a longer delay decides.
@Suite(.withServers, .timeLimit(.minutes(20)))
struct IncrementalTests {
    private static let servers: [Server] = [.strawberry, .core, .coreOld] + Server.mocks

    @Test(arguments: TransportKind.allCases, servers)
    func aDeferredFragmentComesLater(_ transport: TransportKind, _ server: Server) async throws {
        let visit = try Visit(server, transport)
        var logs: [String?] = []
        for delay in [300, 3_000, 20_000] where logs.count < 2 {
            logs = []
            for try await response in visit.environment.fetchStream(ShipWithLogQuery(id: "Ship:1", delay: delay)) {
                #expect(response.errors.isEmpty)
                let ship = try #require(response.data?.ship)
                #expect(ship.name == "Aurora")
                logs.append(visit.environment.read(ship.fragments.ship_log.reference)?.log)
            }
            #expect(logs.last == "Aurora left at dawn.")
        }
        #expect(logs.count >= 2)
    }

    @Test(arguments: TransportKind.allCases, servers)
    func itemsOfAStreamComeOneByOne(_ transport: TransportKind, _ server: Server) async throws {
        let visit = try Visit(server, transport)
        var counts: [Int] = []
        for delay in [150, 1_500, 10_000] where counts.count < 3 {
            counts = []
            for try await response in visit.environment.fetchStream(ShipWithCargoQuery(id: "Ship:2", delay: delay)) {
                #expect(response.errors.isEmpty)
                let cargo = try #require(response.data?.ship?.cargo)
                #expect(cargo.map(\.label) == (1...cargo.count).map { "Crate \($0) of ship 2" })
                counts.append(cargo.count)
            }
            #expect(counts == counts.sorted())
            #expect(counts.last == 4)
        }
        #expect(counts.count >= 3)
        #expect(counts.first.map { $0 < 4 } == true)
    }

    @Test(arguments: TransportKind.allCases, servers.filter(\.hasLogbook))
    func leavingBeforeTheEndClosesTheConnection(_ transport: TransportKind, _ server: Server) async throws {
        let visit = try Visit(server, transport)
        do {
            var parts = visit.environment.fetchStream(ShipWithLogQuery(id: "Ship:3", delay: 120_000))
                .makeAsyncIterator()
            #expect(try await parts.next()?.data?.ship != nil)
        }
        #expect(try await visit.entries(1, "abandoned").map(\.outcome) == ["abandoned"])
    }
}
