import Baton
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One HTTP request in flight: collects what the session reports, and ends once with an answer or an error.
final class HTTPExchange: Sendable {
    private let state: Guarded<State>

    private struct State {
        var continuation: CheckedContinuation<HTTPAnswer, any Error>?
        var outcome: Result<HTTPAnswer, any Error>?
        var body: [UInt8] = []
        /// True at first: the start of the request counts as progress.
        var hasProgressed = true
        let maximumBodySize: Int

        /// Keeps the first outcome, and returns the continuation that the caller resumes outside the lock.
        mutating func end(_ outcome: Result<HTTPAnswer, any Error>) -> CheckedContinuation<HTTPAnswer, any Error>? {
            guard self.outcome == nil else { return nil }
            self.outcome = outcome
            body = []
            defer { continuation = nil }
            return continuation
        }
    }

    init(maximumBodySize: Int) {
        state = Guarded(State(maximumBodySize: maximumBodySize))
    }

    /// Whether bytes have arrived since this property was last read; reading it resets it.
    var hasProgressed: Bool {
        state.withLock { state in
            defer { state.hasProgressed = false }
            return state.hasProgressed
        }
    }

    /// Waits for the outcome. Only one task may call this.
    func answer() async throws -> HTTPAnswer {
        try await withCheckedThrowingContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.continuation = continuation }
                return state.outcome
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    /// Takes the head of the response; returns false if the announced body is too large.
    func receive(_ response: URLResponse) -> Bool {
        let continuation = state.withLock { state -> CheckedContinuation<HTTPAnswer, any Error>?? in
            state.hasProgressed = true
            guard response.expectedContentLength > Int64(state.maximumBodySize) else { return nil }
            return .some(state.end(.failure(HTTPError.bodyTooLarge(limit: state.maximumBodySize))))
        }
        guard let continuation else { return true }
        continuation?.resume(throwing: HTTPError.bodyTooLarge(limit: state.withLock(\.maximumBodySize)))
        return false
    }

    /// Takes a part of the body; returns false if the body is now too large.
    func receive(_ data: Data) -> Bool {
        let (isFine, continuation) = state.withLock { state -> (Bool, CheckedContinuation<HTTPAnswer, any Error>?) in
            state.hasProgressed = true
            // The code that ended the exchange has also cancelled the task.
            guard state.outcome == nil else { return (true, nil) }
            guard state.body.count + data.count > state.maximumBodySize else {
                state.body.append(contentsOf: data)
                return (true, nil)
            }
            return (false, state.end(.failure(HTTPError.bodyTooLarge(limit: state.maximumBodySize))))
        }
        if !isFine { continuation?.resume(throwing: HTTPError.bodyTooLarge(limit: state.withLock(\.maximumBodySize))) }
        return isFine
    }

    /// Takes the end of the request, as the session reports it.
    func complete(_ response: URLResponse?, _ error: (any Error)?) {
        if let error {
            return fail(error is CancellationError ? error : Self.describe(error))
        }
        guard let response = response as? HTTPURLResponse else { return fail(HTTPError.notHTTP) }
        let continuation = state.withLock { state in
            let answer = HTTPAnswer(
                status: response.statusCode,
                contentType: response.value(forHTTPHeaderField: "Content-Type"),
                location: response.value(forHTTPHeaderField: "Location"),
                body: state.body
            )
            return (state.end(.success(answer)), answer)
        }
        continuation.0?.resume(returning: continuation.1)
    }

    func fail(_ error: any Error) {
        state.withLock { $0.end(.failure(error)) }?.resume(throwing: error)
    }

    private static func describe(_ error: any Error) -> any Error {
        guard let error = error as? URLError else { return error }
        return error.code == .cancelled
            ? CancellationError() : HTTPError.connection(error.code, error.localizedDescription)
    }
}
