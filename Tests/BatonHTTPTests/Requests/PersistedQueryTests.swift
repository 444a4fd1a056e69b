import Baton
import BatonText
import Foundation
import Testing

@testable import BatonHTTP

@Suite("Persisted documents")
struct PersistedQueryTests {
    private static let url = URL(string: "https://host/graphql") ?? URL(fileURLWithPath: "/")
    private static let notFound = #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#
    private static let data = #"{"data":{}}"#

    private func request(_ text: String? = "{ a }", id: String? = nil, kind: OperationKind = .query) -> NetworkRequest {
        NetworkRequest(id: 1, operationName: "Q", kind: kind, documentID: id, text: text)
    }

    private func network(_ transport: ScriptedTransport, _ documents: DocumentTransfer) -> HTTPNetwork {
        HTTPNetwork(url: Self.url, transport: transport, documents: documents)
    }

    private static let hash = SHA256.hexadecimal(of: "{ a }")
    private static let extensions = #""extensions":{"persistedQuery":{"version":1,"sha256Hash":"\#(hash)"}}"#
    private static let hashBody = #"{"operationName":"Q",\#(extensions)}"#
    private static let bothBody = #"{"query":"{ a }","operationName":"Q",\#(extensions)}"#
    private static let textBody = #"{"query":"{ a }","operationName":"Q"}"#

    @Test("a known hash is enough")
    func aKnownHashIsEnough() async throws {
        let transport = ScriptedTransport { _ in .json(Self.data) }
        #expect(try await network(transport, .automatic).send(request()).body == Array(Self.data.utf8))
        #expect(transport.sent.map(\.text) == [Self.hashBody])
    }

    struct Miss: Sendable, CustomTestStringConvertible {
        let status: Int
        let body: String
        var testDescription: String { "\(status) \(body)" }
    }

