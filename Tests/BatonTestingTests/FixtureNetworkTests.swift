import Baton
import BatonTesting
import Foundation
import Testing

@Suite("FixtureNetwork", .timeLimit(.minutes(20)))
struct FixtureNetworkTests {
    private static func request(
        _ name: String, _ kind: OperationKind = .query, _ variables: [JSONValue.Member] = []
    ) -> NetworkRequest {
        NetworkRequest(
            id: 1, operationName: name, kind: kind, text: "secret text", variables: variables,
            configuration: RequestConfiguration(headers: ["Authorization": "secret"]))
    }

    private func collect(_ network: some NetworkLayer, _ request: NetworkRequest) async throws -> [NetworkResponse] {
        var responses: [NetworkResponse] = []
        for try await response in network.responses(to: request) {
            responses.append(response)
            if !response.hasNext { break }
        }
        return responses
    }

    private func texts(_ responses: [NetworkResponse]) -> [String] {
        responses.map { String(decoding: $0.body, as: UTF8.self) }
    }

    /// Records three exchanges in an order, and returns the text.
    private func record(_ order: [Int]) async throws -> String {
        let mock = MockNetwork()
        let recorder = FixtureNetwork(recording: mock)
        for number in order {
            switch number {
            case 0:
                async let answer = collect(recorder, Self.request("Films", .query, [.init("n", 2), .init("a", "x")]))
                let pending = try await mock.nextRequest()
                pending.respond(body: "{\"data\":{\"n\":1.50,\"list\":[],\"of\":[1,{\"a\":{}}]}}")
                #expect(try await answer.count == 1)
            case 1:
                async let answer = collect(recorder, Self.request("Added", .subscription))
                let pending = try await mock.nextRequest()
                for number in 1...2 { pending.respond(data: ["added": .int(number)], hasNext: true) }
                pending.fail(RelayError.httpStatus(503, body: "try \"later\"\n"))
                let responses = try? await answer
                #expect(responses == nil)
            default:
                async let answer = collect(recorder, Self.request("Broken"))
                try await mock.nextRequest().respond(body: "<html>")
                #expect(try await answer.count == 1)
            }
        }
        return recorder.text
    }

