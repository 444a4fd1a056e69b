import Baton
import BatonTesting
import Foundation
import Synchronization
import Testing

/// The directives of mutations, end to end: generated code sends a mutation, and a connection shows its effect.
@Suite struct LibraryMutationTests {
    /// The books of a library that mutations change.
    private final class Shelf: Sendable {
        private let numbers = Mutex(1...3 as ClosedRange<Int>)

        static func book(_ number: Int, _ title: String? = nil) -> JSONValue {
            ["id": .string("b\(number)"), "title": .string(title ?? "Book \(number)")]
        }

        var books: [JSONValue] { numbers.withLock { $0 }.map { Self.book($0) } }

        /// Adds books with the numbers that follow.
        func add(_ titles: [JSONValue]) -> [JSONValue] {
            numbers.withLock { numbers in
                titles.map { title in
                    numbers = 1...numbers.upperBound + 1
                    guard case .string(let title) = title else { return .null }
                    return Self.book(numbers.upperBound, title)
                }
            }
        }
    }

    private static func service() throws -> LocalService {
        let schema = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Schema/schema.graphql")
        let shelf = Shelf()
        var resolvers = LocalResolvers()
        resolvers.field("Query", "library") { _ in [:] as JSONValue }
        resolvers.field("Library", "books") { context in
            try LocalConnection(shelf.books, context.arguments) { book in
                if case .string(let id)? = book["id"] { id } else { "" }
            }
        }
        resolvers.field("Mutation", "addBooks") { context in
            guard case .array(let titles)? = context.arguments["titles"] else { return JSONValue.null }
            let books = shelf.add(titles)
            let edges = books.map { ["cursor": $0["id"] ?? .null, "node": $0] as JSONValue }
            return ["edge": edges[0], "edges": .array(edges), "book": books[0], "books": .array(books + [.null])]
        }
        resolvers.field("Mutation", "removeBooks") { context in
            guard case .array(let ids)? = context.arguments["ids"] else { return JSONValue.null }
            return ["ids": .array(ids), "firstID": ids[0]]
        }
        return try LocalService(schema: String(contentsOf: schema, encoding: .utf8), resolvers: resolvers)
    }

    /// An environment that has fetched the first books.
    private static func environment(_ count: Int = 3) async throws -> RelayEnvironment {
        let environment = RelayEnvironment(network: try service())
        _ = try await environment.fetch(LibraryPageQuery(count: count))
        return environment
    }

    private static func connections(in environment: RelayEnvironment) throws -> [String] {
        try environment.update { store in
            let library = try #require(store.root.linkedRecord(forField: "library"))
            return [store.connectionID(on: library, key: "Library_books", filters: ["topic": "a"]).rawValue]
        }
    }

    private static func titles(in environment: RelayEnvironment) -> [String?]? {
        let handle = QueryHandle<LibraryPageQuery>(in: environment, fetchPolicy: .storeOnly)
        return handle.get(count: 3).data?.library.books?.edges?.map { $0?.node?.title }
    }

    private static let shown: [String?] = ["Book 1", "Book 2", "Book 3"]

    @Test func edgesAndNodesAreAdded() async throws {
        let environment = try await Self.environment()
        let connections = try Self.connections(in: environment)
        _ = try await environment.commit(LibraryAppendEdgeMutation(titles: ["Four"], connections: connections))
        #expect(Self.titles(in: environment) == Self.shown + ["Four"])
        _ = try await environment.commit(
            LibraryPrependEdgesMutation(titles: ["Five", "Six"], first: connections[0], second: "client:none"))
        #expect(Self.titles(in: environment) == ["Six", "Five"] + Self.shown + ["Four"])
        _ = try await environment.commit(
            LibraryAppendNodesMutation(titles: ["Seven", "Eight"], connections: connections + ["client:none"]))
        #expect(Self.titles(in: environment) == ["Six", "Five"] + Self.shown + ["Four", "Seven", "Eight"])
        _ = try await environment.commit(LibraryPrependNodeMutation(titles: ["Nine"], connections: connections))
        #expect(Self.titles(in: environment)?.first == "Nine")
        _ = try await environment.commit(LibraryPrependNodeMutation(titles: ["Ten"], connections: []))
        #expect(Self.titles(in: environment)?.count == 9)
    }

    @Test func edgesAndRecordsAreDeleted() async throws {
        let environment = try await Self.environment()
        let connections = try Self.connections(in: environment)
        _ = try await environment.commit(LibraryDeleteEdgesMutation(ids: ["b1", "b9"], connections: connections))
        #expect(Self.titles(in: environment) == ["Book 2", "Book 3"])
        #expect(try environment.update { store in store.get("Book", id: "b1") != nil })
        _ = try await environment.commit(LibraryDeleteRecordMutation(ids: ["b3"]))
        #expect(Self.titles(in: environment) == ["Book 2"])
        #expect(try environment.update { store in store.get("Book", id: "b3") == nil })
    }

