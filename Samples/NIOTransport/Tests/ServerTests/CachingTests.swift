import Baton
import BatonHTTP
import HarbourOperations
import Testing

@Suite(.withServers, .timeLimit(.minutes(20)))
struct CachingTests {
    @Test(arguments: TransportKind.allCases)
    func anAnswerServesAsLongAsTheServerAllows(_ transport: TransportKind) async throws {
        let cache = CachingInterceptor()
        let visit = try Visit(.core, transport, useGETForQueries: true, cache)
        let first = try await visit.environment.fetch(ServedQuery()).data?.served
        let second = try await visit.environment.fetch(ServedQuery()).data?.served
        #expect(first != nil)
        #expect(first == second)
        #expect(try await visit.entries(1, "complete").count == 1)
    }

    @Test(arguments: TransportKind.allCases)
    func anAnswerIsConfirmedByItsTag(_ transport: TransportKind) async throws {
        let url = try Server.core.url("/revalidated/graphql")
        let visit = try Visit(.core, transport, url: url, useGETForQueries: true, CachingInterceptor())
        for _ in 0..<2 {
            #expect(try await visit.environment.fetch(ShipQuery(id: "Ship:1")).data?.ship?.name == "Aurora")
        }
        let entries = try await visit.entries(2, "complete")
        #expect(entries.map(\.status) == [200, 304])
        #expect(entries.last?.headers["if-none-match"] != nil)
    }

    /// Many separate clients share one cache in front of the server.
    @Test(.withCache, arguments: TransportKind.allCases)
    func aSharedCacheServesManyClients(_ transport: TransportKind) async throws {
        let url = try Server.cache.url
        @Sendable func client(_ recorder: MetadataRecorder) throws -> RelayEnvironment {
            RelayEnvironment(
                network: HTTPNetwork(
                    url: url, transport: try transport.make(), documents: .automatic(hashOverGET: true)
                ).intercepted(by: recorder), log: { _ in })
        }
        // The first client tells the server the text.
        _ = try await client(MetadataRecorder()).fetch(ServedQuery())
        let recorder = MetadataRecorder()
        let numbers = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 {
                group.addTask { try await client(recorder).fetch(ServedQuery()).data?.served }
            }
            return try await group.reduce(into: Set<Int?>()) { $0.insert($1) }
        }
        let hits = await recorder.finish().count { $0["x-cache-status"] == "HIT" }
        print("nginx as a shared cache, \(transport): \(hits) of 20 answers")
        // One client may have had to wait for the server.
        #expect(hits >= 19)
        #expect(numbers.count == 1)
        #expect(!numbers.contains(nil))
    }

    /// The response for one user is not given to another, whichever header names the user.
    @Test(.withCache, arguments: TransportKind.allCases, ["Authorization", "Cookie"])
    func aSharedCacheKeepsUsersApart(_ transport: TransportKind, _ header: String) async throws {
        let url = try Server.cache.url
        var numbers: Set<Int> = []
        for user in ["a", "b"] {
            let network = HTTPNetwork(url: url, transport: try transport.make(), useGETForQueries: true) { _ in
                [header: "user=\(user)"]
            }
            let data = try await RelayEnvironment(network: network, log: { _ in }).fetch(ServedQuery()).data
            numbers.insert(try #require(data?.served))
        }
        #expect(numbers.count == 2)
    }
}
