import Baton
import Synchronization

/// The network of the program: it counts, and tells the rate limit and whether the service can be reached.
final class Traffic: NetworkLayer {
    struct State: Sendable {
        var requests = 0
        var inFlight = 0
        var remaining: Int?
        var limit: Int?
        /// Why the service cannot be reached; nil while it can.
        var outage: String?
    }

    private let base: any NetworkLayer
    private let content = Mutex(State())
    private let observer = Mutex<@Sendable (_ isOutage: Bool) -> Void>({ _ in })

    init(_ base: any NetworkLayer) { self.base = base }

    var state: State { content.withLock { $0 } }

    /// Sets a closure that is called after each change of the state, and told whether an outage has just begun.
    func observe(_ changed: @escaping @Sendable (_ isOutage: Bool) -> Void) { observer.withLock { $0 = changed } }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        change { ($0.requests, $0.inFlight) = ($0.requests + 1, $0.inFlight + 1) }
        do {
            let response = try await base.send(request)
            let headers = response.metadata
            change { state in
                state.inFlight -= 1
                state.outage = nil
                state.remaining = headers["x-ratelimit-remaining"].flatMap { Int($0) } ?? state.remaining
                state.limit = headers["x-ratelimit-limit"].flatMap { Int($0) } ?? state.limit
            }
            return response
        } catch {
            change { state in
                state.inFlight -= 1
                if let reason = Self.outage(error) { state.outage = reason }
            }
            throw error
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let isOutage = content.withLock { state in
            let wasOutage = state.outage != nil
            body(&state)
            return state.outage != nil && !wasOutage
        }
        observer.withLock { $0 }(isOutage)
    }

    /// Why the service cannot be reached; nil for an error that it has answered, and for a request that was given up.
    private static func outage(_ error: any Error) -> String? {
        switch error {
        case is CancellationError, RelayError.cancelled: nil
        case RelayError.httpStatus(let status, _, _): status >= 500 ? "the server answers \(status)" : nil
        case let error as RelayError: error.underlying.map { "\($0)" } ?? error.description
        default: "\(error)"
        }
    }
}
