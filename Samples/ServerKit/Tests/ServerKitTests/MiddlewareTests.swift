import Baton
import Hummingbird
import HummingbirdTesting
import ServerKit
import ServiceLifecycle
import ServiceLifecycleTestKit
import Synchronization
import Testing

private struct PageContext: EnvironmentRequestContext {
    var coreContext: CoreRequestContextStorage
    var environment: RelayEnvironment?

    init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }
}

@Suite struct MiddlewareTests {
    @Test func eachRequestHasAnEnvironmentOfItsOwn() async throws {
        let shared = SharedData(in: RelayEnvironment(network: Origin()), every: .seconds(60)) { _ in }
        let seen = Mutex<[ObjectIdentifier]>([])
        let kept = Mutex<[RelayEnvironment]>([])
        let router = Router(context: PageContext.self)
        router.add(
            middleware: EnvironmentMiddleware { _, _ in RelayEnvironment(over: shared.base, network: Origin()) })
        router.get("/") { _, context in
            guard let environment = context.environment else { return HTTPResponse.Status.notFound }
            kept.withLock { $0.append(environment) }
            seen.withLock { $0.append(ObjectIdentifier(environment)) }
            return .ok
        }
        try await Application(router: router).test(.router) { client in
            for _ in 0..<2 { try await client.execute(uri: "/", method: .get) { #expect($0.status == .ok) } }
        }
        #expect(Set(seen.withLock(\.self)).count == 2)
    }

    @Test func anErrorIsAStatusAndAPublicText() async throws {
        let router = Router(context: PageContext.self)
        router.add(middleware: EnvironmentMiddleware { _, _ in RelayEnvironment(network: Origin()) })
        let errors: [(RelayError, Int)] = [
            (.timedOut(after: .seconds(1)), 504), (.httpStatus(500, body: "planted"), 502),
            (.httpStatus(503, body: "planted"), 503), (.noResponse, 502), (.configuration("planted"), 500),
            (.contentType("text/planted", body: "planted"), 502),
            (.httpStatus(429, body: "planted", retryAfter: .seconds(7)), 503),
            (.cancelled, 503),
        ]
        router.get("/:number") { _, context -> HTTPResponse.Status in
            throw errors[try context.parameters.require("number", as: Int.self)].0
        }
        try await Application(router: router).test(.router) { client in
            for (number, error) in errors.enumerated() {
                try await client.execute(uri: "/\(number)", method: .get) { response in
                    #expect(response.status.code == error.1)
                    #expect(!String(buffer: response.body).contains("planted"))
                    #expect(String(buffer: response.body) == error.0.publicFailure.text + "\n")
                    #expect(response.headers[.retryAfter] == (number == 6 ? "7" : nil))
                }
            }
        }
    }

    @Test func aSupervisorIsToldOfAShutdown() async throws {
        let isReachable = Mutex(false)
        let health = Health(checks: [{ isReachable.withLock(\.self) }])
        let router = Router()
        health.add(to: router)
        func status(_ path: String) async throws -> Int {
            try await Application(router: router).test(.router) { client in
                try await client.execute(uri: path, method: .get) { $0.status.code }
            }
        }
        #expect(try await status("/health/live") == 200)
        #expect(try await status("/health/ready") == 503)
        isReachable.withLock { $0 = true }
        #expect(try await status("/health/ready") == 200)
        try await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            try await health.run()
        }
        #expect(try await status("/health/ready") == 503)
        #expect(try await status("/health/live") == 200)
    }

    /// A server starts without its data, and ends when it is told to.
    @Test func sharedDataComesWhenItCan() async throws {
        let attempts = Mutex(0)
        let (stream, told) = AsyncStream.makeStream(of: Int.self)
        let shared = SharedData(in: RelayEnvironment(network: Origin()), every: .milliseconds(1)) { _ in
            let number = attempts.withLock { count in
                count += 1
                return count
            }
            told.yield(number)
            if number == 1 { throw RelayError.noResponse }
        }
        try await testGracefulShutdown { trigger in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await shared.run() }
                for await number in stream where number == 3 { break }
                #expect(shared.isFilled)
                trigger.triggerGracefulShutdown()
                try await group.waitForAll()
            }
        }
    }
}