    @Test(
        "an unknown hash is sent again with the text",
        arguments: [
            Miss(status: 200, body: notFound), Miss(status: 400, body: notFound), Miss(status: 404, body: notFound),
            Miss(status: 200, body: #"{"errors":["PersistedQueryNotFound"]}"#),
            Miss(
                status: 200,
                body: #"{"data":null,"errors":[{"message":"x","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#),
            Miss(
                status: 200,
                body: #"{"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"BAD_REQUEST"}}]}"#),
        ])
    func anUnknownHashIsSentAgainWithItsText(_ miss: Miss) async throws {
        let transport = ScriptedTransport { sent in
            sent.text.contains("query\"") ? .json(Self.data) : .json(miss.body, status: miss.status)
        }
        #expect(try await network(transport, .automatic).send(request()).body == Array(Self.data.utf8))
        #expect(transport.sent.map(\.text) == [Self.hashBody, Self.bothBody])
    }

    @Test("a server that knows no hash even with the text is not asked a third time")
    func aHashIsNotSentAThirdTime() async throws {
        let transport = ScriptedTransport { _ in .json(Self.notFound) }
        #expect(try await network(transport, .automatic).send(request()).body == Array(Self.notFound.utf8))
        #expect(transport.sent.count == 2)
    }

    @Test("a server without persisted queries gets texts from then on")
    func aServerWithoutPersistedQueriesGetsTexts() async throws {
        let transport = ScriptedTransport { sent in
            sent.text.contains("sha256")
                ? .json(#"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#) : .json(Self.data)
        }
        let network = network(transport, .automatic)
        for _ in 0..<2 { _ = try await network.send(request()) }
        #expect(transport.sent.map(\.text) == [Self.hashBody, Self.textBody, Self.textBody])
    }

    @Test("files are sent once, with the text")
    func filesAreSentOnceWithTheText() async throws {
        let transport = ScriptedTransport { sent in
            sent.text.contains("{ a }") ? .json(Self.data) : .json(Self.notFound)
        }
        var request = request(kind: .mutation)
        request.configuration.uploads = [Upload(variable: "f", fileName: "f", content: .bytes([65]))]
        _ = try await network(transport, .automatic).send(request)
        #expect(transport.sent.count == 1)
        #expect(transport.sent.first?.text.contains("sha256Hash") == false)
    }

    @Test("any other error is the response")
    func anyOtherErrorIsTheAnswer() async throws {
        let body = #"{"errors":[{"message":"The query must be a string."}]}"#
        let transport = ScriptedTransport { _ in .json(body, status: 400) }
        #expect(try await network(transport, .automatic).send(request()).body == Array(body.utf8))
        #expect(transport.sent.count == 1)
    }

    @Test(
        "each attempt of a query has the chosen method, and a mutation has POST",
        arguments: [(true, false), (false, true), (true, true), (false, false)])
    func eachTryHasTheChosenMethod(_ hashOverGET: Bool, _ textOverGET: Bool) async throws {
        for kind in [OperationKind.query, .mutation] {
            let transport = ScriptedTransport { sent in
                sent.url.contains("query=") || sent.text.contains("query\"") ? .json(Self.data) : .json(Self.notFound)
            }
            let documents = DocumentTransfer.automatic(hashOverGET: hashOverGET, textOverGET: textOverGET)
            _ = try await network(transport, documents).send(request(kind: kind))
            let expected = [hashOverGET, textOverGET].map { $0 && kind == .query ? "GET" : "POST" }
            #expect(transport.sent.map(\.method) == expected)
        }
    }

    @Test("the compiler's id is taken for the hash only if it is one")
    func theCompilersIDIsTakenOnlyIfItIsAHash() async throws {
        let transport = ScriptedTransport { _ in .json(Self.data) }
        let network = network(transport, .automatic)
        let id = String(repeating: "a1", count: 32)
        _ = try await network.send(request(id: id))
        _ = try await network.send(request(id: "5d41402abc4b2a76b9719d911017c592"))
        #expect(transport.sent.first?.text.contains(id) == true)
        #expect(transport.sent.last?.text == Self.hashBody)
    }

    @Test("only the id is sent of a trusted document, and a document without id is refused")
    func onlyTheIDOfATrustedDocumentIsSent() async throws {
        let transport = ScriptedTransport { _ in .json(Self.data) }
        let network = network(transport, .id(.id))
        _ = try await network.send(request(id: "x"))
        _ = try await network.send(request(nil, id: "y"))
        #expect(transport.sent.map(\.text) == [#"{"id":"x","operationName":"Q"}"#, #"{"id":"y","operationName":"Q"}"#])
        let error = await #expect(throws: RelayError.self) { try await network.send(request()) }
        guard case .configuration(let reason)? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("'Q' has no id"))
        #expect(transport.sent.count == 2)
    }

    @Test("a document without text goes by its id, whatever the network prefers")
    func aDocumentWithoutTextIsSentByItsID() async throws {
        let transport = ScriptedTransport { _ in .json(Self.data) }
        _ = try await network(transport, .text).send(request(nil, id: "x"))
        _ = try await network(transport, .automatic).send(request(nil, id: "x"))
        #expect(
            transport.sent.map(\.text) == [
                #"{"documentId":"x","operationName":"Q"}"#,
                #"{"operationName":"Q","extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}"#,
            ])
    }

    @Test("no more hashes are remembered than there is room for, and they stay right")
    func onlySoManyHashesAreRemembered() {
        let documents = RememberedDocuments(capacity: 3)
        for number in 0..<20 {
            let text = "{ a\(number % 7) }"
            #expect(documents.hash(of: text, id: nil) == SHA256.hexadecimal(of: text))
            #expect(documents.count <= 3)
        }
    }

    @Test("a long response is data, whatever its text")
    func aLongAnswerIsData() {
        let padding = String(repeating: " ", count: 20_000)
        #expect(PersistedQueryVerdict(.text(Self.notFound + padding), to: .query) == nil)
        #expect(PersistedQueryVerdict(.text(Self.notFound), to: .query) == .notFound)
        #expect(PersistedQueryVerdict(.text("no JSON"), to: .query) == nil)
    }
}
