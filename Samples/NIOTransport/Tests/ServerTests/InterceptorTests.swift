import Baton
import BatonHTTP
import Foundation
import HarbourOperations
import NIOTransport
import Synchronization
import Testing

/// The steps in front of a network, with servers that refuse requests, and the requests as the servers see them.
@Suite(.withServers, .timeLimit(.minutes(20)))
struct InterceptorTests {
    /// The server rejects twenty requests with one old token, and issues one new token.
    @Test(arguments: TransportKind.allCases)
    func rejectionsAtTheSameTimeRefreshOnce(_ kind: TransportKind) async throws {
        let transport = try kind.make()
        let url = try Server.strawberry.url("/guarded/graphql")
        let tokens = try Server.strawberry.url("/token")
        let barrier = Barrier(of: 20)
        let visit = try Visit(.strawberry) { mark in
            let authentication = AuthenticationInterceptor {
                .bearer("an old token")
            } refresh: { _ in
                var token = Data()
                let request = HTTPRequest(.post, tokens, headers: ["X-Mark": mark], body: .bytes([]))
                for try await piece in try await transport.send(request).body { token += piece }
                return .bearer(try JSONDecoder().decode(String.self, from: token))
            }
            let network = HTTPNetwork(url: url, transport: transport) { _ in
                // All requests have the old token before the first one is sent.
                await barrier.pass()
                return ["X-Mark": mark]
            }
            return network.intercepted(by: authentication)
        }
        let answers = try await withThrowingTaskGroup(of: Int?.self) { group in
            for delay in 0..<20 {
                group.addTask { try await visit.environment.fetch(WaitQuery(delay: delay)).data?.wait }
            }
            return try await group.reduce(into: Set<Int?>()) { $0.insert($1) }
        }
        #expect(answers == Set(0..<20))
        let entries = try await visit.entries(41, "complete")
        #expect(entries.count { $0.path == "/token" } == 1)
        #expect(entries.count { $0.path != "/token" && $0.status == 200 } == 20)
        #expect(entries.count { $0.status == 401 } == 20)
    }

    @Test(arguments: TransportKind.allCases)
    func aBusyServerIsAskedAgainWhenItSays(_ transport: TransportKind) async throws {
        let url = try Server.strawberry.url("/busy/graphql")
        let visit = try Visit(.strawberry, transport, url: url, RetryInterceptor(firstDelay: .zero))
        let start = ContinuousClock.now
        #expect(try await visit.environment.fetch(ShipQuery(id: "Ship:1")).data?.ship?.name == "Aurora")
        #expect(start.duration(to: .now) >= .seconds(1))
        #expect(try await visit.entries(2, "complete").map(\.status) == [503, 200])
    }

    @Test(arguments: TransportKind.allCases)
    func aMutationIsSentAgainOnlyWithItsKey(_ transport: TransportKind) async throws {
        let url = try Server.strawberry.url("/busy/graphql")
        let mutation = RenameMutation(id: "Ship:9", name: "Nobody")
        let careful = try Visit(.strawberry, transport, url: url, RetryInterceptor(firstDelay: .zero))
        let error = await #expect(throws: RelayError.self) { try await careful.environment.commit(mutation) }
        guard error?.status == 503 else {
            Issue.record("not 503 but \(String(describing: error))")
            return
        }
        #expect(try await careful.entries(1, "complete").map(\.status) == [503])

        let retry = RetryInterceptor(firstDelay: .zero, mutations: .withKey())
        let keyed = try Visit(.strawberry, transport, url: url, retry)
        let response = try await keyed.environment.commit(mutation)
        #expect(response.errors.map(\.message) == ["there is no ship Ship:9"])
        let keys = try await keyed.entries(2, "complete").map { $0.headers["idempotency-key"] }
        #expect(keys.count == 2)
        #expect(Set(keys).count == 1)
        #expect(!keys.contains(nil))
    }

    @Test(arguments: TransportKind.allCases)
    func requestsAreCountedAndNamed(_ transport: TransportKind) async throws {
        let metrics = MetricsInterceptor()
        let spans = Collected<TracingInterceptor.Span>()
        let visit = try Visit(
            .core, transport, metrics, ClientNameInterceptor(name: "harbour", version: "7"),
            TracingInterceptor(record: { spans.add($0) }))
        for id in ["Ship:1", "Ship:2"] { _ = try await visit.environment.fetch(ShipQuery(id: id)) }
        let counts = try #require(metrics.snapshot.values.first)
        #expect(metrics.snapshot.count == 1)
        #expect(counts.started == 2)
        #expect(counts.answered == 2)
        #expect(counts.inFlight == 0)
        #expect(counts.bytes > 0)
        let headers = try await visit.entries(2, "complete").map(\.headers)
        #expect(headers.map { $0["apollographql-client-name"] } == ["harbour", "harbour"])
        #expect(headers.map { $0["apollographql-client-version"] } == ["7", "7"])
        // Each request is a trace of its own, and the server got the recorded span.
        #expect(Set(headers.map { $0["traceparent"] }).count == 2)
        #expect(spans.all.map(\.id.header) == headers.map { $0["traceparent"] })
        #expect(spans.all.allSatisfy { $0.operationName == "Ship" && $0.outcome == .answered })
    }

