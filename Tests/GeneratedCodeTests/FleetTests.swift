import Baton
import BatonTesting
import Foundation
import Synchronization
import Testing

/// Directives that the other samples do not need, end to end: fragments that are fetched again, promises of a server
/// beyond its schema, and directives for other tools.
@Suite struct FleetTests {
    /// A network over a service that keeps the requests.
    final class Recorder: NetworkLayer {
        private let service: LocalService
        private let requests = Mutex<[NetworkRequest]>([])
        /// The answer to a subscription; the service executes none.
        private let event: JSONValue = [
            "data": ["arrived": ["edge": ["cursor": "s4", "node": ["id": "s4", "name": "Ship 4"]]]]
        ]

        init(_ service: LocalService) { self.service = service }

        var last: NetworkRequest? { requests.withLock { $0.last } }

        func send(_ request: NetworkRequest) async throws -> NetworkResponse {
            requests.withLock { $0.append(request) }
            if request.kind == .subscription { return NetworkResponse(body: event.jsonBytes) }
            return try await service.send(request)
        }
    }

    /// A fleet of three ships. The server keeps its promises unless `captain` is null without an error.
    private static func network(captain: JSONValue? = nil) throws -> Recorder {
        let ships: [JSONValue] = (1...3).map { ["id": .string("s\($0)"), "name": .string("Ship \($0)")] }
        let depth = Mutex(10)
        @Sendable func berth() -> JSONValue {
            depth.withLock { depth in
                depth += 1
                return ["number": "b1", "depth": .int(depth)]
            }
        }
        var resolvers = LocalResolvers()
        resolvers.resolveType("Node") { _ in "Ship" }
        resolvers.field("Query", "fleet") { _ in [:] as JSONValue }
        resolvers.field("Query", "viewer") { _ in ["name": "Ann"] as JSONValue }
        resolvers.field("Query", "berth") { _ in berth() }
        resolvers.field("Query", "fetch__Berth") { $0.arguments["number"] == "b1" ? berth() : .null }
        resolvers.field("Query", "fetch__Ship") { context in ships.first { $0["id"] == context.arguments["id"] } }
        resolvers.field("Viewer", "watched") { context in
            if case .int(let first)? = context.arguments["first"] { Array(ships.prefix(first)) } else { ships }
        }
        resolvers.field("Fleet", "ships") { context in
            try LocalConnection(ships, context.arguments) { ship in
                if case .string(let id)? = ship["id"] { id } else { "" }
            }
        }
        resolvers.field("Fleet", "flagship") { _ in ships[0] }
        resolvers.field("Fleet", "largest") { _ in captain == .null ? [ships[1], .null] : Array(ships[1...]) }
        resolvers.field("Ship", "captain") { _ in
            if let captain { return captain }
            throw LocalError("the captain is ashore")
        }
        resolvers.field("Ship", "log") { context in
            .string("log \(context.arguments["size"]?.text ?? "whole")") as JSONValue
        }
        resolvers.field("Ship", "tonnage") { _ in "12 t" as JSONValue }
        resolvers.field("Query", "node") { context in ships.first { $0["id"] == context.arguments["id"] } }
        resolvers.field("Berth", "length") { _ in (captain == .null ? .null : 90) as JSONValue }
        let schema = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fleet/schema.graphql")
        return Recorder(try LocalService(schema: String(contentsOf: schema, encoding: .utf8), resolvers: resolvers))
    }

    static func environment(captain: JSONValue? = "Ahab") throws -> (RelayEnvironment, Recorder) {
        let network = try network(captain: captain)
        return (RelayEnvironment(network: network), network)
    }

    // MARK: - Fragments

