import Baton
import BatonHTTP
import HarbourOperations
import Testing

@Suite(.withServers, .timeLimit(.minutes(20)))
struct BatchingTests {
    @Test(arguments: TransportKind.allCases, [Server.strawberry] + Server.mocks)
    func queriesGoTogether(_ kind: TransportKind, _ server: Server) async throws {
        let transport = try kind.make()
        let url = try server.url
        let visit = try Visit(server) { mark in
            // The window is longer than the test: the batch is sent when it is full.
            BatchingNetwork(
                over: HTTPNetwork(url: url, transport: transport, headers: { _ in ["X-Mark": mark] }),
                window: .seconds(600), maximumCount: 3)
        }
        let names = try await withThrowingTaskGroup(of: String?.self) { group in
            for id in ["Ship:1", "Ship:2", "Ship:9"] {
                group.addTask { try await visit.environment.fetch(ShipQuery(id: id)).data?.ship?.name }
            }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(names == ["Aurora", "Borealis", nil])
        guard server.hasLogbook else { return }
        #expect(try await visit.entries(1, "complete").count == 1)
    }
}
