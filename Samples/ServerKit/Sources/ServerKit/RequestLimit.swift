public import Baton
import Synchronization

/// Sends a bounded number of requests at once, and lets a bounded number of others wait for their turn.
///
///     let limit = RequestLimit(32)
///     let network = HTTPNetwork(url: endpoint).intercepted(by: cache, limit)
///
/// Three hundred visitors who ask for three hundred different things at the same moment would else be three hundred
/// requests to the GraphQL server at the same moment. Put it behind a cache, whose responses take no place. Requests
/// take their turn in the order in which they came. One that is cancelled leaves the queue. A request that finds the
/// queue full fails at once with ``Full``, of which `RelayError.publicFailure` makes a 503. Subscriptions are not
/// counted, since they last.
///
/// A request that is cancelled after it was sent fails at once, and keeps its place until the server answers: hardly a
/// server notices that nobody waits any more, and visitors who lose their patience would else send it ever more work.
/// So the network needs a timeout of its own, as `HTTPNetwork` has one.
///
/// State: guarded by a lock of its own, a leaf.
public final class RequestLimit: NetworkInterceptor {
    /// The error of a request for which there was no room in the queue. It was not sent.
    public struct Full: TransportError, Hashable, CustomStringConvertible {
        /// Makes the error.
        public init() {}

        /// What happened.
        public var description: String { "too many requests wait for the server" }
        /// What to do about it.
        public var advice: String { "Try again in a moment, or allow more requests at once." }
        /// 503: there is too much to do.
        public var gatewayStatus: Int { 503 }
    }

    private struct State {
        var running = 0
        var queue: [(number: Int, turn: CheckedContinuation<Void, any Error>)] = []
        var last = 0
        /// Requests that were cancelled before they stood in the queue.
        var cancelled: Set<Int> = []
    }

    private let most: Int
    private let mostWaiting: Int
    private let state = Mutex(State())

    /// Makes a limit.
    ///
    /// - Parameters:
    ///   - most: The number of requests that are under way at most; at least one.
    ///   - mostWaiting: The number of those that wait; eight times as many without it.
    public init(_ most: Int, waiting mostWaiting: Int? = nil) {
        self.most = max(1, most)
        self.mostWaiting = max(0, mostWaiting ?? self.most.multipliedReportingOverflow(by: 8).partialValue)
    }

    /// The numbers of requests that are under way, and that wait.
    public var counts: (running: Int, waiting: Int) { state.withLock { ($0.running, $0.queue.count) } }

    /// Sends the request on when it is its turn.
    public func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
        guard request.kind != .subscription else { return try await next(request, deliver) }
        try await enter()
        let sending = Sending()
        let work = Task { [self] in
            let result: Result<Void, any Error>
            do {
                try await next(request) { response in
                    guard sending.answer() else { throw CancellationError() }
                    try await deliver(response)
                }
                result = .success(())
            } catch {
                result = .failure(error)
            }
            leave()
            sending.end(result)
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { sending.wait($0) }
        } onCancel: {
            if !sending.cancel() { work.cancel() }
        }
    }

    private func enter() async throws {
        let number = state.withLock { state -> Int? in
            if state.running < most {
                state.running += 1
                return nil
            }
            state.last += 1
            return state.last
        }
        guard let number else { return }
        defer { state.withLock { _ = $0.cancelled.remove(number) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { turn in
                let result = state.withLock { stand(number, turn, in: &$0) }
                if let result { turn.resume(with: result) }
            }
        } onCancel: {
            let turn = state.withLock { state -> CheckedContinuation<Void, any Error>? in
                guard let place = state.queue.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.queue.remove(at: place).turn
            }
            turn?.resume(throwing: CancellationError())
        }
    }

    /// Puts a request into the queue; returns the outcome if it needs not wait.
    private func stand(
        _ number: Int, _ turn: CheckedContinuation<Void, any Error>, in state: inout State
    ) -> Result<Void, any Error>? {
        if state.cancelled.contains(number) { return .failure(CancellationError()) }
        if state.running < most {
            state.running += 1
            return .success(())
        }
        guard state.queue.count < mostWaiting else { return .failure(Full()) }
        state.queue.append((number, turn))
        return nil
    }

    /// Gives the place to who waits for the longest time.
    private func leave() {
        let turn = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard !state.queue.isEmpty else {
                state.running -= 1
                return nil
            }
            return state.queue.removeFirst().turn
        }
        turn?.resume()
    }
}
