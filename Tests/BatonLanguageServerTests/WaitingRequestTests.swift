import BatonCompiler
import BatonLanguageServer
import Testing

/// Requests that are asked before everything is judged that the client has told.
struct WaitingRequestTests {
    private static let row = "fragment BookRow_book on Book { title }\n"
    private static let marked = row.replacing("BookRow_book", with: "BookRow<|>_book")

    /// A project with one fragment that three queries in other files spread.
    private static let files: [String: String] = {
        var files = [
            "baton.json": Library.configuration, "schema.graphql": Library.schema, "documents/BookRow.graphql": row,
        ]
        for number in 1...3 {
            files["documents/Q\(number).graphql"] = "query Q\(number) { books { ...BookRow_book } }\n"
        }
        return files
    }()

    private static let everywhere = [
        "documents/BookRow.graphql:0:9", "documents/Q1.graphql:0:22", "documents/Q2.graphql:0:22",
        "documents/Q3.graphql:0:22",
    ]

    private static func place(_ client: ScriptedClient, _ name: String, _ position: JSONValue) -> JSONValue {
        ["textDocument": ["uri": .string(client.uri(name))], "position": position, "newName": "BookRow_other"]
    }

    private static func references(_ client: ScriptedClient, _ id: JSONValue) -> [String]? {
        client.answer(to: id)?["result"]?.array.map { $0.map { client.brief($0) } }
    }

    @Test func referencesAndRenameWaitForTheFirstJudgement() throws {
        let client = try ScriptedClient(Self.files, capabilities: [:], isSettled: false)
        let position = client.open("documents/BookRow.graphql", Self.marked)
        let place = Self.place(client, "documents/BookRow.graphql", position)
        let references = client.begin("textDocument/references", place)
        let rename = client.begin("textDocument/rename", place)
        #expect(client.answer(to: references) == nil)
        client.settle()
        #expect(Self.references(client, references) == Self.everywhere)
        guard case .object(let changes)? = client.answer(to: rename)?.at("result", "changes") else {
            Issue.record("there is no edit")
            return
        }
        #expect(changes.count == 4)
    }

    @Test func hoverWaitsForTheFirstJudgementAlone() throws {
        let client = try ScriptedClient(Self.files, isSettled: false)
        let position = client.open("documents/Q1.graphql", "query Q1 { bo<|>oks { id } }")
        let place = Self.place(client, "documents/Q1.graphql", position)
        let first = client.begin("textDocument/hover", place)
        #expect(client.answer(to: first) == nil)
        client.settle()
        #expect(client.answer(to: first)?.at("result", "contents") != nil)
        client.replace("documents/Q1.graphql", "query Q1 { books { title } }")
        let second = client.begin("textDocument/hover", place)
        #expect(client.answer(to: second)?.at("result", "contents") != nil)
    }

