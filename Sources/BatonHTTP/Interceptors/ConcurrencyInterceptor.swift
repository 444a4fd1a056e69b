public import Baton

/// The key of a request's priority in its context. Of the requests that wait, the one with the highest priority goes
/// first.
///
///     configuration.context[RequestPriority.self] = 10
public enum RequestPriority: RequestContextKey {
    /// The priority of requests that have none.
    public static let defaultValue = 0
    /// False: the priority of a request does not affect its response.
    public static var affectsResponse: Bool { false }
}

/// Lets at most a number of requests through at a time; further requests wait.
///
/// ### Behavior
///
/// - Of the waiting requests, the one with the highest ``RequestPriority`` goes first. Requests of equal priority go in
///   their order. A request of a low priority waits as long as requests of higher priorities keep coming.
/// - A request keeps its place until its last response has been taken.
/// - Subscriptions are not counted and never wait, because they last.
/// - Requests that `load` or `refresh` of an ``AuthenticationInterceptor`` makes are not counted and never wait either,
///   because the requests with places may wait for them.
/// - A request that is cancelled while it waits gives up its turn.
public final class ConcurrencyInterceptor: NetworkInterceptor {
    private struct State {
        var line: RequestLine
        var lastID = 0
        var continuations: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state: Guarded<State>

    /// Makes an interceptor that lets `limit` requests through at a time, at least one.
    public init(limit: Int) {
        state = Guarded(State(line: RequestLine(places: limit)))
    }

    /// The number of requests that wait now.
    public var waiting: Int { state.withLock { $0.continuations.count } }

    /// Waits for a place and sends the request.
    public func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        guard request.kind != .subscription, !SharedCredential.isRenewing
        else { return try await next(request, deliver) }
        try await enter(priority: request.configuration.context[RequestPriority.self])
        defer { leave() }
        try await next(request, deliver)
    }

    private func enter(priority: Int) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let early: Result<Void, any Error>? = state.withLock { state in
                    // The cancellation handler may have run already.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.line.enter(id, priority: priority) { return .success(()) }
                    state.continuations[id] = continuation
                    return nil
                }
                if let early { continuation.resume(with: early) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.line.giveUp(id) ? state.continuations.removeValue(forKey: id) : nil
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    private func leave() {
        let next = state.withLock { state in
            state.line.leave().flatMap { state.continuations.removeValue(forKey: $0) }
        }
        next?.resume()
    }
}