    @Test("a recording is readable text, without secrets and in a fixed order")
    func aRecordingIsReadableTextWithoutSecrets() async throws {
        let text = try await record([0, 1, 2])
        #expect(
            text == """
                # Exchanges of a GraphQL network, recorded by FixtureNetwork. This file may be edited.

                === subscription Added
                --- response hasNext
                {
                  "data": {
                    "added": 1
                  }
                }
                --- response hasNext
                {
                  "data": {
                    "added": 2
                  }
                }
                --- error httpStatus 503
                "try \\"later\\"\\n"

                === query Broken
                --- text
                "<html>"

                === query Films
                --- variables
                {
                  "n": 2,
                  "a": "x"
                }
                --- response
                {
                  "data": {
                    "n": 1.50,
                    "list": [],
                    "of": [
                      1,
                      {
                        "a": {}
                      }
                    ]
                  }
                }

                """)
        #expect(try await record([2, 0, 1]) == text)
        #expect(try FixtureNetwork(text: text).text == text)
    }

    @Test("a text may have any character that JSON allows, also those that end a line elsewhere")
    func aTextMayHaveAnyCharacterOfJSON() async throws {
        let body = "{\"data\":\"a\u{2028}b\u{2029}c\u{85}d\"}"
        let mock = MockNetwork()
        let recorder = FixtureNetwork(recording: mock)
        async let answer = collect(recorder, Self.request("Films", .query, [.init("a", "x\u{2028}y")]))
        try await mock.nextRequest().respond(body: body)
        #expect(texts(try await answer) == [body])
        for text in [recorder.text, recorder.text.replacing("\n", with: "\r\n")] {
            let network = try FixtureNetwork(text: text)
            #expect(network.text == recorder.text)
            let again = try await collect(network, Self.request("Films", .query, [.init("a", "x\u{2028}y")]))
            #expect(texts(again) == [body])
        }
    }

    @Test("an edited text is replayed; the order of variables does not matter")
    func anEditedTextIsReplayed() async throws {
        let text = try await record([0, 1, 2]).replacing("\"added\": 2", with: "\"added\": 7")
        let network = try FixtureNetwork(text: text)
        let films = try await collect(network, Self.request("Films", .query, [.init("a", "x"), .init("n", 2)]))
        #expect(texts(films) == ["{\"data\":{\"n\":1.50,\"list\":[],\"of\":[1,{\"a\":{}}]}}"])
        #expect(films.map(\.hasNext) == [false])
        #expect(texts(try await collect(network, Self.request("Broken"))) == ["<html>"])
        var events: [NetworkResponse] = []
        do {
            for try await event in network.responses(to: Self.request("Added", .subscription)) { events.append(event) }
            Issue.record("the error was not replayed")
        } catch {
            #expect(error as? RelayError == .httpStatus(503, body: "try \"later\"\n"))
        }
        #expect(texts(events) == ["{\"data\":{\"added\":1}}", "{\"data\":{\"added\":7}}"])
    }

    @Test("repeated requests take the next exchange, and then fail")
    func repeatedRequestsTakeTheNextExchange() async throws {
        let network = try FixtureNetwork(
            text: "=== query A\n--- response\n{\"data\":1}\n=== query A\n--- response\n{\"data\":2}\n")
        for number in 1...2 {
            #expect(try await network.send(Self.request("A")).body == Array("{\"data\":\(number)}".utf8))
        }
        await #expect(throws: RelayError.transport(FixtureError.usedUp("query 'A'", recorded: 2))) {
            try await network.send(Self.request("A"))
        }
    }

    @Test("an unknown request names the nearest recorded one, without values, and says how to record")
    func anUnknownRequestNamesTheNearestOne() async throws {
        let network = try FixtureNetwork(
            text:
                "=== query FilmList\n--- variables\n{\"n\": 1, \"token\": \"secret\"}\n--- response\n{}\n"
                + "=== query Other\n"
        )
        do {
            _ = try await network.send(Self.request("FilmList", .query, [.init("n", 1), .init("token", "hidden")]))
            Issue.record("nothing was thrown")
        } catch {
            let text = "\(error)"
            #expect(text.contains("it has query 'FilmList' with other values of 'token'"))
            #expect(text.contains("FixtureNetwork(recording:)"))
            #expect(!text.contains("secret") && !text.contains("hidden"))
        }
        await #expect(
            throws: RelayError.transport(FixtureError.notRecorded("query 'FilmLst'", nearest: ["query 'FilmList'"]))
        ) { try await network.send(Self.request("FilmLst")) }
    }

    @Test("a pause waits for the test, or for the clock")
    func aPauseWaitsForTheTestOrTheClock() async throws {
        let text =
            "=== subscription A\n--- response hasNext\n{\"data\":1}\n--- pause\n--- response hasNext\n{\"data\":2}\n"
            + "--- pause 500\n--- response hasNext\n{\"data\":3}\n--- open\n"
        let clock = ManualClock()
        let network = try FixtureNetwork(text: text, clock: clock)
        #expect(
            network.text.hasSuffix(text.replacing("{\"data\":", with: "{\n  \"data\": ").replacing("}", with: "\n}")))
        var iterator = network.responses(to: Self.request("A", .subscription)).makeAsyncIterator()
        #expect(try await iterator.next()?.body == Array("{\"data\":1}".utf8))
        network.resume()
        #expect(try await iterator.next()?.body == Array("{\"data\":2}".utf8))
        let advance = Task {
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(500))
        }
        #expect(try await iterator.next()?.body == Array("{\"data\":3}".utf8))
        await advance.value
    }

    @Test("an exchange that was abandoned stays open in the text, and in the replay")
    func anAbandonedExchangeStaysOpen() async throws {
        let mock = MockNetwork()
        let recorder = FixtureNetwork(recording: mock)
        let task = Task { try await collect(recorder, Self.request("A", .subscription)) }
        let pending = try await mock.nextRequest()
        pending.respond(data: ["a": 1], hasNext: true)
        task.cancel()
        _ = try? await task.value
        #expect(recorder.text.hasSuffix("--- open\n"))
        let network = try FixtureNetwork(text: "=== subscription A\n--- open\n=== query B\n--- pause\n")
        for request in [Self.request("A", .subscription), Self.request("B")] {
            let replay = Task { try await collect(network, request) }
            replay.cancel()
            let responses = try? await replay.value
            #expect(responses?.isEmpty != false)
        }
    }

    @Test("a completed stream is recorded as such, and a failure by its kind")
    func aStreamKeepsItsEndInTheRecording() async throws {
        let errors: [RelayError] = [
            .httpStatus(500, body: ""), .contentType("text/html; a", body: "<b>"), .contentType(nil, body: ""),
            .noResponse, .timedOut(after: .zero), .transport(FixtureError.recorded("the line was cut")),
        ]
        let mock = MockNetwork()
        let recorder = FixtureNetwork(recording: mock)
        for error in errors {
            async let answer = recorder.send(Self.request("A"))
            try await mock.nextRequest().fail(error)
            let response = try? await answer
            #expect(response == nil)
        }
        let replay = try FixtureNetwork(text: recorder.text)
        for error in errors {
            await #expect(throws: error) { try await replay.send(Self.request("A")) }
        }
    }

    @Test("a text that is no fixture is refused with its line")
    func aTextThatIsNoFixtureIsRefused() {
        let texts: [(String, Int)] = [
            ("hello", 1), ("# a\n\n=== query A B", 3), ("=== verb A", 1), ("=== query A\n--- foo", 2),
            ("=== query A\n--- response\n{\n  \"a\": x\n}", 4), ("=== query A\n--- response\n{}\n--- response\n{}", 4),
            ("=== query A\n--- error httpStatus x", 2), ("=== query A\n--- pause long", 2),
            ("=== query A\n--- variables\n[]", 3),
        ]
        for (text, line) in texts {
            do {
                _ = try FixtureNetwork(text: text)
                Issue.record("\(text) was taken")
            } catch {
                guard case .malformed(line, _) = error else {
                    Issue.record("\(text): \(error)")
                    continue
                }
            }
        }
    }

    @Test("a fixture is saved and read again")
    func aFixtureIsSavedAndReadAgain() async throws {
        let path = NSTemporaryDirectory() + "fixture-\(UUID().uuidString).txt"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let mock = MockNetwork()
        let recorder = FixtureNetwork(recording: mock)
        async let answer = recorder.send(Self.request("A"))
        try await mock.nextRequest().respond(data: ["a": 1])
        _ = try await answer
        try recorder.save(to: path)
        #expect(
            try await FixtureNetwork(replaying: path).send(Self.request("A")).body == Array("{\"data\":{\"a\":1}}".utf8)
        )
        #expect(throws: FixtureError.self) { try FixtureNetwork(replaying: path + ".missing") }
    }
}
