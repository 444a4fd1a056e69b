import HTTPTypes
import Hummingbird
import Memory
import ServiceLifecycle
import Synchronization

/// Sends the reviews of a film to pages that are open, whenever they have changed (server-sent events).
///
/// All pages of one film share a ``ReviewFeed``: it begins with the first of them and ends with the last, and what it
/// draws once is sent to all. State: guarded by a lock of its own, a leaf.
final class LiveReviews: Sendable {
    /// One page that is open.
    struct Watch: Sendable {
        let events: AsyncStream<[UInt8]>
        /// Ends the events. The end of the task that reads them does so too.
        let leave: @Sendable () -> Void
    }

    private struct Film {
        /// Tells a feed from an earlier one of the same film.
        let number: Int
        let feed: Task<Void, Never>
        var pages: [Int: Page] = [:]
        var newest: [UInt8]?
    }

    private struct Page {
        let events: AsyncStream<[UInt8]>.Continuation
        let end: ContinuousClock.Instant
    }

    private struct State {
        var films: [String: Film] = [:]
        var pages = 0
        /// The most pages since memory was given back.
        var peak = 0
        var lastNumber = 0

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    private static let most = 2_000
    /// When three quarters of as many pages have ended, the memory that was theirs is given back to the system.
    private static let many = 400
    private static let stillHere = Array(": still here\n\n".utf8)

    private let source: ReviewSource
    private let heartbeat: Duration
    /// The time after which a stream ends, more or less; a browser that is still there connects again. Of one that
    /// reads nothing, the system takes small events for a long time.
    private let lifetime: Duration
    /// Gives the memory of pages that have ended back to the system.
    private let giveBack: @Sendable () -> Void
    private let state = Mutex(State())

    init(
        source: ReviewSource, heartbeat: Duration = .seconds(15), lifetime: Duration = .seconds(30 * 60),
        giveBack: @escaping @Sendable () -> Void = { memory_give_back() }
    ) {
        (self.source, self.heartbeat, self.lifetime) = (source, heartbeat, lifetime)
        self.giveBack = giveBack
    }

    deinit { for film in state.withLock(\.films).values { film.feed.cancel() } }

    /// The number of pages that are open, and of feeds.
    var counts: (pages: Int, feeds: Int) { state.withLock { ($0.pages, $0.films.count) } }

    func response(to request: Request, _ id: String) -> Response {
        guard let watch = watch(id) else {
            return Response(status: .serviceUnavailable, headers: [.retryAfter: "60"])
        }
        let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        let body = ResponseBody { writer in
            // A browser that leaves is noticed at once, and one that is lost by a heartbeat that cannot be sent. The
            // stream ends with the server too; the browser connects again, to whoever answers then.
            defer { watch.leave() }
            try await request.body.consumeWithInboundCloseHandler { _ in
                for await event in watch.events.cancelOnGracefulShutdown() {
                    try await writer.write(ByteBuffer(bytes: event))
                }
                try await writer.finish(nil)
            } onInboundClosed: {
                watch.leave()
            }
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// Begins to watch a film; nil if there are too many pages.
    func watch(_ id: String) -> Watch? {
        let (events, page) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(4))
        page.yield(Self.stillHere)
        let end = ContinuousClock.now + lifetime * Double.random(in: 0.8...1.2)
        let number = state.withLock { state -> Int? in
            guard state.pages < Self.most else { return nil }
            let number = state.nextNumber()
            var film = state.films[id] ?? begin(id, state.nextNumber())
            film.pages[number] = Page(events: page, end: end)
            if let newest = film.newest { page.yield(newest) }
            state.films[id] = film
            state.pages += 1
            state.peak = max(state.peak, state.pages)
            return number
        }
        guard let number else { return nil }
        page.onTermination = { [weak self] _ in self?.remove(number, from: id) }
        return Watch(events: events, leave: { page.finish() })
    }

    private func remove(_ number: Int, from id: String) {
        let (ended, hasManyEnded) = state.withLock { state -> (Film?, Bool) in
            guard state.films[id]?.pages.removeValue(forKey: number) != nil else { return (nil, false) }
            state.pages -= 1
            let hasManyEnded = state.peak >= Self.many && state.pages <= state.peak / 4
            if hasManyEnded { state.peak = state.pages }
            return (state.films[id]?.pages.isEmpty == true ? state.films.removeValue(forKey: id) : nil, hasManyEnded)
        }
        ended?.feed.cancel()
        guard hasManyEnded else { return }
        Task { [giveBack] in
            // Their connections end a moment later.
            try? await Task.sleep(for: .seconds(2))
            giveBack()
        }
    }

    // MARK: - Feeds

    private func begin(_ id: String, _ number: Int) -> Film {
        let send = { @Sendable [weak self] (event: [UInt8], isNewest: Bool) in
            self?.send(event, number, id, isNewest: isNewest)
        }
        let beat = { @Sendable [weak self] in self?.beat(number, id) }
        let feed = Task { [source, heartbeat] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await ReviewFeed(id, source) { send($0, true) }.run() }
                group.addTask {
                    while (try? await Task.sleep(for: heartbeat)) != nil { beat() }
                }
            }
        }
        return Film(number: number, feed: feed)
    }

    private func send(_ event: [UInt8], _ number: Int, _ id: String, isNewest: Bool) {
        let pages = state.withLock { state -> [AsyncStream<[UInt8]>.Continuation] in
            guard let film = state.films[id], film.number == number else { return [] }
            if isNewest { state.films[id]?.newest = event }
            return film.pages.values.map(\.events)
        }
        for page in pages { page.yield(event) }
    }

    /// Ends the streams whose time has come, and says to the others that the site is still here.
    private func beat(_ number: Int, _ id: String) {
        let now = ContinuousClock.now
        let ended = state.withLock { state in
            guard let film = state.films[id], film.number == number else { return [] as [Page] }
            return film.pages.values.filter { $0.end <= now }
        }
        for page in ended { page.events.finish() }
        send(Self.stillHere, number, id, isNewest: false)
    }
}
