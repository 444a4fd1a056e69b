import Baton
import BatonHTTP
import BatonTesting
import Foundation
import Testing

@testable import BatonMock

/// A server in front of another one, or in its place.
private final class RecordingMock: Sendable {
    let folder: String
    let notices = Notices()
    let responder: Responder
    let server: MockServer

    /// - Parameter upstream: Nil to answer from the recordings.
    init(
        _ folder: String, upstream: (any NetworkLayer)?, world: World? = nil, secrets: [String] = [],
        _ limits: Recordings.Limits = Recordings.Limits()
    ) throws {
        self.folder = folder
        let secrets = Secrets(secrets)
        let recordings = try Recordings(folder: folder, secrets, limits)
        let recorder = Recorder(recordings, secrets, upstream: upstream, MemoryBudget()) { [notices] in
            notices.set($0, of: "recordings")
        }
        responder = Responder(world, .init(eventMilliseconds: 1), notices: notices, recorder: recorder)
        server = try MockServer(limits: RunningMock.patience, responder: responder)
    }

    deinit { server.stop() }

    var url: URL { URL(string: "http://127.0.0.1:\(server.port)/graphql") ?? URL(fileURLWithPath: "/") }

    /// The texts of the recordings that are written.
    var texts: [String] {
        // A file that is being written has another name.
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            $0.hasSuffix(".txt")
        }
        return names.sorted().compactMap { try? String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
    }

    /// Waits until a recording is written, and returns the texts of all.
    func files(_ count: Int = 1, having part: String = "=== ") async throws -> [String] {
        while true {
            let texts = texts
            if texts.count >= count, texts.contains(where: { $0.contains(part) }) { return texts }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// A real server that says what a test wants.
private struct Saying: NetworkLayer {
    var answers: [String] = []
    var failure: RelayError?

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        for try await response in responses(to: request) { return response }
        throw RelayError.noResponse
    }

    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        AsyncThrowingStream { continuation in
            for (index, answer) in answers.enumerated() {
                let hasNext = index + 1 < answers.count || failure != nil
                continuation.yield(NetworkResponse(body: Array(answer.utf8), hasNext: hasNext))
            }
            continuation.finish(throwing: failure)
        }
    }
}

@Suite("Recordings of BatonMock", .timeLimit(.minutes(20)))
struct RecordingTests {
    private static let query = "query Sample($id: ID!) { film(id: $id) { id title } }"

    private static func folder() -> String {
        FileManager.default.temporaryDirectory.appending(path: "recordings-\(UUID().uuidString)").path
    }

    private static func request(
        _ text: String, _ variables: JSONValue = .object([]), kind: OperationKind = .query, name: String = "Sample",
        headers: [String: String] = [:], isIncremental: Bool = false
    ) -> NetworkRequest {
        NetworkRequest(
            id: 1, operationName: name, kind: kind, text: text, variables: variables.objectValue ?? [],
            configuration: RequestConfiguration(timeout: .seconds(600), headers: headers), isIncremental: isIncremental)
    }

    private static func all(_ url: URL, _ request: NetworkRequest, socket: Bool = false) async throws -> [JSONValue] {
        var options = WebSocketOptions()
        (options.connectTimeout, options.acknowledgementTimeout) = (.seconds(600), .seconds(600))
        (options.pongTimeout, options.silenceTimeout) = (.seconds(600), nil)
        let network: any NetworkLayer =
            socket ? WebSocketNetwork(url: url, options: options) : HTTPNetwork(url: url, timeout: .seconds(600))
        var all: [JSONValue] = []
        for try await response in network.responses(to: request) { all.append(response.json) }
        return all
    }

