import BatonCompiler
import BatonLanguageServer
import Testing

struct NavigationTests {
    private let client: ScriptedClient
    private let name = "documents/BookList.graphql"

    init() throws {
        client = try ScriptedClient(Library.files)
    }

    private func definition(_ marked: String) throws -> String {
        let place = client.open(name, marked)
        client.settle()
        return client.brief(try client.ask("textDocument/definition", name, place))
    }

    private func list(_ method: String, _ marked: String) throws -> [String] {
        let place = client.open(name, marked)
        client.settle()
        return (try client.ask(method, name, place).array ?? []).map(client.brief)
    }

    @Test func definitionsAreFoundInDocumentsAndInTheSchema() throws {
        #expect(try definition("query A { books { ...Book<|>Row_book } }") == "documents/BookRow.graphql:0:9")
        #expect(try definition("query A { books { ti<|>tle } }") == "schema.graphql:17:2")
        #expect(try definition("query A { books { title(upp<|>er: true) } }") == "schema.graphql:17:8")
        #expect(try definition("query A { books(genre: NO<|>VEL) { id } }") == "schema.graphql:6:2")
        #expect(try definition("query A { books(filter: {ti<|>tle: \"a\"}) { id } }") == "schema.graphql:11:2")
        #expect(try definition("query A { work(id: 1) { ... on Fi<|>lm { id } } }") == "schema.graphql:23:5")
        #expect(try definition("query A($g: Genre) { books(genre: $g<|>) { id } }") == "\(name):0:9")
        #expect(try definition("query A($g: Gen<|>re) { books(genre: $g) { id } }") == "schema.graphql:5:5")
        #expect(
            try definition("query A { books { ...BookRow_book @arguments(bi<|>g: true) } }")
                == "documents/BookRow.graphql:0:51")
    }

    @Test func definitionsAreFoundInAHalfTypedDocument() throws {
        #expect(try definition("query A { books( { ...Book<|>Row_book \n") == "documents/BookRow.graphql:0:9")
        #expect(try definition("query A { books { author { na<|>me") == "schema.graphql:29:2")
    }

    @Test func referencesToAFragmentAreAllItsSpreads() throws {
        #expect(
            try list("textDocument/references", "query A { books { ...BookRow_book ...BookRow<|>_book } }") == [
                "\(name):0:21", "\(name):0:37", "documents/BookRow.graphql:0:9",
            ])
    }

    @Test func referencesToAFieldAreThoseOnItsType() throws {
        #expect(
            try list("textDocument/references", "query A { books { ti<|>tle } work(id: 1) { ... on Film { title } } }")
                == ["\(name):0:18", "documents/BookRow.graphql:1:2"])
    }

    @Test func referencesToAVariableStayInItsDefinition() throws {
        #expect(
            try list(
                "textDocument/references",
                "query A($g: Genre) { books(genre: $g<|>) { id } }\nquery B($g: Genre) { books(genre: $g) { id } }")
                == ["\(name):0:9", "\(name):0:35"])
    }

    @Test func implementationsAreTheTypesOfAnInterface() throws {
        #expect(
            try list("textDocument/implementation", "query A { node(id: 1) { ... on No<|>de { id } } }") == [
                "schema.graphql:14:5", "schema.graphql:23:5", "schema.graphql:27:5",
            ])
        #expect(
            try list("textDocument/implementation", "query A { node(id: 1) { i<|>d } }") == [
                "schema.graphql:15:2", "schema.graphql:24:2", "schema.graphql:28:2",
            ])
    }

    @Test func aHoverTellsTypeDescriptionAndSwift() throws {
        func hover(_ marked: String) throws -> String {
            let place = client.open(name, marked)
            client.settle()
            return try client.ask("textDocument/hover", name, place).at("contents", "value")?.string ?? ""
        }
        let field = try hover("query A { books { label: ti<|>tle } }")
        #expect(field.contains("Book.title(upper: Boolean): String"))
        #expect(field.contains("What is on its spine."))
        #expect(field.contains("`label: String?`"))
        #expect(try hover("query A { books { is<|>bn } }").contains("Deprecated: use id"))
        #expect(try hover("query A { bo<|>oks { id } }").contains("`books: [Book]`"))
        #expect(try hover("query A { books { ...Book<|>Row_book } }").contains("fragment BookRow_book on Book"))
        #expect(try hover("query A($g: [Genre!]) { books(genre: $g<|>) { id } }").contains("$g: [Genre!]"))
        #expect(try hover("query A { w<|>ork(id: 1) { __typename } }").contains("Query.work(id: ID!): Work"))
        #expect(try hover("query A { books(gen<|>re: NOVEL) { id } }").contains("genre: Genre"))
        #expect(try hover("query A { work(id: 1) { ... on Wo<|>rk { id } } }").contains("union Work = Book | Film"))
        #expect(try hover("query Li<|>st { books { id } }").contains("ListQuery"))
    }

    @Test func aHoverTellsWhatTheConfigurationSays() throws {
        let settings = #""maxAge": {"Book.title": 60}, "unstored": ["Book.title", "List"]}"#
        var files = Library.files
        files["baton.json"] = String(Library.configuration.dropLast()) + ", " + settings
        let client = try ScriptedClient(files)
        func hover(_ marked: String) throws -> String {
            let place = client.open(name, marked)
            client.settle()
            return try client.ask("textDocument/hover", name, place).at("contents", "value")?.string ?? ""
        }
        let field = try hover("query List { books { ti<|>tle } }")
        #expect(field.contains("`Book.title` is fresh for 60 s"))
        #expect(field.contains("`Book.title` never reaches a file"))
        #expect(try hover("query Li<|>st { books { id } }").contains("`List` never reaches a file"))
        #expect(try !hover("query List { books { is<|>bn } }").contains("file"))
    }

    // MARK: - Files of the schema

    private func schemaPlace(_ marked: (String, String)) throws -> JSONValue {
        let text = Library.schema.replacing(marked.0, with: marked.1, maxReplacements: 1)
        let place = client.open("schema.graphql", text)
        client.settle()
        return place
    }

    @Test(arguments: [
        ("work(id: ID!): Work", "work(id: ID!): Wo<|>rk", "schema.graphql:4:6"),
        ("= Book | Film", "= Book | Fi<|>lm", "schema.graphql:23:5"),
        ("implements Node", "implements No<|>de", "schema.graphql:0:10"),
        ("  genre: Genre\n  title", "  genre: Gen<|>re\n  title", "schema.graphql:5:5"),
        ("[Review!]!", "[Rev<|>iew!]!", "schema.graphql:32:5"),
        ("NOVEL", "NO<|>VEL", "schema.graphql:6:2"),
        ("title(upper: Boolean)", "title(up<|>per: Boolean)", "schema.graphql:17:8"),
    ])
    func definitionsAreFoundInTheSchema(old: String, marked: String, wanted: String) throws {
        let place = try schemaPlace((old, marked))
        #expect(client.brief(try client.ask("textDocument/definition", "schema.graphql", place)) == wanted)
    }

    @Test(arguments: [
        ("work(id: ID!): Work", "work(id: ID!): Wo<|>rk", "union Work = Book | Film"),
        ("  isbn:", "  is<|>bn:", "Book.isbn: String"), ("  isbn:", "  is<|>bn:", "Deprecated: use id"),
        ("title(upper", "ti<|>tle(upper", "What is on its spine."), ("POEM", "PO<|>EM", "Deprecated: read more"),
        ("books(filter:", "books(fil<|>ter:", "filter: BookFilter"),
        ("POEM @deprecated", "POEM @depre<|>cated", "directive @deprecated"),
    ])
    func aHoverTellsOfNamesInTheSchema(old: String, marked: String, wanted: String) throws {
        let place = try schemaPlace((old, marked))
        let hover = try client.ask("textDocument/hover", "schema.graphql", place).at("contents", "value")?.string
        #expect(hover?.contains(wanted) == true, "\(hover ?? "")")
    }

    @Test func nothingIsSaidOfTheRestOfASchema() throws {
        let place = try schemaPlace(("union Work", "un<|>ion Work"))
        #expect(try client.ask("textDocument/hover", "schema.graphql", place) == .null)
    }
}
