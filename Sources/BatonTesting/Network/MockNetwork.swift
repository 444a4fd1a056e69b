public import Baton

/// A network whose requests wait until the test answers them.
///
/// Requests are kept in the order in which they came. A request leaves `pending` when it is answered, or when its task
/// is cancelled. Every method may be called from any thread.
///
/// In debug builds the network writes two mistakes of a test to standard error, once for each place: data for a request
/// (``MockRequest/respond(data:errors:hasNext:)``) that lacks a selected field or has another one, and a request that
/// nobody has looked at until the end of the network.
public final class MockNetwork: NetworkLayer {
    private struct State {
        /// The numbers of the requests that the test has seen or the network has no longer to tell of.
        var seen: Set<Int> = []
        var notes: Set<String> = []
        var sent: [NetworkRequest] = []
        var pending: [MockRequest] = []
        /// The index in `sent` of the first request that `nextRequest` may still return.
        var taken = 0
        var waiters: [(id: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var waiterCount = 0
    }

    private let state = Guarded(State())

    /// Makes a network without requests.
    public init() { RequestScope.watch() }

    /// Every request that was sent, answered or not, in the order of sending.
    public var requests: [NetworkRequest] {
        state.withLock { state in
            state.seen.formUnion(state.sent.indices)
            return state.sent
        }
    }

    /// The requests that wait for a response, oldest first.
    public var pending: [MockRequest] {
        state.withLock { state in
            state.seen.formUnion(state.pending.map(\.number))
            return state.pending
        }
    }

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
            state.seen.insert(request.number)
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
        let exchange = MockExchange(owner: RequestScope.owner)
        let number = state.withLock { state in
            let number = state.sent.count
            state.sent.append(request)
            state.pending.append(MockRequest(request: request, number: number, network: self, exchange: exchange))
            return number
        }
        exchange.begin()
        let reader = MockReader(exchange) { [weak self] in self?.remove(number) }
        resume { _ in true }
        return AsyncThrowingStream { try await reader.next() }
    }

    deinit {
        #if DEBUG
            for request in unseen {
                note(
                    "the \(request.kind.rawValue) '\(request.operationName)', request \(request.id), was neither "
                        + "answered nor looked at until the end of its MockNetwork: answer it, 'try await "
                        + "network.nextRequest().respond(data:)', or look at 'network.pending'")
            }
        #endif
    }

    /// The requests that the test has neither answered nor looked at.
    var unseen: [NetworkRequest] {
        state.withLock { state in state.sent.indices.filter { !state.seen.contains($0) }.map { state.sent[$0] } }
    }

    /// What was written to standard error.
    var notes: Set<String> { state.withLock(\.notes) }

    /// Writes a mistake of the test, once.
    func note(_ text: String) {
        #if DEBUG
            if state.withLock({ $0.notes.insert(text).inserted }) { KitNote.write(text) }
        #endif
    }

    /// Writes what the data of an answer lacks, or has and the request does not select.
    func noteDifferences(of data: JSONValue, from request: NetworkRequest) {
        #if DEBUG
            for difference in request.artifact?.differences(of: data) ?? [] {
                note(
                    "the test's answer to the \(request.kind.rawValue) '\(request.operationName)' \(difference); "
                        + "'respond(body:)' takes an answer that is so on purpose")
            }
        #endif
    }

    /// Removes a request from `pending`; returns false if it has left already.
    @discardableResult
    fileprivate func remove(_ number: Int) -> Bool {
        state.withLock { state -> MockRequest? in
            guard let index = state.pending.firstIndex(where: { $0.number == number }) else { return nil }
            return state.pending.remove(at: index)
        } != nil
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
    fileprivate let network: MockNetwork
    fileprivate let exchange: MockExchange

    /// The variables of the request, as an object.
    public var variables: JSONValue { .object(request.variables) }

    /// Whether the request still waits for a response: it is not answered, and its task is not cancelled.
    public var isPending: Bool { network.isPending(number) }

    /// Answers with `data` and `errors`; with `hasNext`, the test may give further answers.
    ///
    /// The data has the fields that the operation selects, as that of a server has. In debug builds standard error is
    /// told of a field that is missing or was not selected. Data that is so on purpose is for ``respond(body:)``.
    public func respond(data: JSONValue, errors: [JSONValue] = [], hasNext: Bool = false) {
        network.noteDifferences(of: data, from: request)
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
            exchange.give(response)
        } else if network.remove(number) {
            exchange.give(response, end: .success(()))
        }
    }

    /// Ends the request after the responses that it got.
    public func complete() {
        if network.remove(number) { exchange.give(nil, end: .success(())) }
    }

    /// Makes the request fail with an error.
    public func fail(_ error: any Error) {
        if network.remove(number) { exchange.give(nil, end: .failure(error)) }
    }
}
