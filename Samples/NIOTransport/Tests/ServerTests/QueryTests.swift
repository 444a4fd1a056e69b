import Baton
import BatonHTTP
import Foundation
import HarbourOperations
import Testing

@Suite(.withServers, .timeLimit(.minutes(20)))
struct QueryTests {
    @Test(arguments: TransportKind.allCases, Server.all)
    func aQueryIsAnswered(_ transport: TransportKind, _ server: Server) async throws {
        let visit = try Visit(server, transport)
        let response = try await visit.environment.fetch(ShipsQuery())
        #expect(response.errors.isEmpty)
        #expect(response.data?.ships.map(\.id) == ["Ship:1", "Ship:2", "Ship:3"])
        #expect(response.data?.ships.map(\.kind) == [.ferry, .freighter, .tug])
        guard server.hasLogbook else { return }
        let entries = try await visit.entries(1, "complete")
        #expect(entries.map(\.method) == ["POST"])
    }

    @Test(arguments: TransportKind.allCases, Server.all)
    func aQueryOverGETIsAnswered(_ transport: TransportKind, _ server: Server) async throws {
        let visit = try Visit(server, transport, useGETForQueries: true)
        let response = try await visit.environment.fetch(ShipQuery(id: "Ship:2"))
        #expect(response.data?.ship?.name == "Borealis")
        guard server.hasLogbook else { return }
        let entries = try await visit.entries(1, "complete")
        #expect(entries.map(\.method) == ["GET"])
    }

    @Test(arguments: TransportKind.allCases, [Server.strawberry, .ariadne, .core] + Server.mocks)
    func aMutationChangesTheStore(_ transport: TransportKind, _ server: Server) async throws {
        // A query that is sent with GET is answered too.
        let visit = try Visit(server, transport, useGETForQueries: true)
        // `baton-mock` executes requests at the same time, so there each transport has a ship of its own.
        let id = server == .mock ? "Ship:\(transport)" : "Ship:3"
        _ = try await visit.environment.fetch(ShipQuery(id: id))
        let name = "Corona \(UUID().uuidString)"
        let response = try await visit.environment.commit(RenameMutation(id: id, name: name))
        #expect(response.data?.rename.name == name)
        let stored = try #require(try? await visit.environment.fetch(ShipQuery(id: id), policy: .storeOnly))
        #expect(stored.data?.ship?.name == name)
        guard server.hasLogbook else { return }
        #expect(try await visit.entries(2, "complete").map(\.method) == ["GET", "POST"])
    }

    @Test(arguments: TransportKind.allCases, Server.all)
    func anErrorOfAFieldLeavesTheRest(_ transport: TransportKind, _ server: Server) async throws {
        let response = try await Visit(server, transport).environment.fetch(SecretQuery(id: "Ship:1"))
        #expect(response.data?.ship?.name == "Aurora")
        #expect(response.data?.ship?.secret == nil)
        let error = try #require(response.errors.first)
        #expect(error.message == "the secret is secret")
        #expect(error.path == [.key("ship"), .key("secret")])
        #expect(error.extensions?["code"] == .string("FORBIDDEN"))
    }

    @Test(arguments: TransportKind.allCases, Server.all)
    func anErrorOfANonNullFieldTakesItsParent(_ transport: TransportKind, _ server: Server) async throws {
        let response = try await Visit(server, transport).environment.fetch(WreckQuery(id: "Ship:1"))
        #expect(response.data != nil)
        #expect(response.data?.ship == nil)
        #expect(response.errors.map(\.message) == ["Aurora has sunk"])
    }

    /// The servers answer with different statuses and types: 200 and 400, application/json and its GraphQL sibling.
    @Test(arguments: TransportKind.allCases, Server.all)
    func anAnswerWithoutDataHasItsErrors(_ transport: TransportKind, _ server: Server) async throws {
        let response = try await Visit(server, transport).environment.fetch(BrokenQuery())
        #expect(response.data == nil)
        #expect(response.errors.map(\.message) == ["the crane is broken"])
    }

    @Test(arguments: TransportKind.allCases)
    func aStatusIsTold(_ transport: TransportKind) async throws {
        let url = try Server.core.url("/said", ["status": "503", "type": "text/plain", "body": "closed for today"])
        await #expect(throws: RelayError.httpStatus(503, body: "closed for today")) {
            try await Visit(.core, transport, url: url).environment.fetch(ShipsQuery())
        }
        let nowhere = try Server.strawberry.url("/nowhere")
        let error = await #expect(throws: RelayError.self) {
            try await Visit(.strawberry, transport, url: nowhere).environment.fetch(ShipsQuery())
        }
        guard error?.status == 404 else {
            Issue.record("not 404 but \(String(describing: error))")
            return
        }
    }

    @Test(arguments: TransportKind.allCases)
    func aPageIsNoAnswer(_ transport: TransportKind) async throws {
        let url = try Server.core.url("/said", ["type": "text/html", "body": "<html>"])
        await #expect(throws: RelayError.contentType("text/html", body: "<html>")) {
            try await Visit(.core, transport, url: url).environment.fetch(ShipsQuery())
        }
    }

    @Test(
        arguments: TransportKind.allCases,
        [#"{"data":{"ships":["#, "[]", #"{"data":{"ships":7}}"#, #"{"data":"\#u{7}"}"#])
    func whatIsNoGraphQLIsNotKept(_ transport: TransportKind, _ body: String) async throws {
        let url = try Server.core.url("/said", ["body": body])
        let visit = try Visit(.core, transport, url: url)
        let error = await #expect(throws: RelayError.self) { try await visit.environment.fetch(ShipsQuery()) }
        guard error?.code == .invalidResponse else {
            Issue.record("not invalid but \(String(describing: error))")
            return
        }
        let stored = try? await visit.environment.fetch(ShipsQuery(), policy: .storeOnly)
        #expect(stored?.data == nil)
    }

    @Test(arguments: TransportKind.allCases)
    func connectionsAreUsedAgain(_ transport: TransportKind) async throws {
        let visit = try Visit(.strawberry, transport)
        for delay in 0..<5 {
            #expect(try await visit.environment.fetch(WaitQuery(delay: delay)).data?.wait == delay)
        }
        let entries = try await visit.entries(5, "complete")
        #expect(Set(entries.map(\.connection)).count == 1)
    }

    @Test(arguments: TransportKind.allCases)
    func cancellingClosesTheConnection(_ transport: TransportKind) async throws {
        let visit = try Visit(.strawberry, transport)
        let fetch = Task { try await visit.environment.fetch(WaitQuery(delay: 120_000)) }
        #expect(try await visit.entries(1).count == 1)
        fetch.cancel()
        await #expect(throws: RelayError.cancelled) { try await fetch.value }
        #expect(try await visit.entries(1, "abandoned").map(\.outcome) == ["abandoned"])
    }

    @Test(arguments: TransportKind.allCases)
    func aServerThatIsNotThereIsRefused(_ transport: TransportKind) async throws {
        // A port on which no server may listen.
        let url = try #require(URL(string: "http://127.0.0.1:1/graphql"))
        let error = await #expect(throws: RelayError.self) {
            try await Visit(.core, transport, url: url).environment.fetch(ShipsQuery())
        }
        guard case HTTPError.refused? = error?.underlying else {
            Issue.record("not refused but \(String(describing: error))")
            return
        }
    }
}
