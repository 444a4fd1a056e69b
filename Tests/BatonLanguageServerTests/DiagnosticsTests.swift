import BatonCompiler
import BatonLanguageServer
import Testing

struct DiagnosticsTests {
    @Test func mistakesOfAllFilesAreToldAtOnce() throws {
        let client = try ScriptedClient(
            Library.with("documents/Wrong.graphql", "query WrongQuery {\n  book(id: 1) { nmae }\n}\n"))
        #expect(client.messages("documents/Wrong.graphql") == ["unknown field 'nmae' on type 'Book'"])
        let diagnostic = try #require(client.diagnostics("documents/Wrong.graphql").first)
        #expect(diagnostic.at("range", "start") == ["line": 1, "character": 16])
        #expect(diagnostic.at("range", "end") == ["line": 1, "character": 20])
        #expect(diagnostic["code"] == "unknown-field")
        #expect(diagnostic["severity"] == 1)
    }

    @Test func unsavedTextCounts() throws {
        let client = try ScriptedClient(Library.files)
        let name = "documents/Author.graphql"
        client.open(name, Library.author)
        client.settle()
        #expect(client.messages(name).isEmpty)
        client.change(name, from: (1, 2), to: (1, 6), "title")
        client.settle()
        #expect(client.messages(name) == ["unknown field 'title' on type 'Person'"])
        client.change(name, from: (1, 2), to: (1, 7), "name")
        client.settle()
        #expect(client.messages(name).isEmpty)
    }

    @Test func closingADocumentGoesBackToTheFile() throws {
        let client = try ScriptedClient(Library.files)
        let name = "documents/Author.graphql"
        client.open(name, "fragment Author_person on Person { gone }")
        client.settle()
        #expect(client.messages(name).count == 1)
        client.close(name)
        client.settle()
        #expect(client.messages(name).isEmpty)
    }

