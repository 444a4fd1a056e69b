import Baton
import BatonHTTP
import HarbourOperations
import Testing

@Suite(.withServers, .timeLimit(.minutes(20)))
struct BatchingTests {
    @Test(arguments: TransportKind.allCases)
    func queriesGoTogether(_ kind: TransportKind) async throws {
        let transport = try kind.make()
        let url = try Server.strawberry.url
        let visit = try Visit(.strawberry) { mark in
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
        #expect(try await visit.entries(1, "complete").count == 1)
    }
}
