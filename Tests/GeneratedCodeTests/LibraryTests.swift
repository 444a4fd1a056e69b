import Baton
import BatonTesting
import Foundation
import Testing

/// Relay's language end to end: a service executes the texts that were sent, and generated code reads the answers.
@Suite struct LibraryTests {
    /// A service with two books; `echo` answers with the arguments that came.
    private static func service() throws -> LocalService {
        let schema = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Schema/schema.graphql")
        var resolvers = LocalResolvers()
        let books: [JSONValue] = (1...5).map { number in
            ["id": .string("b\(number)"), "title": number == 4 ? .null : .string("Book \(number)"), "isbn": "i"]
        }
        resolvers.resolveType("Node") { _ in "Book" }
        resolvers.field("Query", "library") { _ in [:] as JSONValue }
        resolvers.field("Query", "node") { context in
            books.first { $0["id"] == context.arguments["id"] }
        }
        resolvers.field("Library", "books") { context in
            try LocalConnection(books, context.arguments) { book in
                if case .string(let id)? = book["id"] { id } else { "" }
            }
        }
        resolvers.field("Library", "shelf") { _ in books[2] }
        resolvers.field("Library", "lost") { _ in books[3] }
        resolvers.field("Book", "isbn", of: JSONValue.self) { book, _ in
            if book["id"] == "b4" { throw LocalError("no isbn") }
            return "isbn"
        }
        resolvers.field("Book", "best") { _ in books[4] }
        resolvers.field("Book", "echo") { context in
            let names = context.arguments.names.sorted()
            return JSONValue.object(names.map { .init($0, context.arguments[$0] ?? .null) }).sortedText
        }
        return try LocalService(schema: String(contentsOf: schema, encoding: .utf8), resolvers: resolvers)
    }

    private static let values: [GraphQLInput<String>] = ["x", .null, nil]

    @Test(arguments: 0..<3, [false, true])
    func argumentsReachFragmentsThroughThreeLevels(_ choice: Int, _ isShort: Bool) async throws {
        let text = ["\"x\"", "null", nil][choice]
        let environment = RelayEnvironment(network: try Self.service())
        let query = LibraryQuery(variables: .init(text: Self.values[choice], isShort: isShort))
        let response = try await environment.fetch(query)
        #expect(response.errors.isEmpty)
        let library = try #require(response.data?.library)
        let edges = try #require(library.books?.edges)
        #expect(edges.count == 2)
        for edge in edges {
            let reference = try #require(edge?.node?.fragments.libraryBook_book)
            let book = try #require(environment.read(reference))
            let echo = [#""size":3"#, text.map { "\"text\":\($0)" }].compactMap(\.self)
            #expect(book.echo == "{\(echo.joined(separator: ","))}")
            #expect(book.long == (isShort ? nil : #"{"text":"long"}"#))
            let filter = try #require(environment.read(book.fragments.libraryFilter_book))
            let title = text.map { ",\"title\":\($0)" } ?? ""
            #expect(filter.filtered == #"{"filter":{"and":{"pages":3},"in":["a",\#(text ?? "null")]\#(title)}}"#)
            #expect(environment.read(filter.fragments.libraryDeep_book)?.deep == #"{"text":"deep"}"#)
            let best = try #require(book.best)
            let deep = try #require(environment.read(best.fragments.libraryDeep_book))
            #expect(deep.deep == (text.map { "{\"text\":\($0)}" } ?? "{}"))
        }
        // What nobody passes has its default.
        let shelf = try #require(library.shelf)
        let book = try #require(environment.read(shelf.fragments.libraryBook_book))
        #expect(book.echo == #"{"text":"none"}"# && book.long == #"{"text":"long"}"#)
        let filter = try #require(environment.read(book.fragments.libraryFilter_book))
        #expect(filter.filtered == #"{"filter":{"and":{},"in":["a","none"],"title":"none"}}"#)
        let best = try #require(book.best)
        #expect(environment.read(best.fragments.libraryDeep_book)?.deep == #"{"text":"none"}"#)
        // All of it is in the store: nothing is fetched again.
        let handle = QueryHandle<LibraryQuery>(in: environment, fetchPolicy: .storeOnly)
        let result = handle.get(LibraryQuery.Variables(text: Self.values[choice], isShort: isShort))
        #expect(result.data == response.data)
        #expect(!handle.isMissingData)
    }

    @Test func aFragmentIsFetchedAgainByItsQuery() async throws {
        let environment = RelayEnvironment(network: try Self.service())
        let query = LibraryBookRefetchQuery(isShort: true, size: 9, text: "again", id: "b2")
        let data = try #require(try await environment.fetch(query).data)
        let reference = try #require(data.node?.fragments.libraryBook_book)
        let book = try #require(environment.read(reference))
        #expect(book.title == "Book 2" && book.echo == #"{"size":9,"text":"again"}"# && book.long == nil)
    }

    @Test func aConnectionKeepsItsPages() async throws {
        let environment = RelayEnvironment(network: try Self.service())
        let first = try #require(try await environment.fetch(LibraryPageQuery(count: 2)).data)
        let titles = { (data: LibraryPageQuery.Data) in data.library.books?.edges?.map { $0?.node?.title } }
        #expect(titles(first) == ["Book 1", "Book 2"])
        let handle = QueryHandle<LibraryPageQuery>(in: environment, fetchPolicy: .storeOnly)
        #expect(handle.get(count: 2).data.map(titles) == ["Book 1", "Book 2"])
        _ = try await environment.fetch(LibraryPageQuery(count: 2, cursor: "b2"))
        #expect(handle.get(count: 2).data.map(titles) == ["Book 1", "Book 2", "Book 3", nil])
    }

    @Test func anAliasNamesAReference() async throws {
        let environment = RelayEnvironment(network: try Self.service())
        let shelf = try #require(try await environment.fetch(LibraryAliasQuery()).data?.library.shelf)
        #expect(environment.read(shelf.fragments.again)?.deep == #"{"text":"deep"}"#)
        #expect(shelf.fragments.again == shelf.fragments.libraryDeep_book)
    }

    @Test func errorsAreCaughtAndThrown() async throws {
        let environment = RelayEnvironment(network: try Self.service())
        let data = try #require(try await environment.fetch(LibraryErrorsQuery()).data)
        let shelf: LibraryErrorsQuery.Data.Library.Shelf = data.library.shelf
        #expect(shelf.title == "Book 3" && shelf.isbn == .success("isbn"))
        #expect(data.library.lost == nil)
        #expect(data.library.unmasked?.title == "Book 3")
        let lost = try #require(try await environment.fetch(LibraryLostQuery()).data)
        #expect(lost.library.lost == nil)
    }
}

extension JSONValue {
    /// The text with sorted members.
    fileprivate var sortedText: String {
        switch self {
        case .object(let members):
            "{"
                + members.sorted { $0.name < $1.name }.map { "\"\($0.name)\":\($0.value.sortedText)" }.joined(
                    separator: ",") + "}"
        case .array(let items): "[" + items.map(\.sortedText).joined(separator: ",") + "]"
        default: text
        }
    }
}
