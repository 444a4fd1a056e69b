import Baton
import BatonTesting
import Foundation
import Synchronization
import Testing

/// What a reader sees that lacks a part of a response in flight, whichever request brings the part.
@Suite(.timeLimit(.minutes(20))) struct ArrivingPartsTests {
    private typealias List = FragmentHandle<PartsShelf_query>
    private typealias Row = PartsShelf_query.Data.Library.Books.Edge

    /// The way in which a page is fetched.
    enum Load: CaseIterable {
        case next, previous, all, refetch
    }

    /// The way in which a request ends whose parts do not come.
    enum End: CaseIterable {
        case failure, close, cancel, failedPart, answerWithoutParts
    }

    /// A list with the row b3, of which everything has come.
    private struct Stage {
        let network = HandNetwork()
        let log = Events()
        let environment: RelayEnvironment
        let query: QueryHandle<PartsShelfQuery>
        let list: List

        init(_ triggers: Freshness.Triggers = [], isWhole: Bool = true) async throws {
            environment = RelayEnvironment(network: network, log: log.note)
            query = QueryHandle<PartsShelfQuery>(in: environment, freshness: Freshness(refetchOn: triggers))
            _ = query.get(first: 1)
            try await network.give(1, page(3))
            try await network.give(1, isWhole ? parts(3, isLast: true) : #"{"hasNext":false}"#)
            try await until { [query] in query.result.data != nil && !query.isFetching }
            list = List(try #require(query.result.data).fragments.partsShelf_query, in: environment)
        }

        var rows: [Row] { list.get().data?.library.books?.edges?.compactMap { $0 } ?? [] }
        func row(_ number: Int) throws -> Row { try #require(rows.first { $0.node?.id == "b\(number)" }) }
    }

    /// The fragments of a row, read in each way.
    private struct Readers {
        let plain: FragmentHandle<PartsPlain_book>
        let strict: FragmentHandle<PartsStrict_book>
        let needed: FragmentHandle<PartsNeeded_book>
        let edge: FragmentHandle<PartsEdge_edge>
        let all: PluralFragmentHandle<PartsStrict_book>
        let row: Row
        let environment: RelayEnvironment

        init(_ row: Row, in environment: RelayEnvironment) throws {
            let node = try #require(row.node)
            (self.row, self.environment) = (row, environment)
            plain = FragmentHandle(node.fragments.partsPlain_book, in: environment)
            strict = FragmentHandle(node.fragments.partsStrict_book, in: environment)
            needed = FragmentHandle(node.fragments.partsNeeded_book, in: environment)
            edge = FragmentHandle(row.fragments.partsEdge_edge, in: environment)
            all = PluralFragmentHandle([node.fragments.partsStrict_book.reference], in: environment)
        }

        /// For each reader, true if it is loading.
        var loading: [Bool] {
            guard let node = row.node else { return [] }
            // Plain reads may report that something is missing.
            _ = environment.read(node.fragments.partsStrict_book.reference)
            _ = environment.result(of: node.fragments.partsPlain_book.reference)
            return [
                plain.get() == .loading, strict.get() == .loading, needed.get() == .loading, edge.get() == .loading,
                all.get() == .loading, environment.result(of: node.fragments.partsPlain_book) == .loading,
                environment.result(of: node.fragments.partsStrict_book) == .loading,
                environment.result(of: node.fragments.partsNeeded_book) == .loading,
                environment.result(of: row.fragments.partsEdge_edge) == .loading,
            ]
        }

        func expectAll(_ number: Int) {
            #expect(plain.get().data?.isbn == "i\(number)" && plain.get().data?.best?.echo == "e")
            #expect(strict.get().data?.isbn == "i\(number)" && needed.get().data?.isbn == "i\(number)")
            #expect(edge.get().data?.label == "l\(number)" && all.get().data?.first??.isbn == "i\(number)")
        }
    }

    // MARK: - Pages

    /// The rows of a page are loading until their parts have come, and the list is not fetched anew.
    @Test(arguments: Load.allCases, [false, true]) func rowsOfAPageLoad(_ load: Load, _ refetches: Bool) async throws {
        let stage = try await Stage(refetches ? .missingData : [])
        try await begin(load, stage)
        let number = load == .previous ? 2 : 4
        try await until { stage.rows.contains { $0.node?.id == "b\(number)" } }
        let readers = try Readers(stage.row(number), in: stage.environment)
        // The first edge of the response has had a label before, which is there until the new one comes.
        let loading = readers.loading
        let isEdge = [3, 8]
        #expect(loading.indices.allSatisfy { loading[$0] || load == .refetch && isEdge.contains($0) }, "\(loading)")
        if load != .refetch {
            #expect(try Readers(stage.row(3), in: stage.environment).loading.allSatisfy { !$0 }, "it has come before")
        }
        try await stage.network.give(2, parts(number, labels: ["PartsPlain_book"]))
        try await until { readers.plain.get() != .loading }
        #expect(readers.strict.get().data?.isbn == "i\(number)", "another fragment has brought its only field")
        #expect(readers.edge.get() == .loading || load == .refetch)
        try await stage.network.give(2, parts(number, isLast: true))
        try await until { !readers.loading.contains(true) && readers.edge.get().data?.label == "l\(number)" }
        readers.expectAll(number)
        _ = await stage.environment.settled(timeout: .seconds(10))
        #expect(stage.rows.contains { $0.node?.id == "b\(number)" })
        #expect(stage.log.missed == 0 && stage.network.sent.count == 2)
    }

    private func begin(_ load: Load, _ stage: Stage) async throws {
        switch load {
        case .next: stage.list.loadNext(1)
        case .previous: stage.list.loadPrevious(1)
        case .all: stage.list.loadAll(upTo: 2, pageSize: 1)
        case .refetch: stage.list.refetch()
        }
        try await stage.network.give(2, page(load == .previous ? 2 : 4))
    }

    /// A request that ends without its parts leaves nothing loading, and what is missing then is reported once.
    @Test(arguments: End.allCases, [false, true]) func nothingLoadsForEver(_ end: End, _ refetches: Bool) async throws {
        let stage = try await Stage(refetches ? .missingData : [])
        try await begin(.next, stage)
        try await until { stage.rows.count == 2 }
        let readers = try Readers(stage.row(4), in: stage.environment)
        #expect(readers.loading.allSatisfy { $0 })
        switch end {
        case .failure: stage.network.end(2, LocalError("no"))
        case .close: stage.network.end(2)
        case .cancel: stage.list.cancel()
        case .answerWithoutParts: try await stage.network.give(2, #"{"hasNext":false}"#)
        case .failedPart:
            for label in Self.labels { try await stage.network.give(2, failure(label)) }
        }
        if refetches {
            try await until {
                _ = readers.loading
                return stage.network.sent.count == 3
            }
            return
        }
        try await until { !readers.loading.contains(true) }
        #expect(readers.plain.get().data != nil && readers.plain.isMissingData)
        #expect(readers.strict.get().error != nil && readers.needed.get().error != nil)
        #expect(stage.log.missed > 0 && stage.network.sent.count == 2)
        // The request of a part that has failed goes on.
        try await until { stage.list.isLoadingNext == (end == .failedPart) }
    }

    /// A handle that begins in the middle of a page joins it.
    @Test func anotherHandleOfTheListFetchesNothing() async throws {
        let stage = try await Stage()
        try await begin(.next, stage)
        try await until { stage.rows.count == 2 }
        let other = QueryHandle<PartsShelfQuery>(in: stage.environment, fetchPolicy: .storeOrNetwork)
        #expect(other.get(first: 1).data != nil && !other.isFetching)
        stage.network.end(2)
        try await until { !stage.list.isLoadingNext }
        let third = QueryHandle<PartsShelfQuery>(in: stage.environment, fetchPolicy: .storeOrNetwork)
        #expect(third.get(first: 1) == .loading && third.isFetching)
    }

    /// In the newer form a fragment is complete or has failed when the server says so; others are on their way.
    @Test func announcedPartsLoad() async throws {
        let stage = try await Stage()
        stage.list.loadNext(1)
        let pending = Self.labels.map { label in
            #"{"id":"\#(label)","label":"\#(Self.label(label))","path":\#(path(of: label))}"#
        }
        let pendings = #""pending":[\#(pending.joined(separator: ","))],"hasNext""#
        let announced = page(4).replacing(#""hasNext""#, with: pendings)
        try await stage.network.give(2, announced)
        try await until { stage.rows.count == 2 }
        let readers = try Readers(stage.row(4), in: stage.environment)
        #expect(readers.plain.get() == .loading && readers.edge.get() == .loading)
        #expect(readers.strict.get() == .loading, "the part of another fragment brings its field")
        let failed = Self.labels.dropLast().map { #"{"id":"\#($0)","errors":[{"message":"no"}]}"# }
        try await stage.network.give(2, #"{"completed":[\#(failed[0])],"hasNext":true}"#)
        #expect(readers.strict.get() == .loading, "its own part is on its way")
        try await stage.network.give(
            2, #"{"completed":[\#(failed.dropFirst().joined(separator: ","))],"hasNext":true}"#)
        try await until { readers.plain.get() != .loading && readers.strict.get() != .loading }
        #expect(readers.strict.get().error != nil && readers.edge.get() == .loading)
        let last =
            #"{"incremental":[{"id":"PartsEdge_edge","data":{"label":"l4"}}],"#
            + #""completed":[{"id":"PartsEdge_edge"}],"hasNext":false}"#
        try await stage.network.give(2, last)
        try await until { readers.edge.get() != .loading }
        #expect(readers.edge.get().data?.label == "l4")
    }

    // MARK: - Requests of others

    /// What a row lacks is loading while any request brings it: a refetch of another handle, a mutation, or a
    /// subscription.
    @Test(arguments: ["refetch", "mutation", "subscription"]) func partsOfOthersLoad(_ source: String) async throws {
        let stage = try await Stage(isWhole: false)
        let readers = try Readers(stage.row(3), in: stage.environment)
        #expect(!readers.loading.contains(true) && readers.plain.isMissingData && readers.strict.get().error != nil)
        let strict = QueryHandle<PartsStrictQuery>(in: stage.environment, fetchPolicy: .storeOnly)
        try stage.environment.update { store in
            try store.root.setLinkedRecord(store.get("b3"), forField: "node", arguments: ["id": "b3"])
        }
        #expect(strict.get(id: "b3").error != nil)
        let missed = stage.log.missed

        let other = List(try #require(stage.query.result.data).fragments.partsShelf_query, in: stage.environment)
        let reviews = SubscriptionHandle<PartsBookSubscription>(in: stage.environment)
        var task: Task<Void, any Error>?
        var place = #"["library","books","edges",0,"node"]"#
        var label = Self.label("PartsPlain_book")
        switch source {
        case "refetch":
            other.refetch()
            try await stage.network.give(2, page(3))
        case "mutation":
            task = Task { [environment = stage.environment] in
                _ = try await environment.commit(PartsAddMutation(titles: ["x"]))
            }
            place = #"["addBooks","book"]"#
            label = "PartsAddMutation$defer$PartsPlain_book"
            try await stage.network.give(
                2, #"{"data":{"addBooks":{"book":{"__typename":"Book","id":"b3"}}},"hasNext":true}"#)
        default:
            _ = reviews.subscribe()
            place = #"["bookChanged"]"#
            label = "PartsBookSubscription$defer$PartsPlain_book"
            try await stage.network.give(2, #"{"data":{"bookChanged":{"__typename":"Book","id":"b3"}},"hasNext":true}"#)
        }
        try await until {
            readers.plain.get() == .loading && readers.strict.get() == .loading && readers.all.get() == .loading
                && strict.result == .loading
        }
        let part =
            #"{"label":"\#(label)","path":\#(place),"data":{"isbn":"i3","best":{"__typename":"Book","id":"b9","echo":"e"}},"#
            + #""hasNext":false}"#
        try await stage.network.give(2, part)
        try await until { readers.plain.get() != .loading && strict.result != .loading }
        #expect(readers.plain.get().data?.isbn == "i3" && readers.strict.get().data?.isbn == "i3")
        #expect(strict.result.data?.node?.asBook?.isbn == "i3")
        #expect(stage.log.missed == missed)
        // The next event of a subscription has parts of its own.
        if source == "subscription" {
            try await stage.network.give(2, #"{"data":{"bookChanged":{"__typename":"Book","id":"b7"}},"hasNext":true}"#)
            try await until { reviews.result.data?.bookChanged?.id == "b7" }
            let next = try #require(reviews.result.data?.bookChanged)
            #expect(stage.environment.result(of: next.fragments.partsPlain_book) == .loading)
            stage.network.end(2)
            try await until { stage.environment.result(of: next.fragments.partsPlain_book) != .loading }
        }
        try await task?.value
    }

    // MARK: - Responses

    private static let labels = ["PartsPlain_book", "PartsStrict_book", "PartsNeeded_book", "PartsEdge_edge"]
    private static func label(_ fragment: String) -> String { "PartsShelf_query$defer$\(fragment)" }
}

private func path(of fragment: String) -> String {
    #"["library","books","edges",0\#(fragment.hasPrefix("PartsEdge") ? "" : #","node""#)]"#
}

/// A page with one book, without its parts.
private func page(_ number: Int) -> String {
    let info =
        #"{"hasNextPage":\#(number < 4),"hasPreviousPage":\#(number > 2),"startCursor":"c\#(number)","endCursor":"c\#(number)"}"#
    let edge =
        #"{"__typename":"BookEdge","cursor":"c\#(number)","node":{"__typename":"Book","id":"b\#(number)","title":"t"}}"#
    return #"{"data":{"library":{"books":{"edges":[\#(edge)],"pageInfo":\#(info)}}},"hasNext":true}"#
}

/// The parts of such a page.
private func parts(
    _ number: Int, labels: [String] = ["PartsPlain_book", "PartsStrict_book", "PartsNeeded_book", "PartsEdge_edge"],
    isLast: Bool = false
) -> String {
    let parts = labels.map { label in
        let data =
            switch label {
            case "PartsEdge_edge": #"{"label":"l\#(number)"}"#
            case "PartsPlain_book":
                #"{"isbn":"i\#(number)","best":{"__typename":"Book","id":"b9","echo":"e"}}"#
            default: #"{"isbn":"i\#(number)"}"#
            }
        return #"{"label":"PartsShelf_query$defer$\#(label)","path":\#(path(of: label)),"data":\#(data)}"#
    }
    return #"{"incremental":[\#(parts.joined(separator: ","))],"hasNext":\#(!isLast)}"#
}

/// A part that has failed.
private func failure(_ label: String) -> String {
    let part =
        #"{"label":"PartsShelf_query$defer$\#(label)","path":\#(path(of: label)),"data":null,"errors":[{"message":"no"}]}"#
    return #"{"incremental":[\#(part)],"hasNext":true}"#
}

private func until(_ isDone: () throws -> Bool) async throws {
    while try !isDone() {
        try Task.checkCancellation()
        await Task.yield()
    }
}

/// Counts the reports of missing data.
private final class Events: Sendable {
    private let count = Mutex(0)
    var missed: Int { count.withLock { $0 } }
    func note(_ event: LogEvent) { if case .missingData = event { count.withLock { $0 += 1 } } }
}

/// A network whose payloads the test gives one by one, by the number of the request.
private final class HandNetwork: NetworkLayer {
    private typealias Continuation = AsyncThrowingStream<NetworkResponse, any Error>.Continuation
    private let requests = Mutex<[(name: String, continuation: Continuation)]>([])

    var sent: [String] { requests.withLock { $0.map(\.name) } }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw LocalError("parts only") }

    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        let (stream, continuation) = AsyncThrowingStream<NetworkResponse, any Error>.makeStream()
        requests.withLock { $0.append((request.operationName, continuation)) }
        return stream
    }

    /// Gives a payload once the request is there.
    func give(_ number: Int, _ json: String) async throws {
        try await until { sent.count >= number }
        let continuation = requests.withLock { $0[number - 1].continuation }
        let isLast = json.contains(#""hasNext":false"#) && sent[number - 1] != "PartsBookSubscription"
        continuation.yield(NetworkResponse(body: Array(json.utf8), hasNext: !isLast))
        if isLast { continuation.finish() }
    }

    func end(_ number: Int, _ error: (any Error)? = nil) {
        requests.withLock { $0[number - 1].continuation }.finish(throwing: error)
    }
}
