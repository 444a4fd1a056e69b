import Baton
import BatonHTTP
import RandomCases
import Testing

/// The tenant of a request; set by the application, and read and changed by steps.
private enum Tenant: RequestContextKey { static let defaultValue = "public" }

/// Notes when a request and when its responses pass.
private struct Passing: NetworkInterceptor {
    let name: String
    let notes: Notes<String>

    func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        notes.add("\(name) asks")
        try await next(request) { response in
            notes.add("\(name) answers")
            try await deliver(response)
        }
        notes.add("\(name) ends")
    }
}

@Suite struct CompositionTests {
    @Test func stepsStandInTheOrderWritten() async throws {
        let notes = Notes<String>()
        let network = StubNetwork { _, _ in
            notes.add("network")
            return .film
        }.intercepted(by: Passing(name: "a", notes: notes), Passing(name: "b", notes: notes))
        _ = try await network.all(.make())
        #expect(
            notes.all == [
                "a asks", "b asks", "network", "b answers", "a answers", "b ends", "a ends",
            ])
    }

    @Test func theContextTravelsFromTheCallerToTheNetwork() async throws {
        struct Routing: NetworkInterceptor {
            func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
                var request = request
                request.configuration.headers["X-Tenant"] = request.configuration.context[Tenant.self]
                request.configuration.context[Tenant.self] += ", routed"
                try await next(request, deliver)
            }
        }
        let server = StubNetwork()
        let network = server.intercepted(by: Routing())
        var request = NetworkRequest.make()
        request.configuration.context[Tenant.self] = "north"
        _ = try await network.send(request)
        _ = try await network.send(.make())
        #expect(server.sent.map { $0.configuration.headers["X-Tenant"] } == ["north", "public"])
        #expect(server.sent[0].configuration.context[Tenant.self] == "north, routed")
    }

    @Test func aSplitNetworkChoosesByKindOrByFunction() async throws {
        let (queries, subscriptions) = (StubNetwork(), StubNetwork())
        let split = SplitNetwork(queries: queries, subscriptions: subscriptions)
        for kind in [OperationKind.query, .mutation, .subscription] { _ = try await split.all(.make(kind: kind)) }
        _ = try await split.send(.make(kind: .subscription))
        #expect(queries.sent.map(\.kind) == [.query, .mutation])
        #expect(subscriptions.sent.map(\.kind) == [.subscription, .subscription])

        let (north, south) = (StubNetwork(), StubNetwork())
        let byTenant = SplitNetwork { $0.configuration.context[Tenant.self] == "north" ? north : south }
        var request = NetworkRequest.make()
        request.configuration.context[Tenant.self] = "north"
        _ = try await byTenant.send(request)
        _ = try await byTenant.send(.make())
        #expect(north.sent.count == 1 && south.sent.count == 1)
    }

    /// Random steps pass on requests of all kinds. Each request ends once, with its own responses in order.
    @Test(arguments: RandomCases.seeds(40)) func anyCompositionEndsEachRequestOnce(_ seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let ends = Notes<Int>()
        let limit = ConcurrencyInterceptor(limit: 2)
        let metrics = MetricsInterceptor()
        // With a retry in front, the log would see a request several times.
        let log = LoggingInterceptor { event in if case .ended = event.kind { ends.add(event.requestID) } }
        var steps: [any NetworkInterceptor] = [
            metrics, limit, TracingInterceptor(), ClientNameInterceptor(name: "test"),
            RetryInterceptor(firstDelay: .zero),
            CachingInterceptor(defaultAge: .seconds(60)),
            AuthenticationInterceptor(load: { .bearer("a") }, refresh: { _ in .bearer("b") }),
        ]
        steps.shuffle(using: &random)
        let plans = (0..<30).map { _ in Plan(using: &random) }
        let attempts = Notes<Int>()
        let server = StreamingNetwork { request, deliver in
            let number = attempts.all.count { $0 == request.id }
            attempts.add(request.id)
            try await plans[request.id].run(request, attempt: number, deliver)
        }
        let network = server.intercepted(by: [log] + steps)
        await withTaskGroup(of: Void.self) { group in
            for (id, plan) in plans.enumerated() {
                group.addTask {
                    let task = Task { try await network.all(.make(id, name: "Op\(id)", kind: plan.kind)).map(\.text) }
                    if plan.isCancelled { task.cancel() }
                    switch await task.result {
                    case .success(let texts):
                        let expected = (0..<plan.count).map { "{\"data\":{\"request\":\(id),\"number\":\($0)}}" }
                        #expect(plan.isCancelled ? expected.starts(with: texts) : texts == expected)
                    case .failure(let error):
                        let isExpected = plan.isCancelled || plan.breaks
                        #expect(isExpected, "\(error)")
                    }
                }
            }
        }
        await until { metrics.snapshot.values.allSatisfy { $0.inFlight == 0 } }
        #expect(limit.waiting == 0)
        let expected = plans.indices.filter { !plans[$0].isCancelled }
        await until { Set(ends.all).isSuperset(of: expected) }
        #expect(Set(ends.all).count == ends.all.count)
    }

    /// The server's treatment of a request.
    struct Plan: Sendable {
        let kind: OperationKind
        let count: Int
        let refusals: Int
        let breaks: Bool
        let isCancelled: Bool

        init(using random: inout SeededGenerator) {
            let kinds = [OperationKind.query, .query, .mutation, .subscription]
            kind = kinds.randomElement(using: &random) ?? .query
            count = kind == .mutation ? 1 : Int.random(in: 1...4, using: &random)
            refusals = kind == .query ? Int.random(in: 0...1, using: &random) : 0
            breaks = Int.random(in: 0..<8, using: &random) == 0
            isCancelled = Int.random(in: 0..<6, using: &random) == 0
        }

        func run(_ request: NetworkRequest, attempt: Int, _ deliver: NetworkInterceptor.Deliver) async throws {
            if attempt < refusals { throw RelayError.httpStatus(503, body: "") }
            for number in 0..<count {
                if breaks, number == count / 2 { throw RelayError.contentType(nil, body: "") }
                try await deliver(
                    .text(
                        "{\"data\":{\"request\":\(request.id),\"number\":\(number)}}", hasNext: number < count - 1))
            }
        }
    }
}
