import Baton
import Synchronization

/// Counts requests, and notes what GitHub's header fields say of the rate limit.
final class RateLimit: NetworkInterceptor {
    struct State: Sendable {
        var requests = 0
        var remaining: Int?
        var limit: Int?
    }

    private let content = Mutex(State())

    var state: State { content.withLock { $0 } }

    func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        content.withLock { $0.requests += 1 }
        try await next(request) { response in
            self.content.withLock { state in
                state.remaining = response.metadata["x-ratelimit-remaining"].flatMap { Int($0) } ?? state.remaining
                state.limit = response.metadata["x-ratelimit-limit"].flatMap { Int($0) } ?? state.limit
            }
            try await deliver(response)
        }
    }
}
