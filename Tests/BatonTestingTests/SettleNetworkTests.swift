// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Baton
import Synchronization
import Testing

@testable import BatonTesting

/// `query Total { total }`, in the form that the compiler generates.
struct TotalQuery: GraphQLQuery {
    static let artifact = GeneratedCode.OperationArtifact(
        name: "Total", kind: .query, text: "query Total { total }", normalization: "{total:Int}",
        reader: "{total:Int}")
    var variables = GeneratedCode.NoVariables()

    struct Data: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var total: Int? { __row.optionalInt(0) }
    }
}

/// `subscription Ticks { total }`
struct TicksSubscription: GraphQLSubscription {
    static let artifact = GeneratedCode.OperationArtifact(
        name: "Ticks", kind: .subscription, text: "subscription Ticks { total }", normalization: "{total:Int}",
        reader: "{total:Int}")
    var variables = GeneratedCode.NoVariables()

    typealias Data = TotalQuery.Data
}

/// `settle` with each network of the kit, and with one that is none of them.
@Suite(.timeLimit(.minutes(20))) struct SettleNetworkTests {
    @Test func aRequestRestsOnlyOnceItsNetworkHasListedIt() {
        let activity = Activity()
        let owner = RequestScope.Owner(activity, isSubscription: false)
        owner.requestStarted()
        let exchange = MockExchange(owner: owner)
        #expect(activity.counts.resting == 0)
        exchange.begin()
        #expect(activity.counts.resting == 1)
        exchange.give(NetworkResponse(body: []))
        #expect(activity.counts.resting == 0)
    }

    @Test func aResponseThatIsGivenAtOnceLeavesNothingResting() {
        let activity = Activity()
        let owner = RequestScope.Owner(activity, isSubscription: false)
        owner.requestStarted()
        let exchange = MockExchange(owner: owner)
        exchange.give(NetworkResponse(body: []))
        exchange.begin()
        #expect(activity.counts.resting == 0)
    }

    @Test func itWaitsForEveryEventThatATestGives() async throws {
        for round in 0..<200 {
            let network = MockNetwork()
            let environment = RelayEnvironment(network: network)
            let ticks = SubscriptionHandle<TicksSubscription>(in: environment)
            _ = ticks.subscribe()
            await settle(environment)
            #expect(environment.openRequests.map(\.operationName) == ["Ticks"])
            let request = try await network.nextRequest()
            for tick in 1...3 {
                request.respond(data: ["total": .int(round + tick)], hasNext: true)
                await settle(environment)
                #expect(ticks.result.data?.total == round + tick)
            }
        }
    }

    /// The event goes from task to task.
    @Test func itWaitsForAnEventThatPassesThroughAnotherNetwork() async throws {
        for round in 0..<200 {
            let network = MockNetwork()
            let outer = FixtureNetwork(recording: FixtureNetwork(recording: network))
            let environment = RelayEnvironment(network: outer)
            let ticks = SubscriptionHandle<TicksSubscription>(in: environment)
            _ = ticks.subscribe()
            let request = try await network.nextRequest()
            for tick in 1...3 {
                request.respond(data: ["total": .int(round + tick)], hasNext: true)
                await settle(environment)
                #expect(ticks.result.data?.total == round + tick)
            }
        }
    }

    @Test func itWaitsForAnAnswer() async throws {
        for round in 0..<200 {
            let network = MockNetwork()
            let environment = RelayEnvironment(network: network)
            let total = QueryHandle<TotalQuery>(in: environment)
            _ = total.get()
            try await network.nextRequest().respond(data: ["total": .int(round)])
            await settle(environment)
            #expect(environment.openRequests.isEmpty)
            #expect(total.result.data?.total == round)
        }
    }

    /// Without the clock and the network it does not hang, and says what is open.
    @Test func itReturnsWhileARequestRests() async throws {
        let (network, clock) = (MockNetwork(), ManualClock())
        let environment = RelayEnvironment(network: network, clock: clock)
        let total = QueryHandle<TotalQuery>(in: environment)
        _ = total.get()
        await settle(environment)
        #expect(environment.openRequests.map(\.description) == ["Total"])
        await settle(environment)
        #expect(environment.openRequests.map(\.description) == ["Total"])
        #expect(network.pending.count == 1)
    }

    @Test func itReturnsWhileAFixtureIsAtAPause() async throws {
        let text = """
            === query Total
            --- pause
            --- response
            {"data": {"total": 3}}
            === subscription Ticks
            --- response hasNext
            {"data": {"total": 4}}
            --- open
            """
        let network = try FixtureNetwork(text: text)
        let environment = RelayEnvironment(network: network)
        let total = QueryHandle<TotalQuery>(in: environment)
        let ticks = SubscriptionHandle<TicksSubscription>(in: environment)
        _ = total.get()
        _ = ticks.subscribe()
        await settle(environment)
        #expect(environment.openRequests.map(\.description) == ["Total", "Ticks"])
        #expect(total.result.isLoading && ticks.result.data?.total == 4)
        network.resume()
        await settle(environment)
        #expect(environment.openRequests.map(\.description) == ["Ticks"])
        #expect(total.result.data?.total == 3)
    }

    /// A network that serves a subscription of a `LocalService` from a sequence of the test.
    private struct Live: NetworkLayer {
        let service: LocalService
        let events = AsyncStream.makeStream(of: Int.self)

        func send(_ request: NetworkRequest) async throws -> NetworkResponse { try await service.send(request) }

        func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
            let events = Mutex(events.stream.makeAsyncIterator())
            return service.responses(to: request) {
                var iterator = events.withLock { $0 }
                return await iterator.next().map { ["total": .int($0)] as JSONValue }
            }
        }
    }

    @Test func itReturnsWhileAServiceWaitsForAnEvent() async throws {
        let service = try LocalService(
            schema: "type Query { total: Int } type Subscription { total: Int }", resolvers: LocalResolvers())
        let network = Live(service: service)
        let environment = RelayEnvironment(network: network)
        let ticks = SubscriptionHandle<TicksSubscription>(in: environment)
        _ = ticks.subscribe()
        await settle(environment)
        #expect(environment.openRequests.map(\.description) == ["Ticks"])
        network.events.continuation.yield(7)
        while ticks.result.isLoading { await settle(environment) }
        #expect(ticks.result.data?.total == 7)
    }

    /// A network that never answers.
    private struct Silent: NetworkLayer {
        func send(_ request: NetworkRequest) async throws -> NetworkResponse {
            try await Task.sleep(for: .seconds(3_600))
            throw RelayError.noResponse
        }
    }

    @Test func itReturnsInTheEndFromANetworkThatNeverAnswers() async {
        let environment = RelayEnvironment(network: Silent())
        let total = QueryHandle<TotalQuery>(in: environment)
        _ = total.get()
        let notes = Notes()
        await KitNote.$take.withValue(notes.add) { await settle(environment, timeout: .milliseconds(20)) }
        let request = environment.openRequests.first?.id ?? 0
        #expect(
            notes.all == [
                "settle has waited 0.02 seconds for query 'Total', request \(request): no network and no clock of the test "
                    + "says that it waits for the test"
            ])
        #expect(environment.openRequests.map(\.description) == ["Total"])
        #expect(total.result.isLoading)
    }
}