    /// The server says how many other requests it has when one begins: never more than two, and two now and then, once
    /// it takes long enough.
    @Test(arguments: TransportKind.allCases)
    func fewRequestsAreUnderWayAtATime(_ transport: TransportKind) async throws {
        var most = 0
        for delay in [20, 200, 2_000] where most < 2 {
            let visit = try Visit(.strawberry, transport, ConcurrencyInterceptor(limit: 3))
            let delays = delay..<(delay + 12)
            let answers = try await withThrowingTaskGroup(of: Int?.self) { group in
                for delay in delays {
                    group.addTask { try await visit.environment.fetch(WaitQuery(delay: delay)).data?.wait }
                }
                return try await group.reduce(into: Set<Int?>()) { $0.insert($1) }
            }
            #expect(answers == Set(delays))
            most = max(most, try await visit.entries(12, "complete").map(\.beside).max() ?? 0)
        }
        #expect(most == 2)
    }

    @Test(arguments: TransportKind.allCases)
    func aLogTellsWhatHappenedAndNoSecret(_ transport: TransportKind) async throws {
        let events = Collected<NetworkEvent>()
        let url = try Server.strawberry.url("/busy/graphql")
        let visit = try Visit(
            .strawberry, transport, url: url,
            LoggingInterceptor(detail: .init(headers: ["x-shown"])) { events.add($0) },
            RetryInterceptor(firstDelay: .zero), PreflightInterceptor())
        let configuration = RequestConfiguration(headers: ["X-Shown": "harbour", "Authorization": "Bearer hidden"])
        let response = try await visit.environment.fetch(ShipQuery(id: "Ship:1"), configuration: configuration)
        #expect(response.data?.ship?.name == "Aurora")
        let entries = try await visit.entries(2, "complete")
        #expect(entries.map { $0.headers["apollo-require-preflight"] } == ["true", "true"])
        #expect(entries.map { $0.headers["authorization"] } == ["Bearer hidden", "Bearer hidden"])
        let kinds = events.all.map(\.kind)
        try #require(kinds.count == 4)
        guard case .began = kinds[0], case .retry(1, let delay, let error) = kinds[1], error.status == 503,
            case .response(200, let bytes, false) = kinds[2], case .ended(.answered, 1, bytes) = kinds[3]
        else {
            Issue.record("other events: \(kinds)")
            return
        }
        #expect(delay >= .seconds(1) && bytes > 0)
        let text = events.all.map(\.description).joined(separator: "\n")
        #expect(text.contains("Ship (id) X-Shown: harbour"))
        #expect(!text.contains("hidden") && !text.contains("Ship:1"))
    }

    /// Queries over HTTP and subscriptions over a socket, into one store.
    @Test(arguments: TransportKind.allCases, SocketKind.allCases)
    func oneNetworkIsMadeOfTwo(_ kind: TransportKind, _ socket: SocketKind) async throws {
        let url = try Server.strawberry.url
        let visit = try Visit(.strawberry) { mark in
            SplitNetwork(
                queries: HTTPNetwork(url: url, transport: try kind.make(), headers: { _ in ["X-Mark": mark] }),
                subscriptions: WebSocketNetwork(
                    url: url, transport: try socket.make(), headers: { ["X-Mark": mark] }))
        }
        #expect(try await visit.environment.fetch(ShipQuery(id: "Ship:1")).data?.ship?.name == "Aurora")
        let events = visit.environment.subscribe(TicksSubscription(count: 3, delay: 1))
        #expect(try await events.reduce(into: []) { $0.append($1.data?.ticks) } == [1, 2, 3])
        let entries = try await visit.entries(2)
        #expect(entries.map { $0.headers["upgrade"] } == [nil, "websocket"])
        #expect(entries.first?.method == "POST")
    }
}

/// The arguments of a closure's calls, in order.
private final class Collected<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { values.withLock(\.self) }

    func add(_ value: Value) { values.withLock { $0.append(value) } }
}

/// Lets its callers go on when a number of them has arrived. Later callers go on at once.
private actor Barrier {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of count: Int) {
        missing = count
    }

    func pass() async {
        missing -= 1
        if missing > 0 { return await withCheckedContinuation { waiting.append($0) } }
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
