public import Baton

/// The end of a request, as the steps in front of the network see it.
public enum RequestEnd: Sendable, Equatable {
    /// The last response was delivered, or the stream of a subscription ended.
    case answered
    /// The request failed.
    case failed(RelayError)
    /// The request was cancelled.
    case cancelled
}

extension RequestEnd {
    /// The name of the failure without texts of the server, which may repeat variables; nil if there is no failure.
    var failureName: String? {
        switch self {
        case .answered: nil
        case .cancelled: "cancelled"
        case .failed(let error): error.safeName
        }
    }
}

extension RelayError {
    /// The kind of the error, without text of the server.
    var safeName: String {
        if let status = answeredStatus { return "HTTP status \(status)" }
        return switch reason {
        case .transport(let error as any QuietError): "\(type(of: error)): \(error.quietDescription)"
        case .transport(let error): "\(type(of: error))"
        case .contentType: "a content type that is not JSON"
        case .invalidResponse: "no GraphQL response"
        case .noData: "errors without data"
        case .hasErrors: "errors"
        case .noResponse: "no response"
        case .timedOut(let time): "no response within \(time)"
        case .configuration: "a request that cannot be sent"
        case .cancelled: "cancelled"
        default: "an error before or after the network"
        }
    }
}

/// Counts the responses on their way to the caller, and names the outcome of the request.
///
/// State: guarded by a lock of its own, a leaf.
final class DeliveryCount: Sendable {
    private struct State {
        var responses = 0
        var bytes = 0
        var isComplete = false
    }

    private let state = Guarded(State())

    var responses: Int { state.withLock(\.responses) }
    var bytes: Int { state.withLock(\.bytes) }

    func add(_ response: NetworkResponse) {
        state.withLock { state in
            state.responses += 1
            state.bytes += response.body.count
            state.isComplete = !response.hasNext
        }
    }

    /// The outcome of the request, given the error of the step behind. A cancellation after the last response is no
    /// failure, because the caller may cancel the request at that time.
    func outcome(of kind: OperationKind, _ error: (any Error)?) -> RequestEnd {
        if state.withLock(\.isComplete) { return .answered }
        guard let error else {
            return kind == .subscription || responses > 0 ? .answered : .failed(.noResponse)
        }
        let failure = RelayError(ofStep: error)
        return failure == .cancelled || Task.isCancelled ? .cancelled : .failed(failure)
    }

    /// Runs a request and counts its responses. Calls `received` before each delivery, and `ended` once.
    static func watching(
        _ request: NetworkRequest, next: NetworkInterceptor.Next, deliver: @escaping NetworkInterceptor.Deliver,
        received: @escaping @Sendable (NetworkResponse) -> Void = { _ in },
        ended: (RequestEnd, DeliveryCount) -> Void
    ) async throws {
        let count = DeliveryCount()
        do {
            try await next(request) { response in
                received(response)
                try await deliver(response)
                count.add(response)
            }
        } catch {
            ended(count.outcome(of: request.kind, error), count)
            throw error
        }
        ended(count.outcome(of: request.kind, nil), count)
    }
}
