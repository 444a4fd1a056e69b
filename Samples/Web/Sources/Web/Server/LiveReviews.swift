import Baton
import HTML
import HTTPTypes
import Hummingbird
import ServiceLifecycle
import StarWarsComponents
import Synchronization

/// Sends the reviews of a film to pages that are open, whenever they have changed (server-sent events).
///
/// The schema has no subscription, so the shared environment asks again every few seconds as long as somebody looks on:
/// once for all who do.
final class LiveReviews: Sendable {
    private static let (interval, heartbeat, most) = (Duration.seconds(2), Duration.seconds(15), 2_000)

    private let site: Site
    private let open = Atomic(0)

    init(site: Site) { self.site = site }

    func response(_ id: String) -> Response {
        guard open.load(ordering: .relaxed) < Self.most else { return Response(status: .serviceUnavailable) }
        let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        let body = ResponseBody { [self] writer in
            open.add(1, ordering: .relaxed)
            defer { open.subtract(1, ordering: .relaxed) }
            // The stream ends with the server; the browser connects again, to whoever answers then.
            for await event in events(id).cancelOnGracefulShutdown() {
                try await writer.write(ByteBuffer(bytes: event))
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// The events of one connection: the reviews, and now and then a comment, by which a lost connection is noticed.
    private func events(_ id: String) -> AsyncStream<[UInt8]> {
        let environment = site.shared.environment
        let reviews = QueryHandle<FilmReviewsQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        reviews.poll(every: Self.interval)
        let frames = environment.frames { () -> HTML? in
            guard let film = reviews.get(id: id).data?.film else { return nil }
            return FilmReviews.render(film.fragments.filmReviews_film, id, in: environment)
        }
        let (events, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(4))
        let tasks = [
            Task {
                for await case let html? in frames { continuation.yield(Self.event(html)) }
            },
            Task {
                while true {
                    continuation.yield(Array(": still here\n\n".utf8))
                    do { try await Task.sleep(for: Self.heartbeat) } catch { return }
                }
            },
        ]
        continuation.onTermination = { _ in for task in tasks { task.cancel() } }
        return events
    }

    /// An event has one line of data for each line of the piece (HTML standard, section 9.2).
    private static func event(_ html: HTML) -> [UInt8] {
        let lines = html.text.split(whereSeparator: \.isNewline).map { "data: \($0)\n" }
        return Array("event: reviews\n\(lines.joined())\n".utf8)
    }
}