    @Test func anAnswerIsPassedOnAndGivenLater() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let real = try RunningMock()
        let proxy = try RecordingMock(folder, upstream: HTTPNetwork(url: real.url, timeout: .seconds(600)))
        let request = Self.request(Self.query, ["id": "Film:2"], headers: ["Authorization": "Bearer abcdef123456"])
        let expected = real.world.execute(Self.query, variables: ["id": "Film:2"])
        #expect(try await Self.all(proxy.url, request) == [expected])
        let text = try #require(try await proxy.files().first)
        #expect(
            text.contains("=== query Sample\n--- document\n\(Self.query)\n--- variables\n{\n  \"id\": \"Film:2\"\n}"))
        #expect(!text.contains("abcdef123456"))
        let later = try RecordingMock(folder, upstream: nil)
        #expect(try await Self.all(later.url, request) == [expected])
        // The layout of the document does not count, and its words do.
        let spaced = Self.query.replacing(" ", with: "\n , ") + " # the same"
        #expect(try await Self.all(later.url, Self.request(spaced, ["id": "Film:2"])) == [expected])
        let other = try await Self.all(
            later.url, Self.request(Self.query.replacing("title", with: "rating"), ["id": "Film:2"]))
        #expect(other[0]["errors"]?[0]?["message"]?.stringValue?.contains("another document") == true)
        // A test reads the same file.
        let fixture = try FixtureNetwork(text: text)
        #expect(try await fixture.send(request).json == expected)
    }

    @Test func theFileIsThereWhenTheClientHasItsAnswer() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let answers = (1...3).map { #"{"data":{"a":\#($0)}}"# }
        let whole = try RecordingMock(folder, upstream: Saying(answers: [answers[0]]))
        for round in 1...5 {
            _ = try await Self.all(whole.url, Self.request("query A { a }", name: "A"))
            #expect(whole.texts.count == 1)
            #expect(whole.texts[0].components(separatedBy: "--- response").count == round + 1)
        }
        let streamed = try RecordingMock(folder, upstream: Saying(answers: answers))
        for (name, socket) in [("B", false), ("C", true)] {
            let text = "subscription \(name) { a }"
            let request = Self.request(text, kind: .subscription, name: name)
            #expect(try await Self.all(streamed.url, request, socket: socket).count == 3)
            let written = streamed.texts.first { $0.contains(text) }
            #expect(written?.components(separatedBy: "--- response").count == 4)
        }
        let failing = try RecordingMock(folder, upstream: Saying(failure: .httpStatus(503, body: "busy")))
        _ = try await HTTPNetwork(url: failing.url, timeout: .seconds(600)).send(
            Self.request("query D { a }", name: "D"))
        #expect(failing.texts.count == 4)
    }

    @Test func secretsAreInNoFileAndOnNoPage() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let real = Saying(answers: [
            #"{"data":{"login":{"t":"first-secret","ssn":"second-secret","url":"https://a/?token=third-secret"}}}"#
        ])
        let proxy = try RecordingMock(folder, upstream: real, secrets: ["ssn"])
        let request = Self.request(
            "mutation Sample($p: String!) { login(password: $p, apiKey: \"fourth-secret\") { t: token ssn url } }",
            ["p": "fifth-secret"], kind: .mutation, headers: ["Authorization": "Bearer sixth-secret"])
        // The client gets what the server says.
        #expect(try await Self.all(proxy.url, request)[0]["data"]?["login"]?["t"] == "first-secret")
        let text = try #require(try await proxy.files().first)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).joined()
        while proxy.responder.log.count == 0 { try await Task.sleep(for: .milliseconds(5)) }
        let page = StatusPage.html(proxy.responder.facts, proxy.responder.log, rules: 0, [])
        for shown in [text, names, page] { #expect(!shown.contains("-secret"), "\(shown)") }
        // The same request finds its answer, with another password too.
        let later = try RecordingMock(folder, upstream: nil, secrets: ["ssn"])
        #expect(try await Self.all(later.url, request)[0]["data"]?["login"]?["ssn"] == "***")
    }

    @Test func whatIsMissingIsToldWithTheNearest() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let real = Saying(answers: [#"{"data":{"film":null}}"#])
        let proxy = try RecordingMock(folder, upstream: real)
        _ = try await Self.all(proxy.url, Self.request(Self.query, ["id": "1"]))
        _ = try await proxy.files()
        let later = try RecordingMock(folder, upstream: nil)
        let answer = try await Self.all(later.url, Self.request(Self.query, ["id": "2"]))
        let message = answer[0]["errors"]?[0]?["message"]?.stringValue ?? ""
        #expect(message.contains("query 'Sample' with other values of 'id'"), "\(message)")
        let misspelled = try await Self.all(later.url, Self.request("query Sampel { a }", name: "Sampel"))
        #expect(misspelled[0]["errors"]?[0]?["message"]?.stringValue?.contains("query 'Sample'") == true)
        // With a schema, what is not recorded is made up.
        let mixed = try RecordingMock(folder, upstream: nil, world: World(schema: RunningMock.schema))
        #expect(try await Self.all(mixed.url, Self.request(Self.query, ["id": "1"])) == [["data": ["film": .null]]])
        let made = try await Self.all(mixed.url, Self.request(Self.query, ["id": "Film:2"]))
        #expect(made[0]["data"]?["film"]?["id"] == "Film:2")
    }

    @Test(arguments: [
        "multipart/mixed;incrementalSpec=v0.2, application/json",
        "multipart/mixed;deferSpec=20220824, application/json", "text/event-stream",
    ])
    func partsAreKeptInTheirOrder(accept: String) async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let real = try RunningMock()
        let proxy = try RecordingMock(folder, upstream: HTTPNetwork(url: real.url, timeout: .seconds(600)))
        let text = "query Sample { film(id: \"Film:1\") { id ... @defer(label: \"L\") { title rating } } }"
        let request = Self.request(text, headers: ["Accept": accept], isIncremental: true)
        let format: LocalService.IncrementalFormat = accept.contains("deferSpec") ? .labelled : .announced
        let expected = real.world.executeInParts(text, operationName: nil, variables: .object([]), as: format)
        #expect(try await Self.all(proxy.url, request) == expected)
        _ = try await proxy.files()
        let later = try RecordingMock(folder, upstream: nil)
        #expect(try await Self.all(later.url, request) == expected)
        // A client that knows no parts is told so.
        let plain = Self.request(text, headers: ["Accept": "application/json"])
        await #expect(throws: (any Error).self) { try await Self.all(later.url, plain) }
    }

    @Test(arguments: [true, false])
    func eventsAreKept(socket: Bool) async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let real = try RunningMock()
        let network = HTTPNetwork(url: real.url, timeout: .seconds(600)) { _ in ["X-Mock-Events": "4"] }
        let proxy = try RecordingMock(folder, upstream: network)
        let text = "subscription Sample { reviewAdded(filmId: \"Film:1\") { id body } }"
        let request = Self.request(text, kind: .subscription)
        let expected = (1...4).map {
            real.world.execute(event: $0, of: text, operationName: nil, variables: .object([]))
        }
        #expect(try await Self.all(proxy.url, request, socket: socket) == expected)
        _ = try await proxy.files()
        let later = try RecordingMock(folder, upstream: nil)
        #expect(try await Self.all(later.url, request, socket: !socket) == expected)
        let other = Self.request("subscription Other { a }", kind: .subscription, name: "Other")
        if socket {
            #expect(try await Self.all(later.url, other, socket: true)[0]["errors"] != nil)
        }
    }

    @Test func aReaderThatLeavesEndsTheRequestOfTheRealServer() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let real = try RunningMock()
        let proxy = try RecordingMock(folder, upstream: HTTPNetwork(url: real.url, timeout: .seconds(600)))
        let text = "subscription Sample { reviewAdded(filmId: \"Film:1\") { id } }"
        var count = 0
        for try await _ in HTTPNetwork(url: proxy.url).responses(to: Self.request(text, kind: .subscription)) {
            count += 1
            if count == 3 { break }
        }
        // An exchange that nobody waits for any more stays open.
        let written = try await proxy.files(having: "--- open")
        #expect(written[0].components(separatedBy: "--- response hasNext").count > 3)
        while real.server.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test func failuresAreKept() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let failing = Saying(failure: .httpStatus(503, body: "busy: https://a?token=abcdef"))
        let proxy = try RecordingMock(folder, upstream: failing)
        let request = Self.request("query Sample { a }")
        func check(_ url: URL) async throws {
            let response = try await HTTPNetwork(url: url, timeout: .seconds(600)).send(request)
            #expect(response.metadata["status"] == "503")
            #expect(response.json["errors"]?[0]?["message"] == "busy: https://a?token=***")
        }
        try await check(proxy.url)
        #expect(try await proxy.files()[0].contains("--- error httpStatus 503\n\"busy: https://a?token=***\""))
        let later = try RecordingMock(folder, upstream: nil)
        try await check(later.url)
        later.server.stop()
    }

    @Test func theSameRequestTakesTheNextAnswerAndTheLastStays() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let request = Self.request("query Sample { a }")
        func record(_ numbers: ClosedRange<Int>) throws {
            let recordings = try Recordings(folder: folder, Secrets())
            let document = "query Sample { a }"
            let key = Recordings.Key(
                exchange: FixtureExchange.Key(kind: .query, operationName: "Sample", variables: .object([])),
                document: document)
            for number in numbers {
                let body = Array(#"{"data":{"a":\#(number)}}"#.utf8)
                let step = FixtureExchange.Step.response(body, hasNext: false)
                try recordings.keep(FixtureExchange(key: key.exchange, steps: [step], document: document), key)
            }
        }
        try record(1...3)
        // A later program begins anew.
        try record(4...6)
        let later = try RecordingMock(folder, upstream: nil)
        var seen: [Int?] = []
        for _ in 1...5 { seen.append(try await Self.all(later.url, request)[0]["data"]?["a"]?.intValue) }
        #expect(seen == [4, 5, 6, 6, 6])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    }

    @Test func filesWithMistakesAreNamed() throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/Sample.txt"
        try Data("=== query Sample\n--- response\n{\n".utf8).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: Recordings.Mistake.self) { _ = try Recordings(folder: folder, Secrets()) }
        #expect(error?.description.contains(path) == true)
        #expect(error?.description.contains("line") == true)
        try Data([0xFF]).write(to: URL(fileURLWithPath: path))
        #expect(throws: Recordings.Mistake.self) { _ = try Recordings(folder: folder, Secrets()) }
        try Data("=== query Sample\n--- response\n{}\n".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try Recordings(folder: folder, Secrets()).count == 1)
        #expect(throws: Recordings.Mistake.self) {
            _ = try Recordings(folder: folder, Secrets(), .init(requests: 0))
        }
        #expect(throws: Recordings.Mistake.self) { _ = try Recordings(folder: folder, Secrets(), .init(file: 10)) }
    }

    @Test func noMoreIsKeptThanTheLimitsSay() throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let recordings = try Recordings(folder: folder, Secrets(), .init(requests: 1, answers: 2))
        func keep(_ name: String) throws {
            let key = FixtureExchange.Key(kind: .query, operationName: name, variables: .object([]))
            try recordings.keep(FixtureExchange(key: key, steps: [.open]), Recordings.Key(exchange: key, document: nil))
        }
        try keep("A")
        try keep("A")
        #expect(throws: Recordings.Mistake.self) { try keep("A") }
        #expect(throws: Recordings.Mistake.self) { try keep("B") }
        #expect(recordings.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    }

    @Test func limitsAreToldAndTheAnswerIsPassedOn() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let real = Saying(answers: [#"{"data":{"a":1}}"#])
        let proxy = try RecordingMock(folder, upstream: real, .init(requests: 1, answers: 1))
        for name in ["A", "A", "B"] {
            let answers = try await Self.all(proxy.url, Self.request("query \(name) { a }", name: name))
            #expect(answers == [["data": ["a": 1]]])
        }
        while proxy.notices.texts.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        #expect(try await proxy.files().count == 1)
        // Where a folder cannot be, nothing is written.
        let file = folder + "/file"
        try Data().write(to: URL(fileURLWithPath: file))
        let homeless = try RecordingMock(file, upstream: real)
        #expect(try await Self.all(homeless.url, Self.request("query A { a }", name: "A")) == [["data": ["a": 1]]])
        while homeless.notices.texts.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        #expect(homeless.notices.texts.first?.contains("cannot be written") == true)
    }
}
