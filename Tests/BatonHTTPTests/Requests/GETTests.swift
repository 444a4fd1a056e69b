import Baton
import Foundation
import Testing

@testable import BatonHTTP

@Suite("GET requests")
struct GETTests {
    private static let url = URL(string: "https://host/graphql") ?? URL(fileURLWithPath: "/")

    private func request(
        _ kind: OperationKind = .query, _ configuration: RequestConfiguration = RequestConfiguration()
    ) -> NetworkRequest {
        NetworkRequest(id: 1, operationName: "Q", kind: kind, text: "{ a }", configuration: configuration)
    }

    private func network(_ transport: ScriptedTransport, limit: Int = 8_000) -> HTTPNetwork {
        HTTPNetwork(url: Self.url, transport: transport, useGETForQueries: true, maximumURLLength: limit)
    }

    @Test("a query is sent with GET, without a body and with the fields for guards against forgery")
    func aQueryIsSentWithGET() async throws {
        let transport = ScriptedTransport { _ in .json("{}") }
        _ = try await network(transport).send(request())
        let sent = try #require(transport.sent.first)
        #expect(sent.method == "GET")
        #expect(sent.url == "https://host/graphql?query=%7B%20a%20%7D&operationName=Q")
        #expect(sent.body.isEmpty)
        #expect(sent.headers["Content-Type"] == nil)
        #expect(sent.headers["Apollo-Require-Preflight"] == "true")
    }

    @Test("a mutation and a subscription are never sent with GET", arguments: [OperationKind.mutation, .subscription])
    func mutationsAndSubscriptionsAreNeverSentWithGET(_ kind: OperationKind) async throws {
        let transport = ScriptedTransport { _ in .json("{}") }
        var configuration = RequestConfiguration()
        configuration.context[UsesGET.self] = true
        _ = try await network(transport).send(request(kind, configuration))
        #expect(transport.sent.map(\.method) == ["POST"])
    }

    @Test("a query whose URL would be too long is sent with POST")
    func aLongQueryIsSentWithPOST() async throws {
        let transport = ScriptedTransport { _ in .json("{}") }
        _ = try await network(transport, limit: 50).send(request())
        #expect(transport.sent.map(\.method) == ["POST"])
        #expect(transport.sent.map(\.url) == ["https://host/graphql"])
    }

    @Test("a request may override the method of its network", arguments: [true, false])
    func aRequestMayOverrideItsNetwork(_ usesGET: Bool) async throws {
        let transport = ScriptedTransport { _ in .json("{}") }
        let network = HTTPNetwork(url: Self.url, transport: transport, useGETForQueries: !usesGET)
        var configuration = RequestConfiguration()
        configuration.context[UsesGET.self] = usesGET
        _ = try await network.send(request(.query, configuration))
        #expect(transport.sent.map(\.method) == [usesGET ? "GET" : "POST"])
    }

    @Test("a GET follows every redirect within the origin", arguments: [301, 302, 303, 307, 308])
    func aGETFollowsRedirectsWithinTheOrigin(_ status: Int) async throws {
        let transport = ScriptedTransport { sent in
            sent.url.contains("/moved")
                ? .json("{}")
                : .json("", status: status, headers: ["Location": "/moved?\(sent.url.split(separator: "?")[1])"])
        }
        _ = try await network(transport).send(request())
        #expect(transport.sent.map(\.method) == ["GET", "GET"])
        #expect(transport.sent.last?.url == "https://host/moved?query=%7B%20a%20%7D&operationName=Q")
    }

    @Test("a GET follows no redirect to another origin, and the error keeps its secrets")
    func aGETFollowsNoRedirectToAnotherOrigin() async throws {
        let transport = ScriptedTransport { _ in
            .json("", status: 302, headers: ["Location": "https://user:pass@other/login?token=secret#x"])
        }
        let error = HTTPError.redirectRefused(status: 302, location: "https://other/login")
        await #expect(throws: RelayError.transport(error)) { try await network(transport).send(request()) }
        #expect(transport.sent.count == 1)
    }

    @Test("status 304 is an empty response if the request has a condition")
    func notModifiedIsAnEmptyResponse() async throws {
        let transport = ScriptedTransport { _ in
            .json("", status: 304, headers: ["ETag": "\"1\"", "Cache-Control": "max-age=60"])
        }
        let response = try await network(transport)
            .send(request(.query, RequestConfiguration(headers: ["if-none-match": "\"1\""])))
        #expect(response.body.isEmpty)
        #expect(response.metadata["status"] == "304")
        #expect(response.metadata["etag"] == "\"1\"")
        #expect(response.metadata["cache-control"] == "max-age=60")
        await #expect(throws: RelayError.httpStatus(304, body: "")) { try await network(transport).send(request()) }
    }
}
