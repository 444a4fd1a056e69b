import Baton
import BatonTesting
import Foundation
import Synchronization
import Testing

/// `@defer` and `@stream` end to end: the answer of a service arrives in parts, and generated code reads it.
@Suite(.timeLimit(.minutes(20))) struct PartsTests {
    private static func service() throws -> LocalService {
        let schema = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Schema/schema.graphql")
        var resolvers = LocalResolvers()
        let books: [JSONValue] = (1...4).map { number in
            ["__typename": "Book", "id": .string("b\(number)"), "title": .string("Book \(number)"), "isbn": "i"]
        }
        resolvers.resolveType("Node") { value in
            if case .string(let name)? = (value as? JSONValue)?["__typename"] { name } else { nil }
        }
        resolvers.field("Query", "library") { _ in [:] as JSONValue }
        resolvers.field("Library", "shelf") { _ in books[0] }
        resolvers.field("Library", "recent") { _ in [books[1], books[2]] }
        resolvers.field("Library", "found") { _ in books[3] }
        resolvers.field("Library", "books") { context in
            try LocalConnection(books, context.arguments)
        }
        resolvers.field("Book", "best") { _ in books[2] }
        resolvers.field("Book", "echo") { context in context.arguments["text"] ?? .null }
        return try LocalService(schema: String(contentsOf: schema, encoding: .utf8), resolvers: resolvers)
    }

    private static let shelf: [JSONValue.PathComponent] = [.key("library"), .key("shelf")]
    private static let recent: [JSONValue.PathComponent] = [.key("library"), .key("recent")]
    private static let cuts: [PartingService.Cut] = [
        .fields("PartsDetails_book$defer$PartsRow_book", shelf + [.key("best")], ["title"]),
        .fields("PartsQuery$defer$PartsDetails_book", shelf, ["isbn", "best"]),
        .fields("PartsQuery$defer$echo", shelf, ["echo"]),
        .fields("PartsQuery$defer$PartsRow_book", recent + [.index(1)], ["title"]),
        .items("PartsQuery$stream$recent", recent, from: 1),
        .fields("PartsQuery$defer$PartsTitled", [.key("library"), .key("found")], ["__isTitled", "title"]),
    ]

    private static func orders(_ numbers: [Int]) -> [[Int]] {
        if numbers.isEmpty { return [[]] }
        return numbers.flatMap { first in orders(numbers.filter { $0 != first }).map { [first] + $0 } }
    }

    /// Counts the events about missing data.
    private final class Missed: Sendable {
        private let events = Mutex<[String]>([])
        var all: [String] { events.withLock { $0 } }
        func note(_ event: LogEvent) {
            if case .missingData(let missing) = event { events.withLock { $0.append("\(missing)") } }
        }
    }

    /// Returns the response with all parts.
    private static func last<Query>(
        of responses: GraphQLResponses<Query>
    ) async throws -> GraphQLResponse<Query> {
        var last: GraphQLResponse<Query>?
        for try await response in responses { last = response }
        return try #require(last)
    }

    /// A query with parts gives a response for each part.
    @Test(arguments: [FetchPolicy.networkOnly, .storeOrNetwork, .networkOrStore])
    func aFetchGivesAResponseForEachPart(_ policy: FetchPolicy) async throws {
        let service = try Self.service()
        let network = PartingService(service, Self.cuts, order: Array(Self.cuts.indices), .labels)
        let environment = RelayEnvironment(network: network)
        let responses = environment.fetchStream(PartsQuery(), policy: policy)
        var (count, last): (Int, GraphQLResponse<PartsQuery>?) = (0, nil)
        for try await response in responses {
            count += 1
            last = response
            #expect(response.data?.library.shelf != nil)
        }
        #expect(count == Self.cuts.count + 1)
        try check(try #require(last?.data), in: environment)
        let aside = try await Self.last(
            of: environment.fetchStream(PartsQuery(), configuration: RequestConfiguration(writeResultsToStore: false)))
        #expect(aside.json["data"] == last?.json["data"])
        withExtendedLifetime(last) {}
    }

    @Test func aFetchOfPartsThrowsItsErrors() async throws {
        let environment = RelayEnvironment(network: CannedNetwork(#"{"errors":[{"message":"no"}]"#))
        let responses = environment.fetchStream(PartsQuery())
        await #expect(throws: RelayError.self) { _ = try await Self.last(of: responses) }
    }

    private func check(_ data: PartsQuery.Data, in environment: RelayEnvironment) throws {
        let shelf = try #require(data.library.shelf)
        let details = try #require(environment.result(of: shelf.fragments.partsDetails_book).data)
        #expect(details.isbn == "i")
        let best = try #require(details.best)
        #expect(environment.result(of: best.fragments.partsRow_book).data?.title == "Book 3")
        #expect(environment.result(of: shelf.fragments.partsEcho_book).data?.echo == "x")
        #expect(data.library.recent.map(\.id) == ["b2", "b3"])
        let rows = data.library.recent.map { environment.result(of: $0.fragments.partsRow_book).data?.title }
        #expect(rows == ["Book 2", "Book 3"])
        let found = try #require(data.library.found)
        let titled = try #require(found.fragments.partsTitled)
        #expect(environment.result(of: titled).data?.title == "Book 4")
    }

    /// In every order of the parts, the whole answer is there at the end, and no data count as missing before.
    @Test(arguments: PartingService.Format.allCases)
    func allPartsArriveInAllOrders(_ format: PartingService.Format) async throws {
        let service = try Self.service()
        // A part that a payload of the newer format announces refers to a place in earlier payloads.
        let orders = Self.orders(Array(Self.cuts.indices)).enumerated()
            .filter { format == .labels || $0.offset % 7 == 0 }.map(\.element)
        let whole = try await Self.last(of: RelayEnvironment(network: service).fetchStream(PartsQuery())).json["data"]
        for order in orders {
            let missed = Missed()
            let network = PartingService(service, Self.cuts, order: order, format)
            let environment = RelayEnvironment(network: network, log: missed.note)
            var last: GraphQLResponse<PartsQuery>?
            for try await response in environment.fetchStream(PartsQuery(), policy: .storeAndNetwork) {
                let shelf = try #require(response.data?.library.shelf)
                let state = environment.result(of: shelf.fragments.partsDetails_book)
                #expect(state == .loading || state.data?.isbn == "i")
                last = response
            }
            let response = try #require(last)
            try check(try #require(response.data), in: environment)
            #expect(response.json["data"].map(sorted) == whole.map(sorted), "\(order)")
            #expect(missed.all == [], "\(order)")
        }
    }

    private func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            .object(members.map { .init($0.name, sorted($0.value)) }.sorted { $0.name < $1.name })
        case .array(let items): .array(items.map(sorted))
        default: value
        }
    }

    /// A server without parts, and a request that asks for no parts, give the same data.
    @Test(arguments: [true, false]) func anAnswerThatComesAsAWholeIsTheSame(_ isLater: Bool) async throws {
        let environment = RelayEnvironment(network: try Self.service())
        let data = try #require(try await Self.last(of: environment.fetchStream(PartsQuery(isLater: isLater))).data)
        try check(data, in: environment)
        let handle = QueryHandle<PartsQuery>(in: environment, fetchPolicy: .storeOnly)
        #expect(handle.get(isLater: isLater).data == data && !handle.isMissingData)
    }

    /// A fragment that has not arrived is loading, and so is a component that shows it.
    @Test("A deferred fragment is loading until it has arrived.")
    func aFragmentLoadsUntilItsPartHasCome() async throws {
        let missed = Missed()
        let network = SteppedNetwork()
        let environment = RelayEnvironment(network: network, log: missed.note)
        let handle = QueryHandle<PartsQuery>(in: environment)
        #expect(handle.get() == .loading)
        await network.give(
            #"{"data":{"library":{"shelf":{"id":"b1","title":"One"},"recent":[],"found":{"__typename":"Book","id":"b4"}}},"hasNext":true}"#
        )
        while handle.result.data == nil { await Task.yield() }
        let library = try #require(handle.result.data?.library)
        let shelf = try #require(library.shelf)
        #expect(shelf.title == "One" && !handle.isMissingData && handle.isFetching)
        #expect(environment.result(of: shelf.fragments.partsDetails_book) == .loading)
        let details = FragmentHandle(shelf.fragments.partsDetails_book)
        let echo = FragmentHandle(shelf.fragments.partsEcho_book, in: environment)
        #expect(details.get() == .loading && echo.get() == .loading)
        // Before the part arrives, the type of the book is unknown.
        #expect(library.found?.fragments.partsTitled == nil)
        await network.give(
            #"{"label":"PartsQuery$defer$PartsDetails_book","path":["library","shelf"],"data":{"isbn":"i","best":null},"hasNext":true}"#
        )
        while details.get() == .loading { await Task.yield() }
        #expect(details.get().data?.isbn == "i" && echo.get() == .loading)
        await network.give(
            #"{"label":"PartsQuery$defer$PartsTitled","path":["library","found"],"data":{"__isTitled":"Book","title":"Four"},"hasNext":true}"#
        )
        while handle.result.data?.library.found?.fragments.partsTitled == nil { await Task.yield() }
        let titled = try #require(handle.result.data?.library.found?.fragments.partsTitled)
        #expect(environment.result(of: titled).data?.title == "Four")
        #expect(missed.all == [])
        await network.give(#"{"hasNext":false}"#)
        while echo.get() == .loading { await Task.yield() }
        #expect(echo.isMissingData, "the part never came")
        #expect(missed.all.count == 1)
    }

    /// The edges are streamed. The state of the page arrives after them.
    @Test func aConnectionIsStreamed() async throws {
        let missed = Missed()
        let books: [JSONValue.PathComponent] = [.key("library"), .key("books")]
        let cuts: [PartingService.Cut] = [
            .items("PartsPageQuery$stream$PartsPage_books", books + [.key("edges")], from: 1),
            .fields("PartsPageQuery$defer$PartsPage_books$pageInfo", books, ["pageInfo"]),
        ]
        for order in [[0, 1], [1, 0], [0], [1], []] {
            let network = PartingService(try Self.service(), cuts, order: order)
            let environment = RelayEnvironment(network: network, log: missed.note)
            var last: PartsPageQuery.Data.Library.Books?
            for try await response in environment.fetchStream(PartsPageQuery(), policy: .storeAndNetwork) {
                let page = try #require(response.data?.library.books)
                // Before the state of the page arrives, the store's connection has no next page.
                #expect(page.pageInfo != nil)
                last = page
            }
            let titles = last?.edges?.map { $0?.node?.title }
            #expect(titles == ["Book 1", "Book 2", "Book 3"] && last?.pageInfo?.hasNextPage == true, "\(order)")
            #expect(missed.all == [])
        }
    }
}

/// A network whose payloads the test gives one by one.
private final class SteppedNetwork: NetworkLayer {
    private let stream: AsyncThrowingStream<NetworkResponse, any Error>
    private let continuation: AsyncThrowingStream<NetworkResponse, any Error>.Continuation

    init() { (stream, continuation) = AsyncThrowingStream.makeStream() }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw LocalError("parts only") }

    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> { stream }

    func give(_ json: String) async {
        continuation.yield(NetworkResponse(body: Array(json.utf8), hasNext: !json.contains("\"hasNext\":false")))
        if json.contains("\"hasNext\":false") { continuation.finish() }
    }
}
