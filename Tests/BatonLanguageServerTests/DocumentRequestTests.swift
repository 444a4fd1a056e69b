import BatonCompiler
import BatonLanguageServer
import Testing

/// Requests about a whole document or the workspace.
struct DocumentRequestTests {
    private let client: ScriptedClient
    private let name = "documents/BookList.graphql"

    init() throws {
        client = try ScriptedClient(Library.files)
    }

    private func ask(_ method: String, _ more: (String, JSONValue)...) throws -> [JSONValue] {
        var parameters: JSONValue = ["textDocument": ["uri": .string(client.uri(name))]]
        for (key, value) in more { parameters = parameters.with(key, value) }
        let result = try client.request(method, parameters)
        return result.array ?? result["data"]?.array ?? []
    }

    private func outline(_ symbols: [JSONValue]) -> String {
        symbols.map { symbol in
            let children = symbol["children"]?.array.map { "{" + outline($0) + "}" } ?? ""
            return (symbol["name"]?.string ?? "") + children
        }.joined(separator: " ")
    }

    @Test func symbolsOfADocumentAreItsDefinitionsAndSelections() throws {
        client.open(name, Library.list)
        #expect(
            outline(try ask("textDocument/documentSymbol"))
                == "BookListQuery{books{id ...BookRow_book author{...Author_person}}}")
        client.replace(name, "query A { books { id ... on Book { a: title } \nfragment B on Book { id }")
        #expect(outline(try ask("textDocument/documentSymbol")).hasPrefix("A{books{id ... on Book{a}"))
    }

    @Test func symbolsOfTheWorkspaceAreFoundByTheirLetters() throws {
        func names(_ query: String) throws -> [String] {
            let found = try client.request("workspace/symbol", ["query": .string(query)])
            return (found.array ?? []).compactMap { $0["name"]?.string }
        }
        #expect(try names("BookRow") == ["BookRow_book"])
        #expect(try names("bkrow") == ["BookRow_book"])
        #expect(try names("person") == ["Person", "Author_person"])
        #expect(try names("nothing").isEmpty)
        let location = try client.request("workspace/symbol", ["query": "BookListQuery"]).array?.first?["location"]
        #expect(client.brief(location) == "\(name):0:6")
    }

    @Test func aCorrectionOfADiagnosticIsAnAction() throws {
        client.open(name, "query BookListQuery { books { gener } }\n")
        client.settle()
        let range: JSONValue = ["start": ["line": 0, "character": 31], "end": ["line": 0, "character": 31]]
        let actions = try ask("textDocument/codeAction", ("range", range), ("context", ["diagnostics": []]))
        #expect(actions.compactMap { $0["title"]?.string } == ["Replace with 'genre'"])
        let edits = actions.first?.at("edit", "documentChanges")?.array?.first?["edits"]
        #expect(
            edits == [
                [
                    "range": ["start": ["line": 0, "character": 30], "end": ["line": 0, "character": 35]],
                    "newText": "genre",
                ]
            ])
        let elsewhere: JSONValue = ["start": ["line": 0, "character": 1], "end": ["line": 0, "character": 2]]
        #expect(try ask("textDocument/codeAction", ("range", elsewhere)).isEmpty)
        // Places of another text are not corrected.
        client.replace(name, "\nquery BookListQuery { books { gener } }\n")
        #expect(try ask("textDocument/codeAction", ("range", range)).isEmpty)
    }

    @Test func formattingIsThatOfTheCommand() throws {
        client.open(name, "query A{books{id   title}}")
        let edits = try ask("textDocument/formatting", ("options", ["tabSize": 2]))
        var document = OpenDocument(uri: DocumentURI("a:b"), version: 1, text: "query A{books{id   title}}")
        let isWhole = document.apply(
            edits.reversed().map { ["range": $0["range"] ?? .null, "text": $0["newText"] ?? .null] }, version: 2)
        #expect(isWhole)
        #expect(document.bytes == Array("query A {\n  books {\n    id\n    title\n  }\n}\n".utf8))
        client.replace(name, "query A{books{id   title}")
        #expect(try ask("textDocument/formatting").isEmpty)
    }

    @Test func literalsInSwiftAreFormattedWithTheirIndentation() throws {
        let swift = "let a = graphql(\n    \"\"\"\n  query A{books{id}}\n    \"\"\")\n"
        client.open("documents/A.swift", swift)
        let edits = try client.request(
            "textDocument/formatting", ["textDocument": ["uri": .string(client.uri("documents/A.swift"))]])
        #expect(
            edits.array?.first?["newText"]?.string?.contains("    query A {\n      books {\n        id\n") == true)
    }

    @Test func bracketsOverSeveralLinesFold() throws {
        client.open(name, Library.list)
        #expect(
            try ask("textDocument/foldingRange") == [
                ["startLine": 4, "endLine": 5], ["startLine": 1, "endLine": 6], ["startLine": 0, "endLine": 7],
            ])
    }

    @Test func everyTokenHasItsMeaning() throws {
        client.open(name, "query A($g: Genre) {\n  books(genre: $g) @include(if: true) { isbn ...BookRow_book }\n}")
        let data = try ask("textDocument/semanticTokens/full").compactMap(\.integer)
        let kinds = stride(from: 0, to: data.count, by: 5).map { data[$0 + 3] }
        // query A g Genre books genre g include if true isbn BookRow_book
        #expect(kinds == [0, 2, 5, 1, 3, 4, 5, 7, 4, 0, 3, 10])
        let isbn = Array(data[50..<55])
        #expect(isbn == [0, 8, 4, 3, 2])
        #expect(Array(data[20..<25]) == [1, 2, 5, 3, 0])
    }

    @Test func columnsOfTokensBehindEmojiCountUTF16() throws {
        client.open(name, "query A { books(filter: {title: \"\u{1F600}\"}) { id } }")
        let data = try ask("textDocument/semanticTokens/full").compactMap(\.integer)
        var column = 0
        let columns = stride(from: 0, to: data.count, by: 5).map { index in
            column += data[index + 1]
            return column
        }
        #expect(columns == [0, 6, 10, 16, 25, 32, 41])
    }

    @Test func theTextThatIsSentIsPrinted() throws {
        let place = client.open(name, Library.list.replacing("BookListQuery(", with: "BookList<|>Query("))
        client.settle()
        let text = try client.ask("baton/sentText", name, place)
        #expect(text["name"] == "BookListQuery")
        #expect(text["text"]?.string?.contains("fragment BookRow_book") == true)
        client.replace(name, "query BookListQuery { nothing }")
        client.settle()
        let refused = try client.answer(
            "baton/sentText", ["textDocument": ["uri": .string(client.uri(name))], "position": place])
        #expect(refused.at("error", "code") == -32803)
    }

    @Test func aDocumentOfTenMegabytesIsAnswered() throws {
        let comment = String(repeating: " \u{1F600} some words", count: 64)
        let text =
            "query BookListQuery {\n  books {\n"
            + String(repeating: "    title #\(comment)\n", count: 10_000) + "  }\n}\n"
        #expect(text.utf8.count > 10_000_000)
        client.open(name, text)
        client.change(name, from: (5000, 4), to: (5000, 9), "genre")
        client.settle()
        let place: JSONValue = ["line": 5000, "character": 6]
        #expect(
            try client.ask("textDocument/hover", name, place).at("contents", "value")?.string?.contains("Genre") == true
        )
    }
}
