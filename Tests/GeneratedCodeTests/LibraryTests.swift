import Baton
import BatonTesting
import Foundation
import Synchronization
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
        // An argument that no spread passes has its default value.
        let shelf = try #require(library.shelf)
        let book = try #require(environment.read(shelf.fragments.libraryBook_book))
        #expect(book.echo == #"{"text":"none"}"# && book.long == #"{"text":"long"}"#)
        let filter = try #require(environment.read(book.fragments.libraryFilter_book))
        #expect(filter.filtered == #"{"filter":{"and":{},"in":["a","none"],"title":"none"}}"#)
        let best = try #require(book.best)
        #expect(environment.read(best.fragments.libraryDeep_book)?.deep == #"{"text":"none"}"#)
        // The store has all data: nothing is fetched again.
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

    /// Arguments that are left out keep the values with which the fragment is shown.
    @Test func aHandleFetchesItsFragmentAgain() async throws {
        let environment = RelayEnvironment(network: try Self.service())
        let data = try #require(try await environment.fetch(LibraryQuery(text: "x", isShort: true)).data)
        let edges = try #require(data.library.books?.edges)
        let book = FragmentHandle(edges[0]?.node?.fragments.libraryBook_book, in: environment)
        #expect(book.get().data?.echo == #"{"size":3,"text":"x"}"#)
        try await book.refetch(size: 9).finished()
        #expect(book.get().data?.echo == #"{"size":9,"text":"x"}"# && book.get().data?.long == nil)
        try await book.refetch(isShort: false, text: .null, id: "b2").finished()
        #expect(book.get().data?.title == "Book 2" && book.get().data?.long != nil)
        #expect(book.get().data?.echo == #"{"size":9,"text":null}"#)
    }

    @Test func aFragmentOnTheQueryHasPages() async throws {
        let environment = RelayEnvironment(network: try Self.service())
        let data = try #require(try await environment.fetch(LibraryShelfQuery()).data)
        let shelf = FragmentHandle(data.fragments.libraryShelf_query, in: environment)
        func titles() -> [String?]? { shelf.get().data?.library.books?.nodes.map(\.title) }
        #expect(titles() == ["Book 1", "Book 2"] && shelf.hasNext)
        try await shelf.loadNext(1).finished()
        #expect(titles() == ["Book 1", "Book 2", "Book 3"])
        try await shelf.loadAll(upTo: 10, pageSize: 1).finished()
        #expect(titles() == ["Book 1", "Book 2", "Book 3", nil, "Book 5"] && !shelf.hasNext)
        try await shelf.refetch(count: 1).finished()
        #expect(titles() == ["Book 1"] && shelf.hasNext)

        let both = FragmentHandle(data.fragments.libraryBoth_query, in: environment)
        func nodes() -> [String?]? { both.get().data?.all.both?.nodes.map(\.title) }
        #expect(nodes() == ["Book 3"] && both.hasNext && both.hasPrevious)
        try await both.loadPrevious(5).finished()
        try await both.loadNext(5).finished()
        #expect(nodes() == ["Book 1", "Book 2", "Book 3", nil, "Book 5"] && !both.hasNext && !both.hasPrevious)
    }

    /// The values of providers are sent, are part of the keys of stored answers, and stay with references.
    @Test(
        "With another value of its provider an operation is another one, and references keep the data of the old value."
    )
    func providersGiveArguments() async throws {
        let environment = RelayEnvironment(network: try Self.service())
        func shown(_ reference: FragmentReference<LibraryProvided_book>) -> [String?] {
            let book = environment.read(reference)
            let deep = book?.best.flatMap { environment.read($0.fragments.libraryProvidedDeep_book) }
            return [book?.echo, book?.long, deep?.deep]
        }
        let first = try await environment.fetch(LibraryProvidedQuery(text: "x"))
        #expect(first.errors.isEmpty)
        let reference = try #require(first.data?.library.shelf?.fragments.libraryProvided_book)
        let long = #"{"text":"long"}"#
        let values = [#"{"size":3,"text":"x"}"#, long, #"{"filter":{"title":"t"},"size":3}"#]
        #expect(shown(reference) == values)
        let handle = QueryHandle<LibraryProvidedQuery>(in: environment, fetchPolicy: .storeOnly)
        #expect(handle.get(text: "x").data == first.data && !handle.isMissingData)

        PageSize.value.withLock { $0 = 4 }
        Length.IsLong.value.withLock { $0 = false }
        BookTitle.value.withLock { $0 = nil }
        // An operation with other values is another one. The reference keeps the values with which it was made.
        #expect(!environment.check(LibraryProvidedQuery(text: "x")).isAvailable)
        #expect(shown(reference) == values)
        let again = try await environment.fetch(LibraryProvidedRefetchQuery(shown: nil, id: "b3"))
        let other = try #require(again.data?.node?.fragments.libraryProvided_book)
        #expect(shown(other) == [#"{"size":4}"#, nil, #"{"filter":{"title":null},"size":4}"#])
        #expect(shown(reference) == values)
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

    /// The variables that a query sends, by their names.
    private static func variables<Query: GraphQLQuery>(_ query: Query) async -> JSONValue?
    where Query.ResponseFormat == GeneratedCode.SingleResponse {
        let network = CannedNetwork(#"{"data": null}"#)
        _ = try? await RelayEnvironment(network: network).fetch(query)
        return network.variables
    }

    private static func string(_ json: JSONValue?) -> String? {
        if case .string(let text)? = json { text } else { nil }
    }

    /// The value at a path of response keys.
    private static func value(_ json: JSONValue, at path: [String]) -> JSONValue? {
        path.reduce(json) { json, key in json?[key] }
    }

    @Test func aFragmentSaysHowItIsFetchedAgain() async throws {
        let refetch = LibraryBook_book.refetch
        let environment = RelayEnvironment(network: try Self.service())
        let book: JSONValue = ["id": "b2"]
        let id = try #require(refetch.identifierField.flatMap { Self.string(book[$0]) })
        let query = LibraryBook_book.RefetchQuery(size: 9, id: id)
        let variable = try #require(refetch.identifierVariable)
        #expect(await Self.variables(query) == .object([.init("size", 9), .init(variable, "b2")]))
        let response = try await environment.fetch(query)
        let json = try #require(response.json["data"].flatMap { Self.value($0, at: refetch.path) })
        #expect(json["title"] == "Book 2" && json["echo"] == #"{"size":9,"text":"none"}"#)
    }

    @Test func aFragmentSaysHowAPageIsFetched() async throws {
        let (refetch, connection) = (LibraryShelf_query.refetch, LibraryShelf_query.connection)
        #expect(refetch == .init(path: []) && connection.direction == .forward)
        let (path, forward) = (try #require(connection.path), try #require(connection.forward))
        let after = try #require(forward.cursor)
        let environment = RelayEnvironment(network: try Self.service())
        let data = try #require(try await environment.fetch(LibraryShelfQuery()).data)
        func shown() throws -> JSONValue {
            let fragment = try #require(environment.read(data.fragments.libraryShelf_query))
            return try #require(Self.value(JSONValue(fragment), at: path))
        }
        #expect(try shown()["edges"] == [["node": ["title": "Book 1"]], ["node": ["title": "Book 2"]]])
        let cursor = try #require(Self.string(Self.value(try shown(), at: ["pageInfo", "endCursor"])))
        let query = LibraryShelf_query.RefetchQuery(count: 2, cursor: cursor)
        #expect(
            await Self.variables(query) == .object([.init(forward.count, 2), .init(after, .string(cursor))]))
        _ = try await environment.fetch(query)
        let titles: [JSONValue] = ["Book 1", "Book 2", "Book 3", nil]
        #expect(try shown()["edges"] == .array(titles.map { ["node": ["title": $0]] }))
        #expect(Self.value(try shown(), at: ["pageInfo", "hasNextPage"]) == true)
    }

    @Test func aConnectionGrowsInBothDirections() async throws {
        let connection = LibraryBoth_query.connection
        #expect(connection.direction == .bidirectional && connection.path == ["all", "both"])
        let (forward, backward) = (try #require(connection.forward), try #require(connection.backward))
        let names = [forward.count, try #require(forward.cursor), backward.count, try #require(backward.cursor)]
        let environment = RelayEnvironment(network: try Self.service())
        let data = try #require(try await environment.fetch(LibraryShelfQuery()).data)
        let reference = data.fragments.libraryBoth_query
        let titles = { environment.read(reference)?.all.both?.nodes.map(\.title) }
        #expect(titles() == ["Book 3"])
        let after = LibraryBoth_query.RefetchQuery(after: "b3", first: 1)
        #expect(await Self.variables(after) == .object([.init(names[1], "b3"), .init(names[0], 1)]))
        _ = try await environment.fetch(after)
        #expect(titles() == ["Book 3", nil])
        // An explicit null keeps the defaults of the other direction out.
        let before = LibraryBoth_query.RefetchQuery(
            variables: .init(after: .null, before: "b3", first: .null, last: 1))
        let sent: [JSONValue.Member] = [
            .init(names[1], nil), .init(names[3], "b3"), .init(names[0], nil), .init(names[2], 1),
        ]
        #expect(await Self.variables(before) == .object(sent))
        _ = try await environment.fetch(before)
        #expect(titles() == ["Book 2", "Book 3", nil])
    }

    @Test func aResponseIsKeptAsText() async throws {
        let environment = RelayEnvironment(network: try Self.service())
        let query = LibraryQuery(text: "x", isShort: false)
        let response = try await environment.fetch(query)
        let again = try GraphQLResponse(.response(json: response.json.text), for: query)
        #expect(JSONValue(try #require(again.data)) == JSONValue(try #require(response.data)))
        #expect(again.json == response.json && again.source == .network && again.errors.isEmpty)
        let shelf = try #require(again.data?.library.shelf)
        let book = try #require(again.read(shelf.fragments.libraryBook_book))
        #expect(book.title == "Book 3" && book.echo == #"{"text":"none"}"#)
        let filter = try #require(again.read(book.fragments.libraryFilter_book))
        #expect(again.read(filter.fragments.libraryDeep_book)?.deep == #"{"text":"deep"}"#)
    }

    @Test func aResponseOfErrorsIsKeptAsText() throws {
        let query = LibraryPageQuery(count: 1)
        let failed = try GraphQLResponse(.response(json: #"{"data":null,"errors":[{"message":"no"}]}"#), for: query)
        #expect(failed.data == nil && failed.errors.map(\.message) == ["no"])
        #expect(try GraphQLResponse(.response(json: failed.json.text), for: query) == failed)
        let partial = try GraphQLResponse(.data(["library": ["books": nil]]), for: query)
        #expect(partial.data?.library.books == nil && partial.data != nil)
        #expect(throws: RelayError.self) { try GraphQLResponse(.response(json: "{"), for: query) }
        #expect(throws: RelayError.self) { try GraphQLResponse(.data(["library": 5]), for: query) }
    }

    @Test func anAliasNamesAReference() async throws {
        let environment = RelayEnvironment(network: try Self.service())
        let shelf = try #require(try await environment.fetch(LibraryAliasQuery()).data?.library.shelf)
        #expect(environment.read(shelf.fragments.again)?.deep == #"{"text":"deep"}"#)
        #expect(shelf.fragments.again == shelf.fragments.libraryDeep_book)
    }

    /// `__id` is not sent; every record has it, and a local update finds the record by it.
    @Test func recordsSayTheirDataIDs() async throws {
        let environment = RelayEnvironment(network: try Self.service())
        #expect(LibraryIDsQuery.artifact.text?.contains("__id") == false)
        let response = try await environment.fetch(LibraryIDsQuery())
        let data = try #require(response.data)
        #expect(data.__id == "client:root" && data.library.__id == "client:root:library")
        #expect(data.library.key == data.library.__id && data.library.shelf?.__id == "b3")
        #expect(data.node?.__id == "b2" && data.node?.asBook?.bookID == "b2")
        let books = try #require(data.library.books)
        let edges = try #require(books.edges).compactMap { $0 }
        #expect(edges.map { $0.node?.__id } == ["b1", "b2"] && Set(edges.map(\.__id)).count == 2)
        let reference = try #require(edges[0].node?.fragments.libraryIDs_book)
        let book = try #require(environment.read(reference))
        #expect(book.__id == reference.dataID.rawValue && book.best?.__id == "b5")
        // The connection has a data ID of its own.
        try environment.update { source in
            let connection = try #require(source.get(DataID(books.__id)))
            #expect(connection.linkedRecords(forField: "edges")?.count == 2)
        }
        let handle = QueryHandle<LibraryIDsQuery>(in: environment, fetchPolicy: .storeOnly)
        #expect(handle.get().data == data && !handle.isMissingData)
        #expect(handle.get(isShown: false).data?.library.shelf?.__id == nil)
        let json = JSONValue(data)
        #expect(json["library"]?["key"] == "client:root:library" && json["node"]?["bookID"] == "b2")
        // In data made from JSON, `__id` is the identity of the made records. Here it has no `id` of the node.
        let again = try LibraryIDsQuery.Data(.data(json), for: LibraryIDsQuery())
        #expect(again.library.__id == data.library.__id && again.node?.__id == #"client:root:node(id:"b2")"#)
    }

    @Test func errorsAreCaughtAndThrown() async throws {
        let environment = RelayEnvironment(network: try Self.service())
        let data = try #require(try await environment.fetch(LibraryErrorsQuery()).data)
        let library = try #require(data.library)
        let shelf: LibraryErrorsQuery.Data.Library.Shelf = library.shelf
        #expect(shelf.title == "Book 3" && shelf.isbn == .success("isbn"))
        #expect(library.lost == nil)
        #expect(library.unmasked?.title == "Book 3")
        let lost = try #require(try await environment.fetch(LibraryLostQuery()).data)
        #expect(lost.library.lost == nil)
    }
}

extension JSONValue {
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
