@testable import Baton

/// A network in which the test gives every response and every event, in any order.
///
/// A request waits for the test whenever the runtime asks for its next response. So nothing is on its way between the
/// network and the runtime once all requests in flight wait.
final class PlayedNetwork: NetworkLayer {
    private struct Waiting {
        let request: NetworkRequest
        let continuation: CheckedContinuation<NetworkResponse?, any Error>
    }

    private struct State {
        var sent: [NetworkRequest] = []
        var waiting: [Int: Waiting] = [:]
        var begun: Set<Int> = []
        var cancelled: Set<Int> = []
    }

    private let state = Guarded(State())

    /// Every request that was sent, in order.
    var sent: [NetworkRequest] { state.withLock { $0.sent } }
    /// The requests that wait for a response, in the order in which they were made.
    var waiting: [NetworkRequest] {
        state.withLock { state in state.waiting.values.map(\.request).sorted { $0.id < $1.id } }
    }

    func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw Unreachable() }

    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        AsyncThrowingStream { [self] in try await next(of: request) }
    }

    private func next(of request: NetworkRequest) async throws -> NetworkResponse? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.begun.insert(request.id).inserted { state.sent.append(request) }
                    if state.cancelled.contains(request.id) { return true }
                    state.waiting[request.id] = Waiting(request: request, continuation: continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            state.withLock { state in
                state.cancelled.insert(request.id)
                return state.waiting.removeValue(forKey: request.id)
            }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Gives a waiting request its response, or an event.
    func give(_ json: String, to request: NetworkRequest) {
        take(request)?.resume(
            returning: NetworkResponse(body: Array(json.utf8), hasNext: request.kind == .subscription))
    }

    /// Lets a waiting request fail.
    func fail(_ request: NetworkRequest) { take(request)?.resume(throwing: Unreachable()) }

    /// Ends the stream of a waiting request.
    func complete(_ request: NetworkRequest) { take(request)?.resume(returning: nil) }

    private func take(_ request: NetworkRequest) -> CheckedContinuation<NetworkResponse?, any Error>? {
        state.withLock { $0.waiting.removeValue(forKey: request.id) }?.continuation
    }
}

extension NetworkRequest {
    func text(_ name: String) -> String? {
        if case .string(let text)? = variables.first(where: { $0.name == name })?.value { text } else { nil }
    }

    func number(_ name: String) -> Int? {
        if case .int(let number)? = variables.first(where: { $0.name == name })?.value { number } else { nil }
    }

    /// The operation and its variables, by which a request is known.
    var title: String { operationName + JSONValue.object(variables).canonicalText }
}
