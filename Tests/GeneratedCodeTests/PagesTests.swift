import Baton
import BatonTesting
import Foundation
import Testing

/// Connections whose edges are a fragment, connections that differ by a value, and handlers of the application.
@Suite struct PagesTests {
    private static func service() throws -> LocalService {
        let schema = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Schema/schema.graphql")
        var resolvers = LocalResolvers()
        let books: [JSONValue] = (1...5).map { ["id": .string("b\($0)"), "title": .string("Book \($0)")] }
        resolvers.resolveType("Node") { _ in "Book" }
        resolvers.field("Query", "library") { _ in [:] as JSONValue }
        resolvers.field("Library", "books") { context in
            try LocalConnection(books, context.arguments) { book in
                if case .string(let id)? = book["id"] { id } else { "" }
            }
        }
        return try LocalService(schema: String(contentsOf: schema, encoding: .utf8), resolvers: resolvers)
    }

    /// The component reads each shown edge by a reference. A further page adds edges.
    @Test func edgesThatAreFetchedAheadAreReferences() async throws {
        let environment = RelayEnvironment(network: try Self.service())
        let data = try #require(try await environment.fetch(PagesQuery(count: 2)).data)
        let list = FragmentHandle(data.library.fragments.pagesList_library, in: environment)
        let first = try #require(list.get().data?.books)
        #expect(first.edges?.count == 2 && first.pageInfo.hasNextPage)
        _ = try await environment.fetch(PagesQuery(count: 2, cursor: "b2"))
        let edges = try #require(list.get().data?.books?.edges)
        let titles = edges.map { edge in
            edge.flatMap { environment.read($0.fragments.pagesList_library__edges) }?.node?.title
        }
        #expect(titles == ["Book 1", "Book 2", "Book 3", "Book 4"])
    }

    @Test func aValueTellsConnectionsApart() async throws {
        let environment = RelayEnvironment(network: try Self.service())
        _ = try await environment.fetch(PagesKeyedQuery(list: "a", count: 1))
        _ = try await environment.fetch(PagesKeyedQuery(list: "b", count: 3))
        _ = try await environment.fetch(PagesKeyedQuery(count: 2))
        let counts = [("a", 1), ("b", 3), (nil, 2)].map { list, count in
            let handle = QueryHandle<PagesKeyedQuery>(in: environment, fetchPolicy: .storeOnly)
            return handle.get(list: list, count: count).data?.library.books?.edges?.count
        }
        #expect(counts == [1, 3, 2])
        try environment.update { store in
            let library = try #require(store.root.linkedRecord(forField: "library"))
            let own = store.connection(
                on: library, key: "PagesKeyed_books", filters: [StoreOptions.ConnectionNames.dynamicKey: "b"])
            #expect(own?.edges.count == 3)
        }
    }

    @Test func aHandlerOfTheApplicationMakesTheConnection() async throws {
        let handler = FieldHandler("first") { store, field in
            try field.target.setLinkedRecord(field.source.linkedRecord)
        }
        let environment = RelayEnvironment(
            network: try Self.service(), options: StoreOptions(fieldHandlers: [handler]))
        let data = try #require(try await environment.fetch(PagesHandledQuery()).data)
        #expect(data.library.books?.edges?.map { $0?.node?.title } == ["Book 1", "Book 2", "Book 3"])
    }
}
