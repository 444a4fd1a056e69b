import Baton

/// A network whose answers the test gives one by one.
final class ScriptedNetwork: NetworkLayer {
    private struct State {
        var sent: [NetworkRequest] = []
        var cancelled: Set<Int> = []
        var waiting: [Int: CheckedContinuation<NetworkResponse, any Error>] = [:]
    }

    private let state = Guarded(State())

    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    state.sent.append(request)
                    if state.cancelled.contains(request.id) { return true }
                    state.waiting[request.id] = continuation
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            state.withLock { state in
                state.cancelled.insert(request.id)
                return state.waiting.removeValue(forKey: request.id)
            }?.resume(throwing: CancellationError())
        }
    }

    /// Every request that was sent, in order.
    var sent: [NetworkRequest] { state.withLock { $0.sent } }
    /// The number of requests that wait for a response.
    var waiting: Int { state.withLock { $0.waiting.count } }
    /// The number of cancelled requests.
    var cancelled: Int { state.withLock { $0.cancelled.count } }

    /// Answers the oldest waiting request.
    func answer(_ json: String) {
        take()?.resume(returning: NetworkResponse(body: Array(json.utf8)))
    }

    /// Answers the oldest waiting request with what is made for it.
    func answer(_ make: (NetworkRequest) -> String) {
        // The tasks of two requests may reach the network in either order. The oldest one is that which began first.
        let oldest = state.withLock { state in
            state.sent.filter { state.waiting[$0.id] != nil }.min { $0.id < $1.id }
        }
        if let oldest { answer(make(oldest)) }
    }

    /// Answers the newest waiting request.
    func answerNewest(_ json: String) {
        take(newest: true)?.resume(returning: NetworkResponse(body: Array(json.utf8)))
    }

    /// Lets the oldest waiting request fail.
    func fail(_ error: any Error = Unreachable()) {
        take()?.resume(throwing: error)
    }

    private func take(newest: Bool = false) -> CheckedContinuation<NetworkResponse, any Error>? {
        state.withLock { state in
            guard let id = newest ? state.waiting.keys.max() : state.waiting.keys.min() else { return nil }
            return state.waiting.removeValue(forKey: id)
        }
    }
}

/// The error of a lost connection.
struct Unreachable: Error, CustomStringConvertible {
    var description: String { "no route to host" }
}

/// An environment on a scripted network, with its logged events.
struct Stage {
    let network = ScriptedNetwork()
    let log: EventLog
    let environment: RelayEnvironment

    /// - Parameter provoked: The misuses that the test makes on purpose.
    init(
        provoking provoked: Set<LogEvent.Misuse.Kind> = [], releaseBufferSize: Int = 10,
        missingFieldHandlers: [MissingFieldHandler] = [.node], keepsNewerFields: Bool = true,
        resultSize: Int = StoreOptions.defaultResultSize,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        log = EventLog(provoking: provoked)
        let options = StoreOptions(
            releaseBufferSize: releaseBufferSize, resultSize: resultSize, missingFieldHandlers: missingFieldHandlers,
            keepsNewerFields: keepsNewerFields)
        environment = RelayEnvironment(network: network, options: options, clock: clock) { [log] in log.add($0) }
    }

    /// Waits until every request in flight waits for the test, and no delivery is under way.
    func settle() async {
        while true {
            let counts = environment.activity.counts
            if counts.deliveries == 0 && counts.collections == 0 && counts.requests == network.waiting
                && environment.activity.counts.revision == counts.revision
            {
                return
            }
            await Task.yield()
        }
    }

    /// Waits until nothing is under way, answers the oldest request, and waits again.
    func answer(_ json: String) async {
        await settle()
        network.answer(json)
        await settle()
    }

    /// Waits until nothing is under way, lets the oldest request fail, and waits again.
    func fail(_ error: any Error = Unreachable()) async {
        await settle()
        network.fail(error)
        await settle()
    }

    /// Fetches a query with a given answer.
    func seed<Query: GraphQLQuery>(_ query: Query, _ json: String) async throws
    where Query.ResponseFormat == GeneratedCode.SingleResponse {
        do {
            // The response retains its data until the end of this scope.
            async let response = environment.fetch(query)
            while network.waiting == 0 { await Task.yield() }
            network.answer(json)
            _ = try await response
        }
        await settle()
    }
}
