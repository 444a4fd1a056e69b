import Baton
import BatonHTTP
import HarbourOperations
import Testing

@Suite(.withServers, .timeLimit(.minutes(3)))
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
            #expect(try await visit.environment.fetch(ShipQuery(id: "ship:1")).data?.ship?.name == "Aurora")
        }
        let entries = try await visit.entries(2, "complete")
        #expect(entries.map(\.status) == [200, 304])
        #expect(entries.last?.headers["if-none-match"] != nil)
    }

    /// Clients that know nothing of each other, one cache between them and the server.
    @Test(.withCache, arguments: TransportKind.allCases)
    func aSharedCacheServesManyClients(_ transport: TransportKind) async throws {
        let recorder = MetadataRecorder()
        let numbers = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let visit = try Visit(
                        .cache, transport, documents: .automatic(hashOverGET: true), recorder)
                    return try await visit.environment.fetch(ServedQuery()).data?.served
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(!numbers.contains(nil))
        let statuses = await recorder.finish().compactMap { $0["x-cache-status"] }
        let hits = statuses.count { $0 == "HIT" }
        print("shared cache over \(transport): \(hits) hits of \(statuses.count) answers")
        // The first clients may have to send the text.
        #expect(hits >= 10)
        #expect(Set(numbers).count <= 10)
    }
}