    @Test func fragmentsWithInlineAreReadLikeOthers() async throws {
        let (environment, _) = try Self.environment()
        let data = try #require(try await environment.fetch(FleetQuery(count: 2)).data)
        let flagship = try #require(data.fleet.flagship)
        let card = try #require(environment.read(flagship.fragments.fleetCard_ship))
        #expect(card.name == "Ship 1" && card.captain == "Ahab")
        #expect(environment.read(flagship.fragments.fleetNotInline_ship)?.name == "Ship 1")
    }

    @Test func uncheckedArgumentsArePassedAsOthersAre() async throws {
        let (environment, network) = try Self.environment()
        let data = try #require(try await environment.fetch(FleetQuery(count: 2)).data)
        let flagship = try #require(data.fleet.flagship)
        #expect(environment.read(flagship.fragments.fleetLog_ship)?.log == "log 2")
        // The argument that the fragment does not declare is not sent.
        let text = try #require(network.last?.text)
        #expect(text.contains("log(size: $count)") && !text.contains("unit"))
    }

    @Test func aPluralFragmentHasAHandleForTheList() async throws {
        let (environment, _) = try Self.environment()
        let data = try #require(try await environment.fetch(FleetQuery(count: 2)).data)
        let references = try #require(data.fleet.largest).compactMap { $0?.fragments.fleetNames_ships }
        let names = PluralFragmentHandle(references, in: environment)
        #expect(names.get().data?.map { $0?.name } == ["Ship 2", "Ship 3"])
        try environment.update { store in
            try #require(store.get(DataID("s2"))).setValue(.string("Argo"), forField: "name")
        }
        #expect(names.get().data?.map { $0?.name } == ["Argo", "Ship 3"])
    }

    /// In Relay the spread would need an alias. Here its reference is nil if the node is not a ship. The variable that
    /// no field uses is declared, but not sent.
    @Test func unaliasedSpreadsAndUnusedVariablesAreAccepted() async throws {
        let (environment, network) = try Self.environment()
        let data = try #require(try await environment.fetch(FleetNodeQuery(id: "s2", unused: 3)).data)
        let ship = try #require(data.node?.fragments.fleetNode_ship)
        #expect(environment.read(ship)?.tonnage == "12 t")
        #expect(network.last?.text?.contains("unused") == false)
        let none = try #require(try await environment.fetch(FleetNodeQuery(id: "b1")).data)
        #expect(none.node == nil)
    }

    // MARK: - Fetching again

    @Test func aFragmentOnTheViewerIsFetchedAgainThere() async throws {
        let (environment, network) = try Self.environment()
        let data = try #require(try await environment.fetch(FleetQuery(count: 2)).data)
        let watch = FragmentHandle(data.viewer?.fragments.fleetWatch_viewer, in: environment)
        #expect(watch.get().data?.watched.map(\.name) == ["Ship 1"])
        try await watch.refetch(first: 3).finished()
        #expect(watch.get().data?.watched.map(\.name) == ["Ship 1", "Ship 2", "Ship 3"])
        #expect(network.last?.operationName == "FleetWatchRefetchQuery")
        #expect(network.last.map { .object($0.variables) } == ["first": 3] as JSONValue)
    }

    @Test func aFetchableObjectIsFetchedByItsOwnField() async throws {
        let (environment, network) = try Self.environment()
        let data = try #require(try await environment.fetch(FleetQuery(count: 2)).data)
        let berth = FragmentHandle(data.berth?.fragments.fleetBerth_berth, in: environment)
        #expect(berth.get().data?.depth == 11)
        try await berth.refetch().finished()
        #expect(berth.get().data?.depth == 12)
        #expect(network.last?.text?.contains("fetch__Berth(number: $id)") == true)
        #expect(network.last.map { .object($0.variables) } == ["id": "b1"] as JSONValue)
    }

