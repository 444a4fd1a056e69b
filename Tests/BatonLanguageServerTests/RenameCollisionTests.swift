import BatonCompiler
import BatonLanguageServer
import Testing

/// Names that mean something in their new place already. Each refusal has the place of what has the name.
struct RenameCollisionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let new: String
        /// The files besides those of the library, one of which has the mark.
        let files: [String: String]
        /// The beginning of the refusal; nil if the name is free.
        let refusal: String?

        var testDescription: String { name }
    }

    private static let row = "documents/BookRow.graphql"
    private static let list = "documents/BookList.graphql"
    private static let author = "documents/Author.graphql"

    static let cases: [Case] = [
        Case(
            name: "an argument hides the variable of the operation", new: "flag",
            files: [
                row: """
                fragment BookRow_book on Book @argumentDefinitions(wi<|>de: {type: "Boolean", defaultValue: false}) {
                  isbn @include(if: $wide)
                  genre @include(if: $flag)
                }
                """,
                list:
                    "query BookListQuery($flag: Boolean = false) { books { ...BookRow_book @arguments(wide: true) } }",
            ], refusal: "\(row):3:23: "),
        Case(
            name: "an argument beside another one", new: "b",
            files: [
                row: """
                fragment BookRow_book on Book
                @argumentDefinitions(a: {type: "Boolean", defaultValue: false}, b: {type: "Boolean", defaultValue: true}) {
                  title(upper: $a<|>)
                  isbn @include(if: $b)
                }
                """,
                list: "query BookListQuery { books { ...BookRow_book @arguments(a: true) } }",
            ], refusal: "\(row):2:65: the fragment 'BookRow_book' has an argument 'b' already"),
        Case(
            name: "an argument of a refetchable fragment beside the variable of another one", new: "flag",
            files: [
                row: """
                fragment BookRow_book on Book
                @refetchable(queryName: "BookRowAgainQuery")
                @argumentDefinitions(big: {type: "Boolean", defaultValue: false}) {
                  title(upper: $bi<|>g)
                  author { ...Author_person }
                }
                """,
                author: "fragment Author_person on Person { name @include(if: $flag) }",
                list: "query BookListQuery($flag: Boolean = false) { books { ...BookRow_book } }",
            ], refusal: "\(author):1:55: "),
        Case(
            name: "an argument that the query of a refetchable fragment has for the object", new: "id",
            files: [
                row: """
                fragment BookRow_book on Book
                @refetchable(queryName: "BookRowAgainQuery")
                @argumentDefinitions(big: {type: "Boolean", defaultValue: false}) {
                  title(upper: $bi<|>g)
                }
                """
            ], refusal: "\(row):3:22: "),
        Case(
            name: "a variable beside another one", new: "b",
            files: [list: "query BookListQuery($a<|>: Genre, $b: Genre) { books(genre: $a) { title } }"],
            refusal: "\(list):1:33: "),
        Case(
            name: "a variable that a fragment reads", new: "b",
            files: [
                row: "fragment BookRow_book on Book { title(upper: $a) }",
                list: "query BookListQuery($a<|>: Boolean) { books { ...BookRow_book } }",
            ], refusal: "\(row):1:47: "),
        Case(
            name: "an alias beside a field", new: "title",
            files: [row: "fragment BookRow_book on Book { title na<|>me: isbn }"], refusal: "\(row):1:33: "),
        Case(
            name: "an alias beside the same field", new: "title",
            files: [row: "fragment BookRow_book on Book { title na<|>me: title }"], refusal: "\(row):1:33: "),
        Case(
            name: "an alias beside a field of a spread fragment of a spread fragment", new: "label",
            files: [
                row: "fragment BookRow_book on Book { ...Inner_book }",
                "documents/Inner.graphql": "fragment Inner_book on Book { label: title }",
                list: "query BookListQuery { books { na<|>me: title ...BookRow_book } }",
            ], refusal: "documents/Inner.graphql:1:31: "),
        Case(
            name: "an alias beside a field of an operation that reaches the fragment", new: "label",
            files: [
                row: "fragment BookRow_book on Book { ...Inner_book }",
                "documents/Inner.graphql": "fragment Inner_book on Book { na<|>me: title }",
                list: "query BookListQuery { books { label: title ...BookRow_book } }",
            ], refusal: "\(list):1:31: "),
        Case(
            name: "an alias below fields that a response has as one", new: "label",
            files: [
                row: "fragment BookRow_book on Book { author { na<|>me: id } }",
                list: "query BookListQuery { books { ...BookRow_book author { label: id } } }",
            ], refusal: "\(list):1:56: "),
        Case(
            name: "an alias that another definition has for the same field", new: "label",
            files: [
                row: "fragment BookRow_book on Book { na<|>me: title }",
                list: "query BookListQuery { books { ...BookRow_book name: title } }",
            ], refusal: "\(list):1:47: "),
        Case(
            name: "an alias on another type", new: "label",
            files: [
                row: "query RowQuery { node(id: 1) { ... on Book { na<|>me: title } ... on Film { label: title } } }"
            ], refusal: nil),
        Case(
            name: "an alias elsewhere in the response", new: "label",
            files: [row: "query RowQuery { books { na<|>me: title author { label: id } } }"], refusal: nil),
        Case(
            name: "an alias that is a word in Swift", new: "self",
            files: [row: "query RowQuery { books { na<|>me: title } }"], refusal: nil),
        Case(
            name: "a fragment takes the type of an operation", new: "BookListQuery",
            files: [
                row: "fragment BookRow_bo<|>ok on Book { title }", list: "query BookListQuery { books { title } }",
            ],
            refusal: "\(list):1:7: "),
        Case(
            name: "a fragment takes the type that another kind of name makes", new: "RestQuery",
            files: [row: "fragment BookRow_bo<|>ok on Book { title }", list: "query rest { books { title } }"],
            refusal: "\(list):1:7: "),
        Case(
            name: "names that are one file on some disks", new: "author_Person",
            files: [
                row: "fragment BookRow_bo<|>ok on Book { title }",
                list: "query BookListQuery { books { ...BookRow_book author { ...Author_person } } }",
            ], refusal: "\(author):1:10: "),
        Case(
            name: "an operation takes the type of a fragment", new: "RowQuery",
            files: [
                row: "fragment RowQuery on Book { title }",
                list: "query BookList<|>Query { books { ...RowQuery } }",
            ], refusal: "\(row):1:10: "),
        Case(
            name: "an operation takes the query of a refetchable fragment", new: "BookRow_bookRefetchQuery",
            files: [
                row: "fragment BookRow_book on Book @refetchable { title }",
                list: "query BookList<|>Query { books { ...BookRow_book } }",
            ], refusal: "\(row):1:10: "),
        Case(
            name: "a fragment takes the type of an enum", new: "Genre",
            files: [
                row: "fragment BookRow_bo<|>ok on Book { genre }",
                list: "query BookListQuery { books { ...BookRow_book genre } }",
            ], refusal: "schema.graphql:6:6: "),
        Case(
            name: "a name that does not begin with that of its file of Swift", new: "Other_book",
            files: [
                "documents/Shelf.swift": "let row = graphql(\"fragment Shelf_bo<|>ok on Book { title }\")\n",
                list: "query BookListQuery { books { ...Shelf_book } }",
            ], refusal: "documents/Shelf.swift:1:29: "),
        Case(
            name: "a name that begins with that of its file of Swift", new: "Shelf_row",
            files: [
                "documents/Shelf.swift": "let row = graphql(\"fragment Shelf_bo<|>ok on Book { title }\")\n",
                list: "query BookListQuery { books { ...Shelf_book } }",
            ], refusal: nil),
        Case(
            name: "a variable of a name that is free", new: "kind",
            files: [list: "query BookListQuery($ge<|>nre: Genre) { books(genre: $genre) { title } }"], refusal: nil),
    ]

    @Test(arguments: cases)
    func aCollisionIsRefusedWithItsPlace(_ given: Case) throws {
        var files = Library.files
        var marked: (name: String, text: String)?
        for (name, text) in given.files {
            files[name] = ScriptedClient.unmarked(text).text
            if text.contains("<|>") { marked = (name, text) }
        }
        let (name, text) = try #require(marked)
        let client = try ScriptedClient(files)
        let place = client.open(name, text)
        client.settle()
        let answer = try client.answer(
            "textDocument/rename",
            [
                "textDocument": ["uri": .string(client.uri(name))], "position": place, "newName": .string(given.new),
            ])
        if let refusal = given.refusal {
            #expect(answer.at("error", "code") == -32803)
            let message = answer.at("error", "message")?.string ?? answer.text
            #expect(message.hasPrefix(refusal), "\(message)")
        } else {
            #expect(answer["result"]?["documentChanges"] != nil, "\(answer.text)")
        }
    }

    @Test func anEqualAliasOnAnInterfaceIsRenamedToo() throws {
        let client = try ScriptedClient(Library.files)
        let text = "query BookListQuery { node(id: 1) { key: id ... on Book { key: id } } }"
        let place = client.open("documents/BookList.graphql", text.replacing("{ key: id ...", with: "{ k<|>ey: id ..."))
        let edit = try client.ask("textDocument/rename", "documents/BookList.graphql", place, ("newName", "name"))
        #expect(edit["documentChanges"]?.array?.first?["edits"]?.array?.count == 2)
    }

    /// A file that two projects read is changed for one of them, and the other one would break.
    @Test func aRenameThatBreaksAnotherProjectIsRefused() throws {
        let shared = "../shared/Row.graphql"
        let configuration = """
            {"schema": ["../schema.graphql"], "documents": ["*.graphql", "\(shared)"], "output": "out"}
            """
        let client = try ScriptedClient([
            "schema.graphql": Library.schema, "shared/Row.graphql": "fragment Row on Book { title }\n",
            "a/baton.json": configuration, "a/A.graphql": "query AQuery { books { ...Row } }\n",
            "b/baton.json": configuration, "b/B.graphql": "query BQuery { books { ...Row } }\n",
        ])
        let answer = try client.answer(
            "textDocument/rename",
            [
                "textDocument": ["uri": .string(client.uri("shared/Row.graphql"))],
                "position": ["line": 0, "character": 10], "newName": "Cell",
            ])
        #expect(answer.at("error", "message")?.string?.contains("b/B.graphql:1:27: ") == true, "\(answer.text)")
    }
}