    @Test func aChangeOfAnotherDocumentIsSeen() throws {
        let client = try ScriptedClient(Self.files)
        let position = client.open("documents/BookRow.graphql", Self.marked)
        client.open("documents/Q1.graphql", "query Q1 { books { ...BookRow_book } }\n")
        client.settle()
        client.replace("documents/Q1.graphql", "query Q1 { books { id title ...BookRow_book } }\n")
        let first = client.begin(
            "textDocument/references", Self.place(client, "documents/BookRow.graphql", position))
        let job = try #require(client.nextJob())
        // A change while the project is judged begins another judgement, and the answer is about the last text.
        client.replace("documents/Q1.graphql", "query Q1 { books { id } }\n")
        client.finish(job)
        #expect(client.answer(to: first) == nil)
        client.settle()
        #expect(
            Self.references(client, first) == Self.everywhere.filter { !$0.contains("Q1") })
    }

    @Test func filesThatTheClientTellsOfAreSeen() throws {
        let client = try ScriptedClient(Self.files)
        let position = client.open("documents/BookRow.graphql", Self.marked)
        client.settle()
        try client.folder.write("query Q4 { books { ...BookRow_book } }\n", to: "documents/Q4.graphql")
        client.notify(
            "workspace/didChangeWatchedFiles",
            ["changes": [["uri": .string(client.uri("documents/Q4.graphql")), "type": 1]]])
        let id = client.begin("textDocument/references", Self.place(client, "documents/BookRow.graphql", position))
        client.settle()
        #expect(Self.references(client, id) == Self.everywhere + ["documents/Q4.graphql:0:22"])
    }

    @Test func aPlaceInADocumentThatChangesIsRefused() throws {
        let client = try ScriptedClient(Self.files, isSettled: false)
        let position = client.open("documents/BookRow.graphql", Self.marked)
        let place = Self.place(client, "documents/BookRow.graphql", position)
        let ids = ["references", "rename", "definition"].map { client.begin("textDocument/" + $0, place) }
        client.replace("documents/BookRow.graphql", "\n" + Self.row)
        for id in ids { #expect(client.answer(to: id)?.at("error", "code") == -32801) }
        let closed = client.begin("textDocument/references", place)
        client.close("documents/BookRow.graphql")
        #expect(client.answer(to: closed)?.at("error", "code") == -32801)
    }

    @Test func aRequestDoesNotWaitForEver() throws {
        let client = try ScriptedClient(Self.files)
        let position = client.open("documents/BookRow.graphql", Self.marked)
        client.open("documents/Q1.graphql", "query Q1 { books { id } }\n")
        client.settle()
        client.replace("documents/Q1.graphql", "query Q1 { books { id title } }\n")
        let id = client.begin("textDocument/references", Self.place(client, "documents/BookRow.graphql", position))
        for count in 0..<12 where client.answer(to: id) == nil {
            let job = try #require(client.nextJob())
            client.replace("documents/Q1.graphql", "query Q1 { books { id n\(count): title } }\n")
            client.finish(job)
        }
        #expect(client.answer(to: id)?.at("error", "code") == -32801)
    }

    @Test func theEndOfTheServerAnswersWhatWaits() throws {
        let client = try ScriptedClient(Self.files, isSettled: false)
        let position = client.open("documents/BookRow.graphql", Self.marked)
        let id = client.begin("textDocument/references", Self.place(client, "documents/BookRow.graphql", position))
        _ = try client.request("shutdown", .null)
        #expect(client.answer(to: id)?["error"] != nil)
    }

    @Test func moreRequestsThanCanWaitAreRefused() throws {
        let client = try ScriptedClient(Self.files, isSettled: false)
        let position = client.open("documents/BookRow.graphql", Self.marked)
        let place = Self.place(client, "documents/BookRow.graphql", position)
        let ids = (0..<1_010).map { _ in client.begin("textDocument/references", place) }
        #expect(ids.count { client.answer(to: $0)?.at("error", "code") == -32801 } == 10)
        client.settle()
        #expect(ids.count { client.answer(to: $0)?["result"] != nil } == 1_000)
    }

    @Test func symbolsAndSentTextsAreThoseOfTheLastText() throws {
        let client = try ScriptedClient(Self.files)
        client.open("documents/Q1.graphql", "query Q1 { books { ...BookRow_book } }\n")
        client.settle()
        client.replace("documents/Q1.graphql", "query Q9 { books { isbn ...BookRow_book } }\n")
        let symbols = try client.request("workspace/symbol", ["query": "Q9"])
        #expect(symbols.array?.count == 1)
        client.replace("documents/Q1.graphql", "query Q8 { books { isbn ...BookRow_book } }\n")
        let text = try client.request(
            "baton/sentText",
            ["textDocument": ["uri": .string(client.uri("documents/Q1.graphql"))], "name": "Q8"])
        #expect(text["text"]?.string?.contains("isbn") == true)
    }
}
