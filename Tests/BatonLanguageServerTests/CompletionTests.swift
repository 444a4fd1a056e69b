import BatonCompiler
import BatonLanguageServer
import Testing

struct CompletionTests {
    private let client: ScriptedClient

    init() throws {
        client = try ScriptedClient(Library.files)
    }

    private func labels(_ text: String) throws -> [String] {
        try client.completions("documents/BookList.graphql", text)
    }

    @Test func fieldsOfTheTypeAreProposed() throws {
        let found = try labels("query BookListQuery { books { <|> } }")
        #expect(found == ["author", "genre", "id", "reviews", "title", "isbn", "__typename", "..."])
        #expect(try labels("query BookListQuery { books { au<|>") == found)
        #expect(try labels("query BookListQuery { books { author { id } \n <|>") == found)
        #expect(try labels("query BookListQuery { books { a: <|>") == found)
    }

    @Test func aRequiredSelectionAndRequiredArgumentsAreASnippet() throws {
        let place = client.open("documents/BookList.graphql", "query BookListQuery { books { rev<|> } }")
        let items = try client.ask("textDocument/completion", "documents/BookList.graphql", place)["items"]?.array ?? []
        let item = try #require(items.first { $0["label"] == "reviews" })
        #expect(item["insertTextFormat"] == 2)
        #expect(item.at("textEdit", "newText") == "reviews(first: $1) {\n  $0\n}")
        #expect(item.at("textEdit", "range", "start") == ["line": 0, "character": 30])
        #expect(item["detail"] == "[Review!]!")
        let plain = try #require(items.first { $0["label"] == "genre" })
        #expect(plain["insertTextFormat"] == nil)
        let old = try #require(items.first { $0["label"] == "isbn" })
        #expect(old["tags"] == [1])
    }

    @Test func withoutSnippetsTheNameAloneIsInserted() throws {
        let client = try ScriptedClient(Library.files, capabilities: [:])
        let place = client.open("documents/BookList.graphql", "query BookListQuery { books { rev<|> } }")
        let items = try client.ask("textDocument/completion", "documents/BookList.graphql", place)["items"]?.array ?? []
        #expect(items.first { $0["label"] == "reviews" }?.at("textEdit", "newText") == "reviews")
    }

    @Test func argumentsThatAreNotGivenAreProposed() throws {
        #expect(try labels("query BookListQuery { books(<|>) { id } }") == ["filter", "genre"])
        #expect(try labels("query BookListQuery { books(genre: NOVEL, <|> { id } }") == ["filter"])
        #expect(try labels("query BookListQuery { books { reviews(af<|>") == ["first", "after"])
        #expect(try labels("query BookListQuery { books { ...BookRow_book @arguments(<|>") == ["big"])
        #expect(try labels("query BookListQuery { books { id @include(<|>") == ["if"])
    }

    @Test func valuesOfTheTypeAreProposed() throws {
        #expect(
            try labels("query BookListQuery($g: Genre, $n: Int) { books(genre: <|>) { id } }") == [
                "$g", "NOVEL", "POEM", "null",
            ])
        #expect(try labels("query BookListQuery($g: Genre, $n: Int) { books(genre: $<|>) { id } }") == ["g", "n"])
        #expect(try labels("query BookListQuery { books(filter: {genre: <|>}) { id } }") == ["NOVEL", "POEM", "null"])
        #expect(try labels("query BookListQuery($g: Genre = <|>) { books { id } }") == ["NOVEL", "POEM", "null"])
        #expect(try labels("query BookListQuery { books { id @include(if: <|>") == ["false", "true"])
    }

    @Test func fieldsOfInputObjectsAreProposed() throws {
        #expect(try labels("query BookListQuery { books(filter: {<|>}) { id } }") == ["title", "genre", "inner"])
        #expect(
            try labels("query BookListQuery { books(filter: {title: \"a\", inner: {title: \"b\", <|>") == [
                "genre", "inner",
            ])
    }

    @Test func fragmentsThatFitAreProposed() throws {
        #expect(try labels("query BookListQuery { books { ...<|> } }") == ["BookRow_book", "on"])
        #expect(try labels("query BookListQuery { books { author { ...<|> } } }") == ["Author_person", "on"])
        #expect(
            try labels("query BookListQuery { node(id: 1) { ...A<|> } }") == ["Author_person", "BookRow_book", "on"])
        // A fragment that was just typed counts, and a fragment does not spread itself.
        #expect(
            try labels("fragment New_book on Book { id }\nfragment Other_book on Book { ...<|> }") == [
                "BookRow_book", "New_book", "on",
            ])
    }

    @Test func typesInConditionsAreThoseThatOverlap() throws {
        #expect(try labels("query BookListQuery { work(id: 1) { ... on <|> } }") == ["Book", "Film", "Node", "Work"])
        #expect(try labels("fragment A_book on <|>").contains("Person"))
        #expect(try !labels("fragment A_book on <|>").contains("BookFilter"))
        let types = try labels("query BookListQuery($a: <|>)")
        #expect(types.contains("BookFilter"))
        #expect(types.contains("Int"))
        #expect(!types.contains("Book"))
    }

    @Test func directivesOfThePlaceAreProposed() throws {
        let found = try labels("query BookListQuery { books { id @<|> } }")
        #expect(found.contains("include"))
        #expect(!found.contains("argumentDefinitions"))
        #expect(try labels("fragment Book_a on Book @<|> { id }").contains("argumentDefinitions"))
    }

    @Test func keywordsBeginADefinition() throws {
        #expect(try labels("<|>") == ["fragment", "mutation", "query", "subscription"])
        #expect(try labels("query A { books { id } }\nqu<|>") == ["fragment", "mutation", "query", "subscription"])
    }

    @Test func nothingIsProposedInCommentsAndStrings() throws {
        #expect(try labels("query BookListQuery { books { id # ti<|>\n } }").isEmpty)
        #expect(try labels("query BookListQuery { books(filter: {title: \"a <|>\"}) { id } }").isEmpty)
    }

    @Test func aBrokenDefinitionBeforeDoesNotMatter() throws {
        #expect(
            try labels("query A { books( { id \n\nquery BookListQuery { books { author { <|>") == [
                "books", "id", "name", "__typename", "...",
            ])
    }

    @Test func literalsInSwiftAreCompleted() throws {
        let place = client.open(
            "documents/View.swift",
            "let smile = \"\u{1F600}\"; private let query = graphql(\"query \u{1F600}View { book(id: \\\"1\\\") { author { <|> } } }\")\n"
        )
        let items = try client.ask("textDocument/completion", "documents/View.swift", place)["items"]?.array ?? []
        let labels = items.compactMap { $0["label"]?.string }
        #expect(labels.contains("name"))
        let outside: JSONValue = ["line": 0, "character": 3]
        #expect(try client.ask("textDocument/completion", "documents/View.swift", outside) == .null)
    }
}
