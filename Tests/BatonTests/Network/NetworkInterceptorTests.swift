import Testing

@testable import Baton

@Suite struct NetworkInterceptorTests {
    private struct Fixed: NetworkLayer {
        let body: String
        func send(_ request: NetworkRequest) async throws -> NetworkResponse {
            NetworkResponse(body: Array("\(body) \(request.id)".utf8))
        }
    }

    /// An interceptor that is a closure.
    private struct Step: NetworkInterceptor {
        let work: @Sendable (NetworkRequest, Next, @escaping Deliver) async throws -> Void
        func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
            try await work(request, next, deliver)
        }
    }

    private let request = NetworkRequest(id: 1, operationName: "Film", kind: .query, text: "query Film { film }")

    private func texts(_ network: any NetworkLayer) async throws -> [String] {
        var texts: [String] = []
        for try await response in network.responses(to: request) {
            texts.append(String(decoding: response.body, as: UTF8.self))
        }
        return texts
    }

    @Test func withoutStepsTheNetworkAnswers() async throws {
        #expect(try await texts(Fixed(body: "a").intercepted(by: [])) == ["a 1"])
    }

    @Test func aStepMayAnswerAlone() async throws {
        let network = Fixed(body: "a").intercepted(
            by: Step { _, _, deliver in try await deliver(NetworkResponse(body: Array("own".utf8))) })
        #expect(try await texts(network) == ["own"])
        #expect(String(decoding: try await network.send(request).body, as: UTF8.self) == "own")
    }

    @Test func aStepMaySendAgain() async throws {
        let network = Fixed(body: "a").intercepted(
            by: Step { request, next, deliver in
                try await next(request) { _ in }
                try await next(request, deliver)
            })
        #expect(try await texts(network) == ["a 1"])
    }

    @Test func aStepWithoutAnAnswerGivesNone() async throws {
        let network = Fixed(body: "a").intercepted(by: Step { _, _, _ in })
        #expect(try await texts(network) == [])
        await #expect(throws: RelayError.noResponse) { try await network.send(request) }
    }

    @Test func whatAStepThrowsFailsTheRequest() async throws {
        let network = Fixed(body: "a").intercepted(by: Step { _, _, _ in throw RelayError.configuration("x") })
        await #expect(throws: RelayError.configuration("x")) { try await texts(network) }
    }

    @Test func aStepKeepsRunningAfterTheLastResponseWasTaken() async throws {
        let ends = Guarded(0)
        let network = Fixed(body: "a").intercepted(
            by: Step { request, next, deliver in
                try await next(request, deliver)
                ends.withLock { $0 += 1 }
            })
        _ = try await network.send(request)
        while ends.withLock(\.self) == 0 { await Task.yield() }
    }

    /// A step that delivers from two tasks at the same time, `count` events each.
    private static func twoTasks(_ count: Int) -> Step {
        Step { _, _, deliver in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in ["a", "b"] {
                    group.addTask {
                        for number in 0..<count {
                            let event = FilmChangedSubscription.event(name, "\(number)")
                            try await deliver(NetworkResponse(body: Array(event.utf8), hasNext: true))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(.timeLimit(.minutes(20))) func eventsThatTwoTasksDeliverAtOnceAllLand() async throws {
        let count = 100
        let network = Fixed(body: "").intercepted(by: Self.twoTasks(count))
        let environment = RelayEnvironment(network: network)
        for _ in 0..<20 {
            var titles: [String: [String]] = [:]
            for try await response in environment.subscribe(FilmChangedSubscription(id: "1")) {
                let film = try #require(response.data?.filmChanged)
                titles[film.id, default: []].append(film.title)
            }
            // Events of one task stay in order.
            let expected = (0..<count).map { "\($0)" }
            #expect(titles == ["a": expected, "b": expected])
        }
    }
}
