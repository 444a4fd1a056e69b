// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Baton
import Foundation
import Testing

@testable import BatonHTTP

/// The credentials of a request in texts of a server. The application gets the errors of a response without changes. No
/// log and no other error repeats a credential.
@Suite struct LoggedCredentialTests {
    private static let url = URL(string: "http://host/graphql") ?? URL(fileURLWithPath: "/")
    private static let token = "s3cr3t-t0ken"
    private static let message = "no entry for \(token)"
    private static let errors = """
        "errors":[{"message":"\(message)","path":["film","\(token)"],"extensions":{"\(token)":["\(token)"]}},\
        {"message":"irregular \(token)","path":"\(token)"},{"message":"\(token)\(String(repeating: "x", count: 70_000))"}]
        """

    /// The texts of the events that a log could show: their descriptions, and their parts.
    private func logged(
        _ network: any NetworkLayer, _ configuration: RequestConfiguration = RequestConfiguration()
    ) async -> (outcome: Result<GraphQLResponse<NumberQuery>, RelayError>, log: String) {
        let log = Guarded("")
        let environment = RelayEnvironment(network: network) { event in
            log.withLock {
                $0 += "\(event)\n"
                dump(event, to: &$0)
            }
        }
        do throws(RelayError) {
            return (
                .success(try await environment.fetch(NumberQuery(), configuration: configuration)), log.withLock(\.self)
            )
        } catch {
            return (.failure(error), log.withLock(\.self))
        }
    }

    private static func http(_ body: String, headers: HTTPHeaders = ["Authorization": "Bearer \(token)"])
        -> HTTPNetwork
    {
        HTTPNetwork(url: url, transport: ScriptedTransport { _ in .json(body) }, headers: { _ in headers })
    }

