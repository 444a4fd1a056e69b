import Baton
import BatonHTTP
import InMemoryLogging
import Logging
import StarWarsComponents
import Synchronization
import Testing

@testable import Web

/// The reviews in pages that are open.
@Suite(.timeLimit(.minutes(20))) struct LiveReviewsTests {
    private let service: EmbeddedService
    private let upstream: CountedSubscriptions
    private let site: Site
    private let logs = InMemoryLogHandler()

    init() throws {
        service = try EmbeddedService()
        upstream = CountedSubscriptions(service.service)
        site = Self.site(SplitNetwork(queries: service, subscriptions: upstream), hasSubscriptions: true, logs)
    }

    private static func site(_ network: any NetworkLayer, hasSubscriptions: Bool, _ logs: InMemoryLogHandler) -> Site {
        var logger = Logger(label: "test", factory: { _ in logs })
        logger.logLevel = .notice
        return Site(
            network: network, hasSubscriptions: hasSubscriptions, freshFor: .seconds(60),
            telemetry: Telemetry(logger: logger))
    }

    /// Adds a review as another instance of the site does.
    private func review(_ film: String, _ text: String) async throws {
        let other = RelayEnvironment(network: service)
        let input = CreateReviewInput(filmId: film, stars: 2, commentary: text)
        _ = try await other.commit(ReviewFormMutation(input: input))
    }

    private func watches(_ count: Int, _ film: String, of site: Site) throws -> [LiveReviews.Watch] {
        try (0..<count).map { _ in try #require(site.live.watch(film)) }
    }

    /// Reads the events of all pages until each has these words. A feed has begun, and subscribed, before its first
    /// event with reviews.
    private func wait(for words: String, in watches: [LiveReviews.Watch]) async {
        for watch in watches {
            for await event in watch.events where String(decoding: event, as: UTF8.self).contains(words) { break }
        }
    }

    @Test func allPagesOfAFilmShareOneSubscriptionThatEndsWithTheLast() async throws {
        let pages = try watches(50, "film:4", of: site)
        let other = try watches(5, "film:5", of: site)
        await wait(for: "data-review", in: pages + other)
        await upstream.wait { $0.open == 2 }
        try await review("film:4", "written elsewhere")
        await wait(for: "written elsewhere", in: pages)
        #expect(site.live.counts == (55, 2))
        for page in pages.dropLast() { page.leave() }
        #expect(site.live.counts.feeds == 2)
        for page in pages + other { page.leave() }
        #expect(site.live.counts == (0, 0))
        await upstream.wait { $0.open == 0 }
        #expect(upstream.state == CountedSubscriptions.Counts(open: 0, begun: 2))
    }

    @Test func aPageThatComesLaterHasTheNewestReviewsAtOnce() async throws {
        let first = try watches(1, "film:4", of: site)
        await upstream.wait { $0.open == 1 }
        try await review("film:4", "written before")
        await wait(for: "written before", in: first)
        let later = try watches(1, "film:4", of: site)
        await wait(for: "written before", in: later)
        #expect(upstream.state.begun == 1)
    }

    @Test func afterTheEndOfASubscriptionAnotherBegins() async throws {
        let pages = try watches(2, "film:4", of: site)
        await upstream.wait { $0.open == 1 }
        upstream.endAll()
        // Nobody hears of this one.
        try await review("film:4", "written meanwhile")
        await upstream.wait { $0.begun == 2 && $0.open == 1 }
        await wait(for: "written meanwhile", in: pages)
        try await review("film:4", "written afterwards")
        await wait(for: "written afterwards", in: pages)
        #expect(upstream.state.begun == 2)
    }

    @Test func withoutSubscriptionsPagesPollAndTheLogSaysSoOnce() async throws {
        let site = Self.site(service, hasSubscriptions: false, logs)
        let pages = try watches(2, "film:4", of: site) + watches(1, "film:5", of: site)
        await wait(for: "data-review", in: pages)
        try await review("film:4", "asked for")
        await wait(for: "asked for", in: Array(pages[..<2]))
        #expect(logs.entries.map(\.message.description).filter { $0.contains("polling") }.count == 1)
    }

    @Test func aServiceThatRefusesASubscriptionIsPolled() async throws {
        upstream.refuse()
        let pages = try watches(1, "film:4", of: site) + watches(1, "film:5", of: site)
        await wait(for: "data-review", in: pages)
        try await review("film:4", "asked for")
        await wait(for: "asked for", in: Array(pages[..<1]))
        let lines = logs.entries.filter { $0.message.description.contains("polling") }
        #expect(lines.count == 1 && lines.first?.level == .warning)
    }

    /// A browser that is still there asks again.
    @Test func aStreamEndsAfterItsTime() async throws {
        let source = ReviewSource(site.shared.environment, hasSubscriptions: true, logger: site.telemetry.logger)
        let live = LiveReviews(source: source, heartbeat: .milliseconds(10), lifetime: .milliseconds(50))
        let page = try #require(live.watch("film:4"))
        for await _ in page.events {}
        #expect(live.counts == (0, 0))
    }

    /// What a page held is free by then, but the allocator keeps it. `shared.py memory` has the figures.
    @Test func memoryIsGivenBackOnceMostOfManyPagesHaveEnded() async throws {
        let (times, given) = AsyncStream.makeStream(of: Void.self)
        let source = ReviewSource(site.shared.environment, hasSubscriptions: true, logger: site.telemetry.logger)
        let live = LiveReviews(source: source, giveBack: { given.yield() })
        let pages = try (0..<400).map { try #require(live.watch("film:\(1 + $0 % 9)")) }
        for page in pages.prefix(300) { page.leave() }
        #expect(live.counts == (100, 9))
        for await _ in times { break }
        for page in pages { page.leave() }
        #expect(live.counts == (0, 0))
    }

    @Test func thereIsNoRoomForAnyNumberOfPages() throws {
        var pages = try watches(2_000, "film:4", of: site)
        #expect(site.live.watch("film:4") == nil)
        pages.removeLast().leave()
        #expect(site.live.watch("film:4") != nil)
        for page in pages { page.leave() }
    }
}

/// Counts the subscriptions of a service, ends them, and refuses them.
private final class CountedSubscriptions: NetworkLayer {
    struct Counts: Sendable, Hashable {
        var open = 0
        var begun = 0
    }

    private struct State {
        var counts = Counts()
        var isRefusing = false
        var streams: [Int: AsyncThrowingStream<NetworkResponse, any Error>.Continuation] = [:]
        var waiting: [(isWanted: @Sendable (Counts) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let service: any NetworkLayer
    private let all = Mutex(State())

    init(_ service: any NetworkLayer) { self.service = service }

    var state: Counts { all.withLock(\.counts) }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw RelayError.noResponse }

    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        if all.withLock(\.isRefusing) {
            let body = Array(#"{"errors":[{"message":"there are no subscriptions"}]}"#.utf8)
            return AsyncThrowingStream { continuation in
                continuation.yield(NetworkResponse(body: body))
                continuation.finish()
            }
        }
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: NetworkResponse.self)
        let events = service.responses(to: request)
        let task = Task {
            do {
                for try await event in events { continuation.yield(event) }
                continuation.finish()
            } catch { continuation.finish(throwing: error) }
        }
        let number = change { state in
            state.counts.open += 1
            state.counts.begun += 1
            state.streams[state.counts.begun] = continuation
            return state.counts.begun
        }
        continuation.onTermination = { [self] _ in
            task.cancel()
            change { state in
                if state.streams.removeValue(forKey: number) != nil { state.counts.open -= 1 }
            }
        }
        return stream
    }

    func refuse() { change { $0.isRefusing = true } }

    func endAll() {
        for stream in all.withLock({ Array($0.streams.values) }) { stream.finish() }
    }

    /// Waits until the counts are as wanted.
    func wait(_ isWanted: @escaping @Sendable (Counts) -> Bool) async {
        await withCheckedContinuation { continuation in change { $0.waiting.append((isWanted, continuation)) } }
    }

    @discardableResult
    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, ready) = all.withLock { state in
            let value = body(&state)
            let counts = state.counts
            let ready = state.waiting.filter { $0.isWanted(counts) }.map(\.continuation)
            state.waiting.removeAll { $0.isWanted(counts) }
            return (value, ready)
        }
        for continuation in ready { continuation.resume() }
        return value
    }
}
