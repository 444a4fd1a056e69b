import Baton
import Foundation
import Synchronization

/// Counts requests, and notes what GitHub's header fields say of the rate limit. When nothing is left it sends nothing
/// until the limit begins anew: GitHub would refuse, and may lock out who goes on asking.
final class RateLimit: NetworkInterceptor {
    /// The error of a request that was not sent.
    struct UsedUp: Error, CustomStringConvertible {
        let end: Date

        var description: String { "The rate limit is used up until \(end.timeOfDay)." }
    }

    struct State: Sendable {
        var requests = 0
        var remaining: Int?
        var limit: Int?
        /// The time at which the limit begins anew.
        var resetAt: Date?

        /// True if so little is left that it belongs to what the person does.
        var isLow: Bool {
            guard let remaining, let limit else { return false }
            return remaining * 50 <= limit
        }
    }

    /// Whether little is left, each time that this changes. For one listener.
    let changes: AsyncStream<Bool>
    private let changed: AsyncStream<Bool>.Continuation
    private let content = Mutex(State())
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit { changed.finish() }

    /// What is known. After the time of the reset, nothing is known of what is left.
    var state: State {
        let now = now()
        return content.withLock { state in
            if let end = state.resetAt, end <= now { (state.remaining, state.resetAt) = (nil, nil) }
            return state
        }
    }

    func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        let state = state
        if state.remaining == 0, let end = state.resetAt { throw UsedUp(end: end) }
        content.withLock { $0.requests += 1 }
        try await next(request) { response in
            self.note(response.metadata)
            try await deliver(response)
        }
    }

    private func note(_ fields: [String: String]) {
        guard let remaining = fields["x-ratelimit-remaining"].flatMap({ Int($0) }) else { return }
        let reset = fields["x-ratelimit-reset"].flatMap { Double($0) }.map { Date(timeIntervalSince1970: $0) }
        content.withLock { state in
            // Responses may overtake each other; until the reset it only becomes less.
            let (known, end) = (state.resetAt ?? .distantPast, reset ?? .distantPast)
            let isNewer = state.remaining.map { end > known || end == known && remaining < $0 } ?? true
            guard isNewer else { return }
            let wasLow = state.isLow
            (state.remaining, state.resetAt) = (remaining, reset)
            state.limit = fields["x-ratelimit-limit"].flatMap { Int($0) } ?? state.limit
            if state.isLow != wasLow { changed.yield(state.isLow) }
        }
    }
}

extension Date {
    /// The time as people here say it, to the minute after which it is over.
    var timeOfDay: String {
        let time = Calendar.current.dateComponents([.hour, .minute], from: addingTimeInterval(59))
        let (hour, minute) = (time.hour ?? 0, time.minute ?? 0)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }
}