    @Test func anEditOfAFragmentIsJudgedInTheFilesThatSpreadIt() throws {
        let client = try ScriptedClient(Library.files)
        client.open("documents/Author.graphql", Library.author)
        client.replace("documents/Author.graphql", "fragment Author_person on Book { id }\n")
        client.settle()
        #expect(
            client.messages("documents/BookList.graphql") == [
                "fragment 'Author_person' on 'Book' can never apply to 'Person'"
            ])
        client.replace("documents/Author.graphql", Library.author)
        client.settle()
        #expect(client.messages("documents/BookList.graphql").isEmpty)
    }

    @Test func aHalfTypedDocumentLeavesTheRestOfTheProjectJudged() throws {
        let client = try ScriptedClient(
            Library.with("documents/Wrong.graphql", "query WrongQuery { book(id: 1) { nmae } }"))
        client.open("documents/BookList.graphql", Library.list)
        for text in [
            "query Boo", "query BookListQuery($", "query BookListQuery {", "query BookListQuery { books(", "{ ...",
        ] {
            client.replace("documents/BookList.graphql", text)
            client.settle()
            #expect(!client.messages("documents/BookList.graphql").isEmpty)
            #expect(client.messages("documents/Wrong.graphql") == ["unknown field 'nmae' on type 'Book'"])
        }
        client.replace("documents/BookList.graphql", Library.list)
        client.settle()
        #expect(client.messages("documents/BookList.graphql").isEmpty)
    }

    @Test func aMistakeInALiteralStandsInTheSwiftFile() throws {
        let swift = """
            let a = "\u{1F600}"; private let query = graphql("query ViewBookQuery { book(id: 1) { \\u{6E}mae } }")
            private let other = graphql(
                \"""
                query ViewOtherQuery {
                  book(id: 1) { wrong }
                }
                \""")

            """
        let client = try ScriptedClient(Library.with("documents/View.swift", swift))
        let places = client.diagnostics("documents/View.swift").compactMap { $0["range"] }
        #expect(
            places == [
                TextRange(start: .init(line: 0, character: 79), end: .init(line: 0, character: 88)).json,
                TextRange(start: .init(line: 4, character: 20), end: .init(line: 4, character: 25)).json,
            ])
        #expect(client.messages("documents/View.swift").allSatisfy { $0.hasPrefix("unknown field") })
    }

    @Test func savedFilesAndWatchedFilesAreReadAgain() throws {
        let client = try ScriptedClient(Library.files)
        #expect(client.told.contains { $0["method"]?.string == "client/registerCapability" })
        try client.folder.write("query MoreQuery { nothing }", to: "documents/More.graphql")
        client.notify(
            "workspace/didChangeWatchedFiles",
            ["changes": [["uri": .string(client.uri("documents/More.graphql")), "type": 1]]])
        client.settle()
        #expect(client.messages("documents/More.graphql") == ["unknown field 'nothing' on type 'Query'"])
        try client.folder.remove("documents/More.graphql")
        client.save("documents/Author.graphql")
        client.settle()
        #expect(client.messages("documents/More.graphql").isEmpty)
    }

    @Test func aFileThatIsOpenUnderTwoAddressesIsJudgedOnce() throws {
        let client = try ScriptedClient(Library.files)
        client.open("documents/Author.graphql", "fragment Author_person on Person { nmae }")
        let other = client.uri("documents/Author.graphql").replacing("Author.graphql", with: "%41uthor.graphql")
        client.notify(
            "textDocument/didOpen",
            ["textDocument": ["uri": .string(other), "version": 1, "text": "fragment Author_person on Person { id }"]])
        client.settle()
        #expect(!client.server.hasJob && !client.server.hasRest)
    }

    @Test func theRestOfAnEarlierJudgementIsDropped() throws {
        let client = try ScriptedClient(Library.files)
        client.open("documents/Author.graphql", Library.author)
        client.replace("documents/Author.graphql", Library.author + "\n")
        let rest = try #require(client.settleButRest())
        try client.folder.write("fragment BookRow_book on Book { nothing }", to: "documents/BookRow.graphql")
        client.save("documents/Author.graphql")
        client.settle()
        #expect(client.messages("documents/BookRow.graphql").count == 1)
        client.finish(rest)
        #expect(client.messages("documents/BookRow.graphql").count == 1)
    }

    @Test func aSchemaThatChangesIsReadAgain() throws {
        let client = try ScriptedClient(Library.files)
        client.open("schema.graphql", Library.schema)
        client.replace("schema.graphql", Library.schema.replacing("name: String!", with: "called: String!"))
        client.settle()
        #expect(
            client.messages("documents/Author.graphql") == ["unknown field 'name' on type 'Person'"])
        client.replace("schema.graphql", Library.schema)
        client.settle()
        #expect(client.messages("documents/Author.graphql").isEmpty)
    }

    @Test func aBrokenConfigurationIsToldAndItsCorrectionToo() throws {
        let client = try ScriptedClient(Library.files)
        try client.folder.write("{\"schema\": 3}", to: "baton.json")
        client.save("baton.json")
        client.settle()
        #expect(client.messages("baton.json").count == 1)
        try client.folder.write(Library.configuration, to: "baton.json")
        client.save("baton.json")
        client.settle()
        #expect(client.messages("baton.json").isEmpty)
    }

    @Test func everyProjectOfEveryFolderIsJudged() throws {
        var files: [String: String] = [:]
        for (name, text) in Library.files {
            files["one/\(name)"] = text
            files["two/deep/\(name)"] = text
        }
        files["two/deep/documents/Wrong.graphql"] = "query WrongQuery { nothing }"
        let client = try ScriptedClient(files, folders: ["one"])
        #expect(client.messages("two/deep/documents/Wrong.graphql").isEmpty)
        client.notify(
            "workspace/didChangeWorkspaceFolders",
            ["event": ["added": [["uri": .string(client.uri("two"))]], "removed": []]])
        client.settle()
        #expect(client.messages("two/deep/documents/Wrong.graphql").count == 1)
        client.notify(
            "workspace/didChangeWorkspaceFolders",
            ["event": ["removed": [["uri": .string(client.uri("two"))]], "added": []]])
        #expect(client.messages("two/deep/documents/Wrong.graphql").isEmpty)
    }

    @Test func progressOfTheFirstJudgementIsToldIfTheClientAgrees() throws {
        let client = try ScriptedClient(Library.files)
        let create = try #require(client.told.first { $0["method"]?.string == "window/workDoneProgress/create" })
        client.send(["jsonrpc": "2.0", "id": create["id"] ?? .null, "result": nil])
        // The judgement is over already, so that there is nothing to tell.
        #expect(!client.told.contains { $0["method"]?.string == "$/progress" })
    }
}
