import BatonCompiler
import BatonLanguageServer
import RandomCases
import Testing

/// Requests at any place of any text have an answer.
struct RobustnessTests {
    private static let methods = [
        "baton/sentText", "textDocument/codeAction", "textDocument/completion", "textDocument/definition",
        "textDocument/documentSymbol", "textDocument/foldingRange", "textDocument/formatting", "textDocument/hover",
        "textDocument/implementation", "textDocument/prepareRename", "textDocument/rangeFormatting",
        "textDocument/references", "textDocument/rename", "textDocument/semanticTokens/full", "workspace/symbol",
    ]

    private static let pieces = [
        "{", "}", "(", ")", "[", "]", "...", "on ", "query A ", "fragment B on Book ", "\n", "\r\n", "$a", ": ", "@",
        "\"", "\"\"\"", "#", "\u{1F600}", "\u{E9}", " books ", " title ", "title: ", "BookRow_book ",
        "@arguments(big: ",
        "@argumentDefinitions(a: {type: \"Int\", ", "filter: {", "genre: ", "NOVEL ", "true ", "=", "!", "|", "\\",
        "\u{0}",
        "mutation ", "subscription ", "type T { a: ", "1.5e", "-", "..", "Genre", "__typename", "graphql(\"", "\\(",
    ]

    @Test(arguments: RandomCases.seeds(6, from: 1 as UInt64)) func everyRequestHasAnAnswer(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let client = try ScriptedClient(Library.files)
        let name = seed % 3 == 0 ? "documents/View.swift" : "documents/BookList.graphql"
        client.open(name, seed % 3 == 0 ? "let a = graphql(\"\"\"\n\(Library.list)\n\"\"\")\n" : Library.list)
        for _ in 0..<40 {
            let lines = 12
            func place() -> (Int, Int) { (random.below(lines), random.below(40)) }
            let ends = [place(), place()].sorted { ($0.0, $0.1) < ($1.0, $1.1) }
            let isInsertion = random.chance(80)
            let text = (0..<(1 + random.below(3))).map { _ in random.pick(Self.pieces) }.joined()
            client.change(name, from: ends[0], to: isInsertion ? ends[0] : ends[1], text)
            if random.chance(30) { client.settle() }
            for method in Self.methods {
                func position(_ place: (Int, Int)) -> JSONValue {
                    ["line": .integer(place.0), "character": .integer(place.1)]
                }
                let answer = try client.answer(
                    method,
                    [
                        "textDocument": ["uri": .string(client.uri(name))], "position": position(place()),
                        "range": ["start": position(ends[0]), "end": position(ends[1])], "newName": "another",
                        "query": "book", "options": [:], "context": [:],
                    ])
                #expect(answer["result"] != nil || answer["error"] != nil, "seed \(seed)")
            }
        }
    }

    @Test func messagesOfAnyFormAreAnsweredOrIgnored() throws {
        let client = try ScriptedClient(Library.files)
        let values: [JSONValue] = [nil, 1, "x", [], [:], ["textDocument": nil], ["textDocument": ["uri": "%"]]]
        let methods =
            Self.methods + [
                "textDocument/didOpen", "textDocument/didChange", "textDocument/didSave", "textDocument/didClose",
                "workspace/didChangeWatchedFiles", "workspace/didChangeWorkspaceFolders", "$/setTrace", "initialized",
            ]
        for method in methods {
            for value in values {
                _ = try client.answer(method, value)
                client.notify(method, value)
            }
        }
        client.settle()
        client.open("documents/Author.graphql", "fragment Author_person on Person { nmae }")
        client.settle()
        #expect(client.messages("documents/Author.graphql").count == 1)
    }

    @Test func aDocumentThatIsNestedTooDeeplyIsAnswered() throws {
        let client = try ScriptedClient(Library.files)
        let name = "documents/BookList.graphql"
        client.open(name, String(repeating: "{ a(b: [{c: ", count: 20_000))
        client.settle()
        let place: JSONValue = ["line": 0, "character": 200_000]
        for method in ["textDocument/completion", "textDocument/hover", "textDocument/semanticTokens/full"] {
            _ = try client.ask(method, name, place)
        }
        #expect(!client.messages(name).isEmpty)
    }
}