    @Test(
        "the application gets the errors of a response exactly, and the log gets them without credentials",
        arguments: ["null", #"{"n":1}"#])
    func credentialsInErrorsAreStruckFromTheLog(_ data: String) async throws {
        let body = #"{"data":\#(data),\#(Self.errors)}"#
        let networks: [any NetworkLayer] = [
            Self.http(body), Self.http(body, headers: ["Cookie": "a=b; session=\(Self.token)"]),
        ]
        for network in networks {
            let (outcome, log) = await logged(network)
            let errors = try outcome.get().errors
            #expect(errors.first?.message == Self.message)
            #expect(errors.first?.path == [.key("film"), .key(Self.token)])
            #expect(errors.first?.extensions?[Self.token] == [.string(Self.token)])
            #expect(log.contains("no entry for ***") && log.contains("irregular ***"))
            #expect(!log.contains(Self.token))
        }
    }

    @Test("the log has no credentials of any request of a batch")
    func credentialsOfABatchAreStruckFromTheLog() async throws {
        let errors = #"{"data":null,"errors":[{"message":"\#(Self.message)"}]}"#
        let network = BatchingNetwork(over: Self.http("[\(errors),\(errors)]"), maximumCount: 2)
        async let first = logged(network)
        for (outcome, log) in [await logged(network), await first] {
            #expect(try outcome.get().errors.map(\.message) == [Self.message])
            #expect(log.contains("no entry for ***") && !log.contains(Self.token))
        }
    }

    @Test("errors that fail a response are exact for the application, and without credentials in the log")
    func credentialsOfAFailedAnswerAreStruckFromTheLog() async throws {
        let configuration = RequestConfiguration(errorPolicy: .failure)
        let (outcome, log) = await logged(Self.http(#"{"data":{"n":1},\#(Self.errors)}"#), configuration)
        let error = #expect(throws: RelayError.self) { try outcome.get() }
        #expect(error?.graphQLErrors.first?.message == Self.message)
        #expect(log.contains("The response has errors, so it was not used: no entry for ***"))
        #expect(!log.contains(Self.token))
    }

    @Test(
        "a malformed answer is quoted without credentials", arguments: ["oh \(token)", #"{"data":{"n":"\#(token)"}}"#])
    func credentialsInAMalformedAnswerAreStruck(_ body: String) async {
        let (outcome, log) = await logged(Self.http(body))
        let error = #expect(throws: RelayError.self) { try outcome.get() }
        #expect(error.map { "\($0)".contains(Self.token) } == false)
        #expect(log.contains("***") && !log.contains(Self.token))
    }

    @Test("a header of the caller is struck from the log of an application's own network too")
    func credentialsOfAnOwnNetworkAreStruck() async {
        let network = StubNetwork { _, _ in .text(#"{"data":null,"errors":[{"message":"\#(Self.message)"}]}"#) }
        let (_, log) = await logged(network, RequestConfiguration(headers: ["X-Key": Self.token]))
        #expect(log.contains("no entry for ***") && !log.contains(Self.token))
    }

    // MARK: - One connection for many operations

    private static func sockets(
        _ subprotocol: WebSocketOptions.Subprotocol, _ server: @escaping MemorySocketTransport.Server
    ) -> [WebSocketNetwork] {
        let bearer = JSONValue.object([.init("Authorization", .string("Bearer \(token)"))])
        let credentials: [(HTTPHeaders, JSONValue?)] = [
            (["Authorization": "Bearer \(token)"], nil), ([:], ["token": .string(token)]),
            ([:], ["headers": [bearer, ["Authorization": "another"]], "id": 7]),
        ]
        return credentials.map { headers, payload in
            var options = WebSocketOptions()
            options.reconnecting = .never
            options.pingInterval = nil
            return WebSocketNetwork(
                url: url, transport: MemorySocketTransport(subprotocol, server: server), options: options,
                clock: SocketTestClock(), headers: { headers }, payload: { payload })
        }
    }

    @Test(
        "errors over a socket are exact for the application, and without credentials in the log",
        arguments: [
            ("next", WebSocketOptions.Subprotocol.graphqlTransportWS), ("error", .graphqlTransportWS),
            ("data", .graphqlWS), ("error", .graphqlWS),
        ])
    func credentialsInErrorsOfASocketAreStruckFromTheLog(_ type: String, _ subprotocol: WebSocketOptions.Subprotocol)
        async throws
    {
        let error = #"{"message":"\#(Self.message)"}"#
        let failure = subprotocol == .graphqlWS ? error : "[\(error)]"
        let payload = type == "error" ? failure : #"{"data":{"n":1},"errors":[\#(error)]}"#
        for network in Self.sockets(
            subprotocol,
            { connection, message in
                MemorySocketTransport.acknowledging(connection, message)
                guard case .string(let id)? = message["id"] else { return }
                connection.say(#"{"id":"\#(id)","type":"\#(type)","payload":\#(payload)}"#)
            })
        {
            let (outcome, log) = await logged(network)
            #expect(try outcome.get().errors.map(\.message) == [Self.message])
            #expect(log.contains("no entry for ***") && !log.contains(Self.token))
        }
    }

    @Test(
        "the reason with which a socket is closed repeats no credential",
        arguments: [WebSocketOptions.Subprotocol.graphqlTransportWS, .graphqlWS])
    func theReasonOfACloseRepeatsNoCredential(_ subprotocol: WebSocketOptions.Subprotocol) async {
        for network in Self.sockets(
            subprotocol,
            { connection, message in
                guard message["type"] == "connection_init" else { return }
                if subprotocol == .graphqlTransportWS { return connection.close(4403, Self.message) }
                connection.say(#"{"type":"connection_error","payload":{"message":"\#(Self.message)"}}"#)
            })
        {
            let (outcome, log) = await logged(network)
            let error = #expect(throws: RelayError.self) { try outcome.get() }
            #expect((error?.underlying as? WebSocketError)?.reason == "no entry for ***")
            #expect(log.contains("no entry for ***") && !log.contains(Self.token))
        }
    }

    @Test("the text of an event stream's server repeats no credential", arguments: ["PUT", "POST"])
    func theTextOfAnEventStreamRepeatsNoCredential(_ refused: String) async {
        let transport = ScriptedTransport { sent in
            if sent.method == refused { return .init(403, ["Content-Type": "text/plain"], .whole(Self.message)) }
            if sent.method == "PUT" { return .init(201, [:], .whole("place")) }
            return .init(200, ["Content-Type": "text/event-stream"], .silence(after: []))
        }
        let network = EventStreamNetwork(
            url: Self.url, transport: transport, reconnecting: .never,
            headers: { ["Authorization": "Bearer \(Self.token)"] })
        let (outcome, log) = await logged(network)
        let error = #expect(throws: RelayError.self) { try outcome.get() }
        #expect(error == .httpStatus(403, body: "no entry for ***"))
        #expect(log.contains("no entry for ***") && !log.contains(Self.token))
    }

    @Test("the newest credentials of a request are struck, and those before them")
    func newestAndEarlierCredentialsAreStruck() {
        let (request, connection) = (SentCredentials(), SentCredentials())
        request.follow(connection)
        for number in 1...4 { request.add(["Authorization": "Bearer token-\(number)"]) }
        request.add(["Authorization": "Bearer token-4"])
        connection.add(["a": ["token-5", "token-6"], "n": 1], ["Accept": "token-7"])
        let text = (1...7).map { "token-\($0)" }.joined(separator: ", ")
        #expect(request.credentials.struck(from: text) == "token-1, token-2, ***, ***, ***, ***, token-7")
        #expect(request.credentials(with: ["b": "token-1"]).struck(from: text).hasPrefix("***, token-2"))
    }
}

/// `query Number { n }`
private struct NumberQuery: GraphQLQuery {
    static let artifact = GeneratedCode.OperationArtifact(
        name: "Number", kind: .query, text: "query Number { n }", normalization: "{n:Int}", reader: "{n:Int}")
    var variables = GeneratedCode.NoVariables()

    struct Data: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var n: Int? { __row.optionalInt(0) }
    }
}
