import Baton
import BatonTesting
import Synchronization
import Testing

@Suite("LocalService")
struct LocalServiceTests {
    private static let schema = """
        type Query { count: Int! }
        type Mutation { add(number: Int!): Int! fail: Int fatal: Int! }
        type Subscription { count: Int! }
        """

    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func add(_ number: Int) -> Int {
            value.withLock {
                $0 += number
                return $0
            }
        }
    }

    private let counter = Counter()

    private func service(delay: Duration = .zero, clock: any Clock<Duration> = ContinuousClock()) throws -> LocalService
    {
        var resolvers = LocalResolvers()
        resolvers.field("Query", "count") { [counter] _ in counter.count }
        resolvers.field("Mutation", "add") { [counter] context in counter.add(context.arguments.int("number") ?? 0) }
        resolvers.field("Mutation", "fail") { _ in throw LocalError("no") }
        resolvers.field("Mutation", "fatal") { _ in throw LocalError("no") }
        return try LocalService(schema: Self.schema, resolvers: resolvers, delay: delay, clock: clock)
    }

    private static func request(_ text: String, _ variables: [JSONValue.Member] = []) -> NetworkRequest {
        NetworkRequest(id: 1, operationName: "Q", kind: .query, text: text, variables: variables)
    }

    @Test("the fields of a mutation run one after the other, and an error does not stop them")
    func theFieldsOfAMutationRunInOrder() throws {
        let service = try service()
        #expect(
            service.execute("mutation { a: add(number: 1) b: add(number: 10) fail c: add(number: 100) }")["data"]
                == ["a": 1, "b": 11, "fail": nil, "c": 111]
        )
        let answer = service.execute("mutation { a: add(number: 1) fatal b: add(number: 1) }")
        #expect(answer["data"] == .null)
        #expect(counter.count == 112)
    }

    @Test("an empty name of an operation is none")
    func anEmptyNameIsNone() async throws {
        let service = try service()
        #expect(service.execute("query A { count }", operationName: "") == ["data": ["count": 0]])
        #expect(service.execute("query A { count } query B { count }", operationName: "")["errors"] != nil)
        let request = NetworkRequest(id: 1, operationName: "", kind: .query, text: "{ count }", variables: [])
        #expect(String(decoding: request.jsonBody, as: UTF8.self) == #"{"query":"{ count }"}"#)
        #expect(try await JSONValue.parse(service.send(request).body) == ["data": ["count": 0]])
    }

    @Test("subscriptions are refused")
    func subscriptionsAreRefused() throws {
        let answer = try service().execute("subscription { count }")
        #expect(answer["data"] == nil)
        #expect(answer["errors"] != nil)
    }

    @Test("a subscription that gets its events is executed for each of them")
    func aSubscriptionIsExecutedForEachEvent() async throws {
        var resolvers = LocalResolvers()
        resolvers.field("Subscription", "count", of: Int.self) { event, _ in event }
        let service = try LocalService(schema: Self.schema, resolvers: resolvers)
        let request = NetworkRequest(
            id: 1, operationName: "Q", kind: .subscription, text: "subscription Q { count }", variables: [])
        let events = Counter()
        let stream = service.responses(to: request) {
            let number = events.add(1)
            return number > 3 ? nil : number * 10
        }
        var bodies: [String] = []
        for try await response in stream {
            #expect(response.hasNext)
            bodies.append(String(decoding: response.body, as: UTF8.self))
        }
        #expect(bodies == [10, 20, 30].map { #"{"data":{"count":\#($0)}}"# })
        let query = service.responses(to: Self.request("query Q { count }")) { 1 }
        for try await response in query {
            #expect(String(decoding: response.body, as: UTF8.self).contains("Only a subscription has events."))
            break
        }
    }

    @Test("the source of events knows what a subscription asks for")
    func theArgumentsOfASubscriptionAreKnown() throws {
        let service = try LocalService(
            schema: "type Query { a: Int } type Subscription { added(film: ID, stars: Int = 3): Int }",
            resolvers: LocalResolvers())
        func arguments(_ text: String, _ variables: [JSONValue.Member] = []) -> LocalArguments? {
            service.rootArguments(
                of: NetworkRequest(
                    id: 1, operationName: "Q", kind: .subscription, text: text, variables: variables))
        }
        let text = "subscription Q($id: ID) { ...F } fragment F on Subscription { added(film: $id) }"
        #expect(arguments(text, [.init("id", "4")])?.string("film") == "4")
        #expect(arguments(text)?.names == ["stars"])
        #expect(arguments("subscription Q { added(film: 5, stars: 1) }")?.string("film") == "5")
        #expect(arguments("subscription Q { added(stars: \"many\") }") == nil)
        #expect(arguments("subscription Q { other }") == nil)
        #expect(arguments("") == nil)
    }

    @Test("the service is a network that executes the requests it gets")
    func theServiceIsANetwork() async throws {
        let service = try service()
        let text = "mutation Q($n: Int!) { add(number: $n) } query P { count }"
        let response = try await service.send(Self.request(text, [.init("n", 7)]))
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"data":{"add":7}}"#)
        #expect(service.requestCount == 1)
    }

    @Test("the delay passes on the clock, and failures may be switched on and off at any time")
    func delayAndFailuresMayChangeAtAnyTime() async throws {
        let clock = ManualClock()
        let service = try service(delay: .seconds(2), clock: clock)
        let request = Self.request("query Q { count }")
        async let first = service.send(request)
        await clock.waitForSleepers()
        #expect(clock.nextDeadline?.offset == .seconds(2))
        service.delay = .seconds(1)
        service.fail(RelayError.httpStatus(503, body: ""))
        let second = Task { try await service.send(request) }
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(1))
        await #expect(throws: RelayError.httpStatus(503, body: "")) { try await second.value }
        service.fail(nil)
        clock.advance(by: .seconds(1))
        #expect(try await first.body == Array(#"{"data":{"count":0}}"#.utf8))
        service.delay = .zero
        service.fail { $0.operationName == "Q" ? RelayError.noResponse : nil }
        await #expect(throws: RelayError.noResponse) { try await service.send(request) }
        #expect(service.requestCount == 3)
    }

    @Test("a request that is cancelled during the delay is not executed")
    func aCancelledRequestIsNotExecuted() async throws {
        let clock = ManualClock()
        let service = try service(delay: .seconds(2), clock: clock)
        let task = Task { try await service.send(Self.request("mutation Q { add(number: 1) }")) }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleepers == 0)
        #expect(counter.count == 0)
    }

    @Test("requests run side by side")
    func requestsRunSideBySide() async throws {
        let service = try service()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    _ = try? await service.send(Self.request("mutation Q { a\(number % 5): add(number: 1) }"))
                }
            }
        }
        #expect(counter.count == 50)
        #expect(service.execute("{ count }") == ["data": ["count": 50]])
    }
}
