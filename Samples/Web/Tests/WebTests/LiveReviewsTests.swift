import Baton
import BatonHTTP
import BatonTesting
import InMemoryLogging
import Logging
import StarWarsComponents
import Testing

@testable import Web

/// The reviews in pages that are open.
@Suite(.timeLimit(.minutes(20))) struct LiveReviewsTests {
    private let service: EmbeddedService
    /// Where subscriptions wait for the test.
    private let upstream = MockNetwork()
    private let site: Site
    private let logs = InMemoryLogHandler()

    init() throws {
        service = try EmbeddedService()
        site = Self.site(SplitNetwork(queries: service, subscriptions: upstream), hasSubscriptions: true, logs)
    }

    private static func site(_ network: any NetworkLayer, hasSubscriptions: Bool, _ logs: InMemoryLogHandler) -> Site {
        var logger = Logger(label: "test", factory: { _ in logs })
        logger.logLevel = .notice
        return Site(
            network: network, hasSubscriptions: hasSubscriptions, freshFor: .seconds(60),
            telemetry: Telemetry(logger: logger))
    }

    /// Adds a review as another instance of the site does. Each subscription of the film gets the event of the service.
    private func review(_ film: String, _ text: String) async throws {
        let open = upstream.pending.filter { $0.variables["id"] == .string(film) }
        let events = open.map { service.service.responses(to: $0.request) }
        let other = RelayEnvironment(network: service)
        let input = CreateReviewInput(filmId: film, stars: 2, commentary: text)
        _ = try await other.commit(ReviewFormMutation(input: input))
        for (subscription, events) in zip(open, events) {
            for try await event in events {
                subscription.respond(event)
                break
            }
        }
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
        for _ in 0..<2 { _ = try await upstream.nextRequest() }
        try await review("film:4", "written elsewhere")
        await wait(for: "written elsewhere", in: pages)
        #expect(site.live.counts == (55, 2))
        for page in pages.dropLast() { page.leave() }
        #expect(site.live.counts.feeds == 2)
        for page in pages + other { page.leave() }
        #expect(site.live.counts == (0, 0))
        while !upstream.pending.isEmpty { await Task.yield() }
        #expect(upstream.requests.count == 2)
    }

    @Test func aPageThatComesLaterHasTheNewestReviewsAtOnce() async throws {
        let first = try watches(1, "film:4", of: site)
        _ = try await upstream.nextRequest()
        try await review("film:4", "written before")
        await wait(for: "written before", in: first)
        let later = try watches(1, "film:4", of: site)
        await wait(for: "written before", in: later)
        #expect(upstream.requests.count == 1)
    }

    @Test func afterTheEndOfASubscriptionAnotherBegins() async throws {
        let pages = try watches(2, "film:4", of: site)
        try await upstream.nextRequest().complete()
        // Nobody hears of this one.
        try await review("film:4", "written meanwhile")
        _ = try await upstream.nextRequest()
        await wait(for: "written meanwhile", in: pages)
        try await review("film:4", "written afterwards")
        await wait(for: "written afterwards", in: pages)
        #expect(upstream.requests.count == 2)
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
        let network = SplitNetwork(queries: service, subscriptions: try SagaService.make())
        let site = Self.site(network, hasSubscriptions: true, logs)
        let pages = try watches(1, "film:4", of: site) + watches(1, "film:5", of: site)
        await wait(for: "data-review", in: pages)
        try await review("film:4", "asked for")
        await wait(for: "asked for", in: Array(pages[..<1]))
        let lines = logs.entries.filter { $0.message.description.contains("polling") }
        #expect(lines.count == 1 && lines.first?.level == .warning)
    }

    /// A browser that is still there asks again.
    @Test func aStreamEndsAfterItsTime() async throws {
        let source = ReviewSource(site.shared.environment, hasSubscriptions: false, logger: site.telemetry.logger)
        let live = LiveReviews(source: source, heartbeat: .milliseconds(10), lifetime: .milliseconds(50))
        let page = try #require(live.watch("film:4"))
        for await _ in page.events {}
        #expect(live.counts == (0, 0))
    }

    /// What a page held is free by then, but the allocator keeps it. `shared.py memory` has the figures.
    @Test func memoryIsGivenBackOnceMostOfManyPagesHaveEnded() async throws {
        let (times, given) = AsyncStream.makeStream(of: Void.self)
        let source = ReviewSource(site.shared.environment, hasSubscriptions: false, logger: site.telemetry.logger)
        let live = LiveReviews(source: source, giveBack: { given.yield() })
        let pages = try (0..<400).map { try #require(live.watch("film:\(1 + $0 % 9)")) }
        for page in pages.prefix(300) { page.leave() }
        #expect(live.counts == (100, 9))
        for await _ in times { break }
        for page in pages { page.leave() }
        #expect(live.counts == (0, 0))
    }

    @Test func thereIsNoRoomForAnyNumberOfPages() throws {
        let site = Self.site(service, hasSubscriptions: false, logs)
        var pages = try watches(2_000, "film:4", of: site)
        #expect(site.live.watch("film:4") == nil)
        pages.removeLast().leave()
        #expect(site.live.watch("film:4") != nil)
        for page in pages { page.leave() }
    }
}
