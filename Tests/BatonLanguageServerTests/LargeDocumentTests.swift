import BatonCompiler
import BatonLanguageServer
import Testing

/// What a document of a size that nobody writes by hand costs, and what the client is told about it.
struct LargeDocumentTests {
    private static let name = "documents/BookList.graphql"

    @Test func aPlaceBehindManyDefinitionsIsAnswered() throws {
        let client = try ScriptedClient(Library.files)
        let fields = String(repeating: "id ", count: 1_000)
        let many = (0..<310).map { "fragment Row\($0)_book on Book { \(fields) }\n" }.joined()
        let place = client.open(Self.name, many + "fragment Last_book on Book {\n  ti<|>tle\n}\n")
        let hover = try client.ask("textDocument/hover", Self.name, place)
        #expect(hover.at("contents", "value")?.string?.contains("Book.title(upper: Boolean): String") == true)
        let items = try client.ask("textDocument/completion", Self.name, place)["items"]?.array ?? []
        #expect(items.contains { $0["label"] == "isbn" })
    }

    @Test func aDefinitionOfTooManyWordsIsRefusedAndTheNextOneAnswered() throws {
        let client = try ScriptedClient(Library.files)
        let fields = String(repeating: "id ", count: 300_000)
        let place = client.open(
            Self.name, "fragment Row_book on Book { \(fields) }\nfragment Last_book on Book {\n  ti<|>tle\n}\n")
        func hover(_ place: JSONValue) throws -> JSONValue {
            try client.answer(
                "textDocument/hover", ["textDocument": ["uri": .string(client.uri(Self.name))], "position": place])
        }
        let refusal = try hover(["line": 0, "character": 29]).at("error", "message")
        #expect(refusal == "a definition of more than 300000 words and signs is not looked at")
        #expect(try hover(place).at("result", "contents") != nil)
    }

    @Test(arguments: ["semanticTokens/full", "documentSymbol", "foldingRange"])
    func aLargeDocumentHasNoAnswersAboutAllOfItAndTheClientIsToldOnce(method: String) throws {
        let client = try ScriptedClient(Library.files)
        client.open(Self.name, Library.list)
        #expect(try client.ask("textDocument/" + method, Self.name, .null) != .null)
        client.replace(Self.name, Library.list + "#" + String(repeating: " large", count: 200_000))
        #expect(try client.ask("textDocument/" + method, Self.name, .null) == .null)
        client.change(Self.name, from: (0, 0), to: (0, 0), " ")
        let told = client.told.filter { $0["method"] == "window/showMessage" }.map { $0.at("params", "message") }
        #expect(
            told == [
                "'BookList.graphql' is larger than 1 MB, and has no symbols, semantic tokens and folding from baton"
            ])
    }

    @Test func aFileShowsAThousandDiagnosticsWithErrorsFirst() throws {
        let client = try ScriptedClient(Library.files)
        let old = (0..<600).map { "old\($0): isbn" }.joined(separator: "\n")
        let unknown = (0..<700).map { "unknown\($0)" }.joined(separator: "\n")
        client.open("documents/Author.graphql", "fragment Author_person on Person { name books { \(old) \(unknown) } }")
        client.settle()
        let diagnostics = client.diagnostics("documents/Author.graphql")
        #expect(diagnostics.count == 1_001)
        #expect(diagnostics.filter { $0["severity"] == 1 }.count == 700)
        #expect(diagnostics.first?["message"] == "300 more diagnostics are not shown; 'baton validate' prints all")
    }

    @Test(arguments: ["\n", " "])
    func fragmentsOfTheUnsavedTextCountWhereverTheyBegin(separator: String) throws {
        let client = try ScriptedClient(Library.files)
        let text = "fragment One_book on Book { ...Two_b<|>ook }" + separator + "fragment Two_book on Book { id }\n"
        let place = client.open(Self.name, text)
        let hover = try client.ask("textDocument/hover", Self.name, place)
        #expect(hover.at("contents", "value")?.string?.contains("fragment Two_book on Book") == true)
    }

    @Test func ofThousandsOfFragmentsThoseThatFitTheWordAreProposed() throws {
        let many = (0..<3_000).map { "fragment Row\($0)_book on Book { id }\n" }.joined()
        let client = try ScriptedClient(Library.with("documents/Rows.graphql", many))
        func proposed(_ word: String) throws -> (isIncomplete: JSONValue?, labels: Set<String>) {
            let place = client.replace(Self.name, "query BookListQuery { books { ...\(word)<|> } }")
            let answer = try client.ask("textDocument/completion", Self.name, place)
            return (answer["isIncomplete"], Set((answer["items"]?.array ?? []).compactMap { $0["label"]?.string }))
        }
        client.open(Self.name, "")
        let first = try proposed("row")
        #expect(first.isIncomplete == true)
        #expect(first.labels.count == 1_001)
        #expect(try proposed("row2999").labels.isSuperset(of: ["Row2999_book", "on"]))
        #expect(try proposed("BookR").labels.contains("BookRow_book"))
    }
}
