import Baton
import BatonTesting
import Foundation
import Synchronization
import Testing

/// A project whose configuration sets the keys that other projects leave at their defaults.
@Suite struct ConfiguredTests {
    static func read(_ name: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Configured")
        return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    private static func persisted() throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: Data(read("persisted.json").utf8))
    }

    /// A service with five plays, and seats whose price rises with each question.
    static func service(persisted: [String: String]) throws -> LocalService {
        let plays: [JSONValue] = (1...5).map { ["key": .string("p\($0)"), "title": .string("Play \($0)")] }
        let price = Mutex(10)
        @Sendable func seat(_ number: Int) -> JSONValue {
            let now = price.withLock { price in
                price += 1
                return price
            }
            return ["row": "A", "number": .int(number), "price": .int(now), "label": .string("A\(number)")]
        }
        var resolvers = LocalResolvers()
        resolvers.resolveType("Node") { _ in "Play" }
        resolvers.resolveType("Offer") { offer in
            guard let offer = offer as? JSONValue else { return nil }
            return offer["code"] != nil ? "Poster" : offer["row"] != nil ? "Seat" : "Play"
        }
        resolvers.field("Query", "theatre") { _ in ["name": "Globe"] as JSONValue }
        resolvers.field("Query", "node") { context in plays.first { $0["key"] == context.arguments["key"] } }
        resolvers.field("Query", "offers") { _ in
            [seat(1), ["code": "x", "price": 3], plays[0]] as [JSONValue]
        }
        resolvers.field("Query", "seat") { context in
            if case .int(let number)? = context.arguments["number"] { seat(number) } else { JSONValue.null }
        }
        resolvers.field("Theatre", "seats") { _ in [seat(1), seat(2)] }
        resolvers.field("Theatre", "plays") { context in
            let after = plays.firstIndex { $0["key"] == context.arguments["after"] }.map { $0 + 1 } ?? 0
            var count = plays.count
            if case .int(let first)? = context.arguments["first"] { count = first }
            let shown = plays[after...].prefix(count)
            let items = shown.map { ["entry": $0, "position": $0["key"] ?? .null] as JSONValue }
            let page: JSONValue = [
                "last": shown.last?["key"] ?? .null, "first": shown.first?["key"] ?? .null,
                "more": .bool(after + shown.count < plays.count), "before": .bool(after > 0),
            ]
            return ["items": .array(items), "page": page] as JSONValue
        }
        return try LocalService(
            schema: read("schema.graphql"), resolvers: resolvers, persistedDocuments: persisted)
    }

    static func environment() throws -> RelayEnvironment {
        RelayEnvironment(
            network: try service(persisted: persisted()), options: StoreOptions(connectionNames: .ofSchema))
    }

    @Test func theNamesOfConnectionsAreGenerated() {
        let names = StoreOptions.ConnectionNames(
            edges: "items", node: "entry", cursor: "position", pageInfo: "page", pageInfoType: "Page",
            endCursor: "last", startCursor: "first", hasNextPage: "more", hasPreviousPage: "before")
        #expect(StoreOptions.ConnectionNames.ofSchema == names)
    }

    /// Requests have ids and no texts; the file that the compiler wrote has the texts that belong to them.
    @Test func persistedDocumentsAreSentByTheirIDs() async throws {
        let file = try Self.persisted()
        #expect(PlaysQuery.artifact.text == nil)
        let id = try #require(PlaysQuery.artifact.id)
        #expect(file[id]?.hasPrefix("query PlaysQuery(\n  $count: Int\n  $cursor: String\n) {\n  theatre {\n") == true)
        let environment = try Self.environment()
        let response = try await environment.fetch(PlaysQuery(count: 2))
        #expect(response.data?.theatre.name == "Globe")
        // A server that does not know the id reports this.
        let stranger = RelayEnvironment(network: try Self.service(persisted: [:]))
        let refusal = try await stranger.fetch(PlaysQuery(count: 2))
        #expect(refusal.data == nil && refusal.errors.map(\.message) == ["There is no document with the id \"\(id)\"."])
    }

    /// A connection with other names keeps its pages, and its nodes are found by their identifier, which has another
    /// name too.
    @Test func connectionsAndNodesMayHaveOtherNames() async throws {
        let environment = try Self.environment()
        let handle = QueryHandle<PlaysQuery>(in: environment, fetchPolicy: .storeOnly)
        func titles() -> [String?]? {
            handle.get(count: 2).data?.theatre.plays?.items?.map { item in
                item?.entry.flatMap { environment.read($0.fragments.playLine) }?.title
            }
        }
        _ = try await environment.fetch(PlaysQuery(count: 2))
        #expect(titles() == ["Play 1", "Play 2"])
        _ = try await environment.fetch(PlaysQuery(count: 2, cursor: "p2"))
        #expect(titles() == ["Play 1", "Play 2", "Play 3", "Play 4"])
        #expect(handle.result.data?.theatre.plays?.page.more == true)
        // The generated query of the fragment gives the same record.
        try environment.update { store in
            let play = try #require(store.get(DataID("p2")))
            #expect(play.typename == "Play" && play.value(forField: "key") == "p2")
            try play.setValue("Changed", forField: "title")
        }
        #expect(titles()?[1] == "Changed")
        let again = try await environment.fetch(PlayLineQuery(key: "p2"))
        #expect(again.data?.node?.fragments.playLine != nil)
        #expect(titles()?[1] == "Play 2")
    }

    /// Objects with equal key fields are one object, wherever they were read.
    @Test func keyFieldsIdentifyObjects() async throws {
        let environment = try Self.environment()
        _ = try await environment.fetch(SeatsQuery())
        let handle = QueryHandle<SeatsQuery>(in: environment, fetchPolicy: .storeOnly)
        func prices() -> [Int?]? { handle.get().data?.theatre.seats.map(\.price) }
        // The list of offers came last, and its seat is the first one of the theatre.
        let before = try #require(prices())
        #expect(before[0] == handle.result.data?.offers.first?.asSeat?.price)
        let seat = try await environment.fetch(SeatQuery(row: "A", number: 2)).data?.seat
        #expect(prices() == [before[0], seat?.price] && seat?.price != before[1])
        try environment.update { store in
            #expect(store.get(DataID(#"Seat:{"row":"A","number":2}"#))?.value(forField: "label") == "A2")
            #expect(store.get(DataID("Poster:x"))?.value(forField: "price") == 3)
            #expect(store.get("Poster", id: "x")?.value(forField: "code") == "x")
        }
    }

    /// Types, cases and fields have other names in Swift. Requests have the names of the schema.
    @Test func namesInSwiftAreChosen() async throws {
        let environment = try Self.environment()
        let bounds = PriceRange(within: [1, 2], from: 3)
        #expect(bounds.jsonValue == ["in": [1, 2], "from": 3])
        #expect(bounds.within == .value([1, 2]))
        let offers = try await environment.fetch(BoundedQuery(bounds: bounds)).data?.offers
        #expect(offers?.map { $0.asPoster?.price } == [nil, 3, nil])
        #expect(Appearance.night.rawValue == "DARK" && Appearance(rawValue: "LIGHT") == .light)
    }
}
