import Baton
import BatonHTTP
import BatonTesting
import Foundation
import Testing

@testable import BatonMock

@Suite("Rules of BatonMock", .timeLimit(.minutes(20)))
struct RuleTests {
    private static func rules(_ text: String) throws -> [ConductRule] {
        try ConductRuleReader.rules(in: Array(text.utf8))
    }

    private static func status(_ answer: String) -> String { String(answer.dropFirst(9).prefix(3)) }

    @Test func aRuleIsAboutTheOperationsThatItNames() throws {
        let mock = try RunningMock()
        mock.responder.rules.replace(
            with: try Self.rules(
                """
                [{"operation": "Film*", "error": "no films"},
                 {"operation": ["A", "B"], "status": 503},
                 {"kind": "mutation", "drop": 1},
                 {"variables": {"id": "Film:3"}, "error": "not this one"}]
                """))
        #expect(try mock.post("query FilmList { films { id } }").contains("no films"))
        #expect(try !mock.post("query Lists { films { id } }").contains("no films"))
        #expect(try !mock.post("{ films { id } }").contains("no films"))
        #expect(Self.status(try mock.post("query A { films { id } }")) == "503")
        #expect(Self.status(try mock.post("query B { films { id } }")) == "503")
        #expect(Self.status(try mock.post("query C { films { id } }")) == "200")
        #expect(try mock.post("mutation C { updateFilm(id: \"Film:1\", title: \"T\") { film { id } } }").isEmpty)
        for (id, isRefused) in [("Film:3", true), ("Film:4", false)] {
            let body: JSONValue = [
                "query": "query C($id: ID!, $n: Int) { film(id: $id) { id } }",
                "variables": ["n": 1, "id": .string(id)],
            ]
            let answer = try mock.ask("POST", "/graphql", ["Content-Type: application/json"], body.text)
            #expect(answer.contains("not this one") == isRefused)
        }
    }

    @Test func aRuleCountsTheOperationsThatItIsAbout() throws {
        let mock = try RunningMock()
        mock.responder.rules.replace(
            with: try Self.rules(#"[{"operation": "A", "every": 2, "times": 2, "status": 500}]"#))
        var statuses: [String] = []
        for name in ["A", "B", "A", "A", "B", "A", "A", "A"] {
            statuses.append(Self.status(try mock.post("query \(name) { films { id } }")))
        }
        #expect(statuses == ["200", "200", "500", "200", "200", "500", "200", "200"])
    }

    @Test func theRequestAndTheFirstRuleWin() throws {
        var call = Conduct()
        call.status = 418
        let rules = ConductRules()
        rules.replace(with: try Self.rules(#"[{"delay": 7}, {"delay": 9, "status": 500, "events": 2}]"#))
        let asked = try GraphQLCall(["query": "{ a }"], KnownDocuments())
        let completed = rules.complete(call, for: asked, nil)
        #expect(completed.status == 418)
        #expect(completed.delay == 7)
        #expect(completed.events == 2)
    }

    @Test func rulesHoldForEveryOperationOfASocketAndOfAnArray() async throws {
        let mock = try RunningMock()
        mock.responder.rules.replace(
            with: try Self.rules(#"[{"kind": "subscription", "events": 2}, {"operation": "Late", "error": "late"}]"#))
        let network = WebSocketNetwork(url: mock.url)
        var count = 0
        let text = "subscription Sample { reviewAdded(filmId: \"Film:1\") { id } }"
        for try await _ in network.responses(to: .sample(text, .subscription)) {
            count += 1
            if count == 5 { break }
        }
        #expect(count == 2)
        let late = try await network.send(.sample("query Late { films { id } }", name: "Late")).json
        #expect(late["errors"]?[0]?["message"] == "late")
        let body = #"[{"query": "query A { films { id } }"}, {"query": "query Late { films { id } }"}]"#
        let answer = try mock.ask("POST", "/graphql", ["Content-Type: application/json"], body)
        #expect(answer.components(separatedBy: "late").count == 2)
    }

    @Test func aLatencyIsWaitedFor() throws {
        let mock = try RunningMock()
        mock.responder.rules.replace(with: try Self.rules(#"[{"operation": "A", "delay": 120}]"#))
        let start = Uptime.milliseconds
        _ = try mock.post("query A { films { id } }")
        #expect(Uptime.milliseconds - start >= 120)
    }

    @Test(arguments: [
        ("", "no JSON"), ("{}", "array"), ("[1]", "rule 1: is no object"), ("[{}]", "rule 1: says nothing"),
        (#"[{"delay": 1}, {"delay": -1}]"#, "rule 2: 'delay' is a number from 0 to 60000; it is -1"),
        (#"[{"dely": 1}]"#, "rule 1: there is no member 'dely'"), (#"[{"error": 1}]"#, "'error' is a text; it is 1"),
        (#"[{"operation": [], "drop": 1}]"#, "'operation' is a name"), (#"[{"status": 99}]"#, "from 200 to 599"),
        (#"[{"kind": "request", "drop": 1}]"#, "'kind' is"), (#"[{"variables": 1, "drop": 1}]"#, "'variables' is"),
        (#"[{"every": 0, "drop": 1}]"#, "'every' is a number from 1"), (#"[{"drop": true}]"#, "'drop' is a number"),
    ])
    func mistakesNameTheRuleAndWhatToWrite(text: String, part: String) {
        let error = #expect(throws: ConductRuleReader.Mistakes.self) { try Self.rules(text) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    @Test func aFileIsReadAgainWhenItIsSaved() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID().uuidString).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        func save(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
        let rules = ConductRules()
        var file = RuleFile(path, rules)
        #expect(throws: Options.Mistake.self) { _ = try file.readAgain() }
        try save(#"[{"delay": 1}]"#)
        #expect(try file.readAgain())
        #expect(try !file.readAgain())
        #expect(rules.count == 1)
        // A mistake changes nothing, and is told once.
        try save(#"[{"delay": 1}, {"delay": 2}, {"dely": 1}]"#)
        #expect(throws: ConductRuleReader.Mistakes.self) { _ = try file.readAgain() }
        #expect(try !file.readAgain())
        #expect(rules.count == 1)
        try save(#"[{"delay": 1, "every": 2}, {"delay": 2}]"#)
        #expect(try file.readAgain())
        #expect(rules.count == 2)
        try save(String(repeating: " ", count: RuleFile.longest + 1))
        #expect(throws: Options.Mistake.self) { _ = try file.readAgain() }
        #expect(rules.count == 2)
        try save("[]")
        #expect(try file.readAgain())
        #expect(rules.count == 0)
    }

    @Test func thePageTellsOfRulesAndOfMistakes() throws {
        let mock = try RunningMock()
        mock.responder.rules.replace(with: try Self.rules(#"[{"delay": 0}]"#))
        mock.responder.notices.set("The rules have a mistake: <1>", of: "rules")
        mock.responder.notices.set("The overrides have a mistake", of: "overrides")
        let page = try mock.ask("GET", "/")
        #expect(page.contains("One rule says"))
        #expect(page.contains("The rules have a mistake: &lt;1&gt;"))
        #expect(page.contains("The overrides have a mistake"))
        mock.responder.notices.set(nil, of: "rules")
        #expect(try !mock.ask("GET", "/").contains("The rules have"))
    }
}
