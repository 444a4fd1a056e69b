import BatonCompiler
import BatonLanguageServer
import Testing

struct RenameTests {
    /// The files that a rename changes, with their new texts.
    private static func renamed(
        _ files: [String: String], _ name: String, _ marked: String, to new: String,
        capabilities: JSONValue = ScriptedClient.capabilities
    ) throws -> [String: String] {
        var files = files
        let (text, place) = ScriptedClient.unmarked(marked)
        files[name] = text
        let client = try ScriptedClient(files, capabilities: capabilities)
        client.open(name, text)
        client.settle()
        let edit = try client.ask("textDocument/rename", name, place, ("newName", .string(new)))
        var changed: [String: String] = [:]
        var all: [(uri: JSONValue?, edits: [JSONValue])] = []
        for document in edit["documentChanges"]?.array ?? [] {
            all.append((document.at("textDocument", "uri"), document["edits"]?.array ?? []))
        }
        if case .object(let members)? = edit["changes"] {
            for member in members { all.append((.string(member.key), member.value.array ?? [])) }
        }
        for (uri, edits) in all {
            let path = try #require(uri?.string.flatMap { DocumentURI($0).path })
            let file = path.relative(to: client.folder.path)
            var document = OpenDocument(uri: DocumentURI(path), version: 1, text: try #require(files[file]))
            let isWhole = document.apply(
                edits.reversed().map { ["range": $0["range"] ?? .null, "text": $0["newText"] ?? .null] }, version: 2)
            #expect(isWhole)
            changed[file] = String(decoding: document.bytes, as: UTF8.self)
        }
        return changed
    }

    private static let swift = """
        // BookRow_book is shown here.
        struct Row {
            let handle: FragmentHandle<BookRow_book>
            let text = "BookRow_book \\(BookRow_book.self)"
            init(_ book: BookListQuery.Data.Book) { read(book.fragments.bookRow_book, other.bookRow_book) }
            let query = BookListQuery(genre: .novel, other(genre: 1))
        }

        """

    @Test func aFragmentIsRenamedInDocumentsAndSwift() throws {
        let files = Library.with("Sources/Row.swift", Self.swift)
        let changed = try Self.renamed(
            files, "documents/BookRow.graphql", "fragment BookRow<|>_book on Book { title }\n", to: "BookRow_item")
        #expect(
            Set(changed.keys) == ["documents/BookRow.graphql", "documents/BookList.graphql", "Sources/Row.swift"])
        #expect(changed["documents/BookRow.graphql"] == "fragment BookRow_item on Book { title }\n")
        #expect(
            changed["documents/BookList.graphql"] == Library.list.replacing("...BookRow_book", with: "...BookRow_item"))
        #expect(
            changed["Sources/Row.swift"]
                == Self.swift.replacing("Handle<BookRow_book>", with: "Handle<BookRow_item>")
                .replacing("(BookRow_book.self)", with: "(BookRow_item.self)")
                .replacing("fragments.bookRow_book", with: "fragments.bookRow_item"))
    }

    @Test func anOperationIsRenamedWithItsType() throws {
        let files = Library.with("Sources/Row.swift", Self.swift)
        let changed = try Self.renamed(
            files, "documents/BookList.graphql",
            Library.list.replacing("query BookListQuery", with: "query BookList<|>Query"), to: "BookListAll",
            capabilities: [:])
        #expect(
            changed["documents/BookList.graphql"] == Library.list.replacing("BookListQuery", with: "BookListAll"))
        #expect(
            changed["Sources/Row.swift"] == Self.swift.replacing("BookListQuery", with: "BookListAllQuery"))
    }

    private static let refetchable = """
        fragment BookRow_book on Book @refetchable(queryName: "BookRowAgainQuery") { title }

        """

    @Test func theQueryOfARefetchableFragmentIsRenamedWithItsType() throws {
        let swift = "func again(_ row: Row) { row.refetch(BookRowAgainQuery.self) }\n"
        let changed = try Self.renamed(
            Library.with("Sources/Row.swift", swift), "documents/BookRow.graphql",
            Self.refetchable.replacing("AgainQuery", with: "Ag<|>ainQuery"), to: "BookRowRefetchQuery")
        #expect(
            changed["documents/BookRow.graphql"] == Self.refetchable.replacing("AgainQuery", with: "RefetchQuery"))
        #expect(changed["Sources/Row.swift"] == swift.replacing("AgainQuery", with: "RefetchQuery"))
    }

    @Test func theQueryThatIsNamedAfterAFragmentIsRenamedWithIt() throws {
        let swift = "func again(_ row: Row) { row.refetch(BookRow_bookRefetchQuery.self) }\n"
        let changed = try Self.renamed(
            Library.with("Sources/Row.swift", swift), "documents/BookRow.graphql",
            "fragment BookRow<|>_book on Book @refetchable { title }\n", to: "BookRow_item")
        #expect(changed["Sources/Row.swift"] == swift.replacing("BookRow_book", with: "BookRow_item"))
    }

    @Test func aQueryIsNotNamedLikeThatOfAFragment() throws {
        let client = try ScriptedClient(Library.with("documents/BookRow.graphql", Self.refetchable))
        let place = client.open("documents/BookList.graphql", "query BookList<|>Query { books { id } }")
        client.settle()
        let answer = try client.answer(
            "textDocument/rename",
            [
                "textDocument": ["uri": .string(client.uri("documents/BookList.graphql"))], "position": place,
                "newName": "BookRowAgainQuery",
            ])
        #expect(answer.at("error", "code") == -32803)
    }

    @Test func aVariableIsRenamedWithTheLabelsOfItsOperation() throws {
        let files = Library.with("Sources/Row.swift", Self.swift)
        let changed = try Self.renamed(
            files, "documents/BookList.graphql",
            Library.list.replacing("books(genre: $genre)", with: "books(genre: $gen<|>re)"), to: "kind")
        #expect(changed["documents/BookList.graphql"] == Library.list.replacing("$genre", with: "$kind"))
        #expect(
            changed["Sources/Row.swift"]
                == Self.swift.replacing("BookListQuery(genre:", with: "BookListQuery(kind:"))
    }

    @Test func anArgumentOfAFragmentIsRenamedWhereItIsPassed() throws {
        let changed = try Self.renamed(
            Library.files, "documents/BookRow.graphql",
            Library.row.replacing("upper: $big", with: "upper: $b<|>ig"), to: "large")
        #expect(
            changed["documents/BookRow.graphql"]
                == Library.row.replacing("(big:", with: "(large:").replacing("$big", with: "$large"))
        #expect(
            changed["documents/BookList.graphql"] == Library.list.replacing("(big:", with: "(large:"))
    }

    @Test func anAliasIsRenamedWithItsProperty() throws {
        let swift =
            "func show(_ book: BookRow_book.Data) { print(book.label, book.writer as BookRow_book.Data.Writer) }\n"
        let text = "fragment BookRow_book on Book { label: title ...on Book { label: title } writer: author { id } }\n"
        let files = Library.with("Sources/Row.swift", swift)
        let changed = try Self.renamed(
            files, "documents/BookRow.graphql", text.replacing("{ label: title ...", with: "{ la<|>bel: title ..."),
            to: "caption")
        #expect(changed["documents/BookRow.graphql"] == text.replacing("label", with: "caption"))
        #expect(changed["Sources/Row.swift"] == swift.replacing("book.label", with: "book.caption"))
        let other = try Self.renamed(
            files, "documents/BookRow.graphql", text.replacing("writer", with: "wri<|>ter"), to: "poet")
        #expect(
            other["Sources/Row.swift"]
                == swift.replacing("book.writer", with: "book.poet").replacing("Data.Writer", with: "Data.Poet"))
    }

    @Test(
        arguments: [
            ("query BookListQuery { books { ti<|>tle } }", "name"),
            ("query BookListQuery { books { ...BookRow<|>_book } }", "Author_person"),
            ("query BookListQuery { books { ...BookRow<|>_book } }", "on"),
            ("query BookListQuery { books { ...BookRow<|>_book } }", "1st"),
            ("query BookListQuery { books { ...BookRow<|>_book } }", "a b"),
            ("query BookListQuery($a: Genre, $b: Genre) { books(genre: $a<|>) { id } }", "b"),
            ("query BookListQuery { work(id: 1) { ... on Bo<|>ok { id } } }", "Novel"),
            ("query BookListQuery {<|> books { id } }", "x"),
        ])
    func aNameThatCannotBeGivenIsRefused(marked: String, new: String) throws {
        let client = try ScriptedClient(Library.files)
        let place = client.open("documents/BookList.graphql", marked)
        client.settle()
        let answer = try client.answer(
            "textDocument/rename",
            [
                "textDocument": ["uri": .string(client.uri("documents/BookList.graphql"))], "position": place,
                "newName": .string(new),
            ])
        #expect(answer.at("error", "code") == -32803)
    }

    @Test func theNameThatCanBeRenamedIsShown() throws {
        let client = try ScriptedClient(Library.files)
        let place = client.open("documents/BookList.graphql", "query BookListQuery { books { ...BookRow<|>_book } }")
        let answer = try client.ask("textDocument/prepareRename", "documents/BookList.graphql", place)
        #expect(answer["placeholder"] == "BookRow_book")
        #expect(answer.at("range", "start") == ["line": 0, "character": 33])
    }
}
