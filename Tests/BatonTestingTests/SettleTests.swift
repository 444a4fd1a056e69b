// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Baton
import BatonTesting
import Synchronization
import Testing

/// `query Count($step: Int) { count(step: $step) }`, in the form that the compiler generates.
private struct CountQuery: GraphQLQuery {
    static let artifact = GeneratedCode.OperationArtifact(
        name: "Count",
        kind: .query,
        text: "query Count($step: Int) { count(step: $step) }",
        normalization: "(step){count(step:$step):Int!}",
        reader: "(step){count(step:$step):Int!}"
    )

    var variables: Variables

    struct Variables: GeneratedCode.Variables, Hashable {
        var step: GraphQLNullable<Int>
        var __fields: GeneratedCode.InputFields {
            var fields = GeneratedCode.InputFields("step", count: 1)
            fields.addInt(step.input)
            return fields
        }
    }

    struct Data: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var count: Int { __row.int(0) }
    }
}

@Suite("settle")
struct SettleTests {
    private actor Screen {
        private(set) var frames: [String] = []
        func draw(_ frame: String) { frames.append(frame) }
    }

    private let clock = ManualClock()

    private func service(delay: Duration) throws -> LocalService {
        var resolvers = LocalResolvers()
        resolvers.field("Query", "count") { context in context.arguments.int("step") }
        return try LocalService(
            schema: "type Query { count(step: Int): Int! }",
            resolvers: resolvers,
            delay: delay,
            clock: clock
        )
    }

    private static func describe(_ result: QueryResult<CountQuery.Data>) -> String {
        switch result {
        case .loading: "loading"
        case .failure: "failure"
        case .success(let data): data.map { "\($0.count)" } ?? "nothing"
        }
    }

    @Test("settle waits for a request that answers at once, and not for one that sleeps on the clock")
    func settleWaitsForRequestsThatDoNotRest() async throws {
        let service = try service(delay: .seconds(1))
        let environment = RelayEnvironment(network: service, clock: clock)
        let handle = QueryHandle<CountQuery>(in: environment)
        #expect(handle.get(.init(step: .value(1))).isLoading)
        await settle(environment)
        #expect(clock.sleepers == 1)
        #expect(handle.result.isLoading)
        clock.advance(by: .seconds(1))
        await settle(environment)
        #expect(Self.describe(handle.result) == "1")

        service.delay = .zero
        service.fail(RelayError.noResponse)
        _ = handle.get(.init(step: .value(2)))
        await settle(environment)
        #expect(handle.result.error == .noResponse)
    }

    @Test("a sleep of the test does not count as a resting request", arguments: 0..<20)
    func otherSleepsAreNoRequests(_ round: Int) async throws {
        let environment = RelayEnvironment(network: try service(delay: .seconds(1)), clock: clock)
        let spinner = Task { [clock] in try await clock.sleep(for: .seconds(5)) }
        await clock.waitForSleepers()
        let handle = QueryHandle<CountQuery>(in: environment)
        _ = handle.get(.init(step: .value(1)))
        await settle(environment)
        #expect(clock.sleepers == 2)
        spinner.cancel()
    }

    @Test("two environments on one clock settle apart")
    func twoEnvironmentsOnOneClockSettleApart() async throws {
        let first = RelayEnvironment(network: try service(delay: .seconds(1)), clock: clock)
        let second = RelayEnvironment(network: try service(delay: .seconds(1)), clock: clock)
        let handles = [QueryHandle<CountQuery>(in: first), QueryHandle<CountQuery>(in: second)]
        _ = handles[0].get(.init(step: .value(1)))
        await settle(first)
        _ = handles[1].get(.init(step: .value(2)))
        await settle(second)
        #expect(clock.sleepers == 2)
    }

    @Test("advancing with settling gives observers the same frames on every run", arguments: 0..<10)
    func settlingGivesTheSameFramesOnEveryRun(_ round: Int) async throws {
        let service = try service(delay: .seconds(1))
        let environment = RelayEnvironment(network: service, clock: clock)
        let screen = Screen()
        let handles = (0..<4).map { _ in QueryHandle<CountQuery>(in: environment) }
        let tokens = handles.enumerated().map { index, handle in
            handle.observe(on: screen) { screen, result in screen.draw("\(index): \(Self.describe(result))") }
        }
        for (index, handle) in handles.enumerated() {
            service.delay = .seconds(4 - index)
            _ = handle.get(.init(step: .value(index * 10)))
            await settle(environment)
        }
        await clock.advance(by: .seconds(10), settling: environment)
        let frames = await screen.frames
        #expect(frames.suffix(4) == ["3: 30", "2: 20", "1: 10", "0: 0"])
        #expect(Set(frames.dropLast(4)) == ["0: loading", "1: loading", "2: loading", "3: loading"])
        #expect(clock.now.offset == .seconds(10))
        for token in tokens { token.cancel() }
    }

    @Test("a request that waits for the test's answer rests")
    func aRequestThatWaitsForTheTestRests() async throws {
        let network = MockNetwork()
        let environment = RelayEnvironment(network: network)
        let handle = QueryHandle<CountQuery>(in: environment)
        _ = handle.get(.init(step: .value(5)))
        await settle(environment)
        let request = try #require(network.pending("Count"))
        #expect(request.variables == ["step": 5])
        request.respond(data: ["count": 6])
        await settle(environment)
        #expect(Self.describe(handle.result) == "6")
        #expect(network.pending.isEmpty)
    }

    @Test("a released handle ends its request")
    func aReleasedHandleEndsItsRequest() async throws {
        let environment = RelayEnvironment(network: try service(delay: .seconds(1)), clock: clock)
        var handle: QueryHandle<CountQuery>? = QueryHandle(in: environment)
        _ = handle?.get(.init(step: .value(1)))
        await settle(environment)
        #expect(clock.sleepers == 1)
        handle = nil
        await settle(environment)
        #expect(clock.sleepers == 0)
    }

    @Test("waiting ends when the waiting task is cancelled")
    func settlingEndsWithItsTask() async throws {
        let network = MockNetwork()
        let environment = RelayEnvironment(network: network)
        let handle = QueryHandle<CountQuery>(in: environment)
        _ = handle.get(.init(step: .value(5)))
        let task = Task { await settle(environment) }
        task.cancel()
        await task.value
        #expect(handle.result.isLoading)
        // The request may not have reached the network yet.
        _ = network.pending
        await settle(environment)
        #expect(network.pending.count == 1)
    }
}