    /// The updater runs after the directives, and sees their effect.
    @Test func theUpdaterSeesWhatTheDirectivesDid() async throws {
        let environment = try await Self.environment()
        let connections = try Self.connections(in: environment)
        _ = try await environment.commit(LibraryAppendEdgeMutation(titles: ["Four"], connections: connections)) {
            store, _ in
            let books = try #require(store.connection(DataID(connections[0])))
            #expect(books.count == 4)
            try books.nodes.last??.setValue("Renamed", forField: "title")
        }
        #expect(Self.titles(in: environment) == Self.shown + ["Renamed"])
    }

    /// A network that answers a mutation only when the test lets it.
    private final class Gate: NetworkLayer {
        let service: LocalService
        let (stream, open) = AsyncStream.makeStream(of: Void.self)

        init(_ service: LocalService) { self.service = service }

        func send(_ request: NetworkRequest) async throws -> NetworkResponse {
            if request.kind == .mutation { for await _ in stream { break } }
            try Task.checkCancellation()
            return try await service.send(request)
        }
    }

    /// The expected answer changes the connection as the answer will. Changes that arrive below it in the meantime
    /// stay, and the expected answer leaves no trace.
    @Test func anExpectedAnswerIsReplayedOverOtherChanges() async throws {
        let gate = Gate(try Self.service())
        let environment = RelayEnvironment(network: gate)
        _ = try await environment.fetch(LibraryPageQuery(count: 2))
        let connections = try Self.connections(in: environment)
        async let answer = environment.commit(
            LibraryAppendEdgeMutation(titles: ["Four"], connections: connections),
            optimistic: .response(
                .init(addBooks: .init(edge: .init(cursor: "", node: .init(title: "Expected", id: "new"))))))
        while Self.titles(in: environment)?.count == 2 { await Task.yield() }
        #expect(Self.titles(in: environment) == ["Book 1", "Book 2", "Expected"])
        _ = try await environment.fetch(LibraryPageQuery(count: 1, cursor: "b2"))
        #expect(Self.titles(in: environment) == Self.shown + ["Expected"])
        try environment.update { store in try store.delete("b1", removingReferences: true) }
        #expect(Self.titles(in: environment) == ["Book 2", "Book 3", "Expected"])
        gate.open.yield()
        _ = try await answer
        #expect(Self.titles(in: environment) == ["Book 2", "Book 3", "Four"])
    }

    /// The update comes after the directives, so it finds the new edge at its place.
    @Test func anExpectedEdgeIsAddedBeforeTheUpdateRuns() async throws {
        let gate = Gate(try Self.service())
        let environment = RelayEnvironment(network: gate)
        _ = try await environment.fetch(LibraryPageQuery(count: 2))
        let connections = try Self.connections(in: environment)
        async let answer = environment.commit(
            LibraryAppendEdgeMutation(titles: ["Four"], connections: connections),
            optimistic: .response(
                .init(addBooks: .init(edge: .init(cursor: "", node: .init(title: "Expected", id: "new"))))
            ) { store, data in
                #expect(data?.addBooks?.edge?.node?.title == "Expected")
                let connection = try #require(connections.first.flatMap { store.get(DataID($0)) })
                let edges = connection.linkedRecords(forField: "edges") ?? []
                try store.get("new")?.setValue(.string("Number \(edges.count)"), forField: "title")
            })
        while Self.titles(in: environment)?.count == 2 { await Task.yield() }
        #expect(Self.titles(in: environment) == ["Book 1", "Book 2", "Number 3"])
        _ = try await environment.fetch(LibraryPageQuery(count: 1, cursor: "b2"))
        #expect(Self.titles(in: environment) == Self.shown + ["Number 4"])
        gate.open.yield()
        _ = try await answer
        #expect(Self.titles(in: environment) == Self.shown + ["Four"])
    }

    @Test func anExpectedDeletionIsTakenBack() async throws {
        let gate = Gate(try Self.service())
        let environment = RelayEnvironment(network: gate)
        _ = try await environment.fetch(LibraryPageQuery(count: 2))
        let task = Task {
            try await environment.commit(
                LibraryDeleteRecordMutation(ids: ["b1"]), optimistic: .response(["removeBooks": ["firstID": "b1"]]))
        }
        while Self.titles(in: environment)?.count == 2 { await Task.yield() }
        #expect(Self.titles(in: environment) == ["Book 2"])
        task.cancel()
        _ = await task.result
        #expect(Self.titles(in: environment) == ["Book 1", "Book 2"])
    }

    /// The connections are not sent.
    @Test func theTextsHaveNoConnections() throws {
        let artifacts = [
            LibraryAppendEdgeMutation.artifact, LibraryPrependEdgesMutation.artifact,
            LibraryAppendNodesMutation.artifact, LibraryDeleteEdgesMutation.artifact,
        ]
        for artifact in artifacts {
            let text = try #require(artifact.text)
            #expect(!text.contains("connections") && !text.contains("$first") && !text.contains("@"))
        }
    }
}
