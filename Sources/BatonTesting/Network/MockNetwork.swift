public import Baton

/// A network whose requests wait until the test answers them.
///
/// Requests are kept in the order in which they came. A request leaves `pending` when it is answered, or when its task
/// is cancelled. Every method may be called from any thread.
public final class MockNetwork: NetworkLayer {
    private struct State {
        var sent: [NetworkRequest] = []
        var pending: [MockRequest] = []
        /// The index in `sent` of the first request that `nextRequest` may still return.
        var taken = 0
        var waiters: [(id: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var waiterCount = 0
    }

    private let state = Guarded(State())
    let resting = RestingRequests()

    /// Makes a network without requests.
    public init() { RequestScope.watch() }

    /// Every request that was sent, answered or not, in the order of sending.
    public var requests: [NetworkRequest] { state.withLock(\.sent) }

    /// The requests that wait for a response, oldest first.
    public var pending: [MockRequest] { state.withLock(\.pending) }

    /// The oldest request of an operation that waits for a response; nil if there is none.
    public func pending(_ operationName: String) -> MockRequest? {
        pending.first { $0.request.operationName == operationName }
    }

    /// Waits for a pending request that this method has not returned before, and returns the oldest such request.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled.
    public func nextRequest() async throws -> MockRequest {
        while true {
            try Task.checkCancellation()
            if let request = takeNext() { return request }
            let id = state.withLock { state in
                state.waiterCount += 1
                return state.waiterCount
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isOver = state.withLock { state in
                        if Task.isCancelled || state.pending.contains(where: { $0.number >= state.taken }) {
                            return true
                        }
                        state.waiters.append((id, continuation))
                        return false
                    }
                    if isOver { continuation.resume() }
                }
            } onCancel: {
                resume { $0.id == id }
            }
        }
    }

    private func takeNext() -> MockRequest? {
        state.withLock { state in
            guard let request = state.pending.first(where: { $0.number >= state.taken }) else { return nil }
            state.taken = request.number + 1
            return request
        }
    }

    private func resume(_ isMeant: @Sendable ((id: Int, continuation: CheckedContinuation<Void, Never>)) -> Bool) {
        let waiters = state.withLock { state in
            let waiters = state.waiters.filter(isMeant)
            state.waiters.removeAll(where: isMeant)
            return waiters.map(\.continuation)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits for the first response that the test gives to the request.
    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        for try await response in responses(to: request) { return response }
        try Task.checkCancellation()
        throw RelayError.noResponse
    }

    /// The responses that the test gives to the request.
    public func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        let owner = RequestScope.activity.map(ObjectIdentifier.init)
        return AsyncThrowingStream { continuation in
            let number = state.withLock { state in
                let number = state.sent.count
                state.sent.append(request)
                let mock = MockRequest(
                    request: request, number: number, owner: owner, network: self, continuation: continuation)
                state.pending.append(mock)
                return number
            }
            resting.move([owner], by: 1)
            continuation.onTermination = { [weak self] _ in self?.remove(number) }
            resume { _ in true }
        }
    }

    /// Removes a request from `pending`; returns false if it has left already.
    @discardableResult
    fileprivate func remove(_ number: Int) -> Bool {
        let removed = state.withLock { state -> MockRequest? in
            guard let index = state.pending.firstIndex(where: { $0.number == number }) else { return nil }
            return state.pending.remove(at: index)
        }
        if let removed { resting.move([removed.owner], by: -1) }
        return removed != nil
    }

    fileprivate func isPending(_ number: Int) -> Bool {
        state.withLock { state in state.pending.contains { $0.number == number } }
    }
}

/// A request that waits in a `MockNetwork`.
public struct MockRequest: Sendable {
    /// The request that was sent.
    public let request: NetworkRequest
    fileprivate let number: Int
    fileprivate let owner: ObjectIdentifier?
    fileprivate let network: MockNetwork
    fileprivate let continuation: AsyncThrowingStream<NetworkResponse, any Error>.Continuation

    /// The variables of the request, as an object.
    public var variables: JSONValue { .object(request.variables) }

    /// Whether the request still waits for a response: it is not answered, and its task is not cancelled.
    public var isPending: Bool { network.isPending(number) }

    /// Answers with `data` and `errors`; with `hasNext`, the test may give further answers.
    public func respond(data: JSONValue, errors: [JSONValue] = [], hasNext: Bool = false) {
        respond(members: [.init("data", data)], errors, hasNext: hasNext)
    }

    /// Answers with `errors` and without `data`, as a server does for a request that it has not executed.
    public func respond(errors: [JSONValue]) { respond(members: [], errors, hasNext: false) }

    private func respond(members data: [JSONValue.Member], _ errors: [JSONValue], hasNext: Bool) {
        let members = (errors.isEmpty ? [] : [JSONValue.Member("errors", .array(errors))]) + data
        respond(NetworkResponse(body: JSONValue.object(members).jsonBytes, hasNext: hasNext))
    }

    /// Answers with this body, which may be malformed.
    public func respond(body: String) {
        respond(NetworkResponse(body: Array(body.utf8)))
    }

    /// Answers with a response. A response to a request that no longer waits is ignored.
    public func respond(_ response: NetworkResponse) {
        if response.hasNext {
            continuation.yield(response)
        } else if network.remove(number) {
            continuation.yield(response)
            continuation.finish()
        }
    }

    /// Makes the request fail with an error.
    public func fail(_ error: any Error) {
        if network.remove(number) { continuation.finish(throwing: error) }
    }
}
