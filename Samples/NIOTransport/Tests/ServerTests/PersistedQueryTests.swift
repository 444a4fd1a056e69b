import Baton
import BatonHTTP
import HarbourOperations
import Testing

@Suite(.withServers, .timeLimit(.minutes(20)))
struct PersistedQueryTests {
    @Test(arguments: TransportKind.allCases, [Server.strawberry, .core])
    func theTextIsSentOnce(_ transport: TransportKind, _ server: Server) async throws {
        let visit = try Visit(server, transport, documents: .automatic)
        for id in ["Ship:1", "Ship:2"] {
            #expect(try await visit.environment.fetch(ShipQuery(id: id)).data?.ship?.id == id)
        }
        // The hash alone comes first, then the text with the hash, and after that only hashes.
        let entries = try await visit.entries(3, "complete")
        let lengths = entries.compactMap { Int($0.headers["content-length"] ?? "") }
        try #require(lengths.count == 3)
        #expect(lengths[1] > lengths[0])
        #expect(lengths[2] == lengths[0])
    }

    @Test(arguments: TransportKind.allCases, [Server.strawberry, .core])
    func hashesGoOverGET(_ transport: TransportKind, _ server: Server) async throws {
        let visit = try Visit(server, transport, documents: .automatic(hashOverGET: true))
        for id in ["Ship:1", "Ship:2"] {
            #expect(try await visit.environment.fetch(ShipQuery(id: id)).data?.ship?.id == id)
        }
        #expect(try await visit.entries(3, "complete").map(\.method) == ["GET", "POST", "GET"])
    }
}