    /// The ship is also a node.
    @Test func theFieldOfAFetchableObjectIsPreferredToThatOfNodes() async throws {
        let (environment, network) = try Self.environment()
        let data = try #require(try await environment.fetch(FleetQuery(count: 2)).data)
        let node = try #require(data.fleet.ships?.nodes.first)
        let ship = FragmentHandle(node.fragments.fleetShip_ship, in: environment)
        try await ship.refetch(id: "s3").finished()
        #expect(ship.get().data?.name == "Ship 3")
        #expect(network.last?.text?.contains("fetch__Ship(id: $id)") == true)
    }

    // MARK: - Promises of the server

    @Test func fieldsThatAreNullOnlyByAnErrorAreNotOptionalWhereErrorsAreHandled() async throws {
        let (environment, _) = try Self.environment()
        let thrown = try #require(try await environment.fetch(FleetThrownQuery()).data)
        let captain: String? = thrown.fleet.flagship.map { $0.captain }
        #expect(captain == "Ahab")
        #expect(thrown.fleet.largest.map(\.name) == ["Ship 2", "Ship 3"])
        #expect(thrown.berth?.length == 90 && thrown.berth?.depth != nil)
        let nullable = try #require(try await environment.fetch(FleetNullableQuery()).data)
        #expect(nullable.fleet.flagship?.captain == "Ahab")
        #expect(nullable.fleet.largest?.map { $0?.name } == ["Ship 2", "Ship 3"])
    }

    @Test func anErrorAtSuchAFieldThrows() async throws {
        let (environment, _) = try Self.environment(captain: nil)
        let response = try await environment.fetch(FleetThrownQuery())
        #expect(response.data == nil)
        guard case .fieldErrors(let errors)? = response.failure?.reason else {
            Issue.record("\(String(describing: response.failure))")
            return
        }
        #expect(errors.map { $0.path.map(\.description) } == [["fleet", "flagship", "captain"]])
        #expect(errors.first?.description.hasPrefix("the captain is ashore ") == true)
    }

    /// A null without an error breaks the promise. As with a null in a non-null field of the schema, the object around
    /// it becomes null, up to the nearest nullable field.
    @Test func aBrokenPromiseLeavesNoData() async throws {
        let (environment, _) = try Self.environment(captain: .null)
        let thrown = try await environment.fetch(FleetThrownQuery())
        #expect(thrown.data == nil)
        let caught = QueryHandle<FleetCaughtQuery>(in: environment, fetchPolicy: .networkOnly)
        _ = caught.get()
        _ = await environment.settled(timeout: .seconds(60))
        #expect(caught.get().data == nil)
        let nullable = try #require(try await environment.fetch(FleetNullableQuery()).data)
        #expect(nullable.fleet.flagship?.captain == nil && nullable.fleet.flagship?.name == "Ship 1")
    }

    // MARK: - Events

    @Test func theEdgeOfAnEventIsAppended() async throws {
        let (environment, network) = try Self.environment()
        _ = try await environment.fetch(FleetQuery(count: 2))
        let connection = try environment.update { store in
            let fleet = try #require(store.root.linkedRecord(forField: "fleet"))
            return store.connectionID(on: fleet, key: "Fleet_ships").rawValue
        }
        let handle = QueryHandle<FleetQuery>(in: environment, fetchPolicy: .storeOnly)
        func names() -> [String?]? { handle.get(count: 2).data?.fleet.ships?.nodes.map(\.name) }
        #expect(names() == ["Ship 1", "Ship 2"])
        var events = 0
        for try await event in environment.subscribe(FleetArrivalsSubscription(connections: [connection])) {
            events += 1
            #expect(event.data?.arrived?.edge?.node?.name == "Ship 4")
            #expect(names() == ["Ship 1", "Ship 2", "Ship 4"])
        }
        #expect(events == 1)
        #expect(network.last?.text?.contains("connections") == false)
    }

    // MARK: - Other tools

    @Test func anOperationForTestsIsAnOperation() async throws {
        let (environment, _) = try Self.environment()
        #expect(try await environment.fetch(FleetTestQuery()).data?.fleet.flagship?.name == "Ship 1")
    }
}
