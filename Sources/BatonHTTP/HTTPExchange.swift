import Baton
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One HTTP request on its way: collects what the session reports and ends once, with an answer or an error.
final class HTTPExchange: Sendable {
    private let state: Guarded<State>

    private struct State {
        var continuation: CheckedContinuation<HTTPAnswer, any Error>?
        var outcome: Result<HTTPAnswer, any Error>?
        var body: [UInt8] = []
        /// The beginning counts as progress too.
        var hasProgressed = true
        let maximumBodySize: Int

        /// Keeps the first outcome and gives the continuation to resume.
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

    /// Whether anything has arrived since this was last asked.
    var hasProgressed: Bool {
        state.withLock { state in
            defer { state.hasProgressed = false }
            return state.hasProgressed
        }
    }

    /// Waits for the end; there is one who waits.
    func answer() async throws -> HTTPAnswer {
        try await withCheckedThrowingContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.continuation = continuation }
                return state.outcome
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    /// The head has arrived; false if the body would be too large.
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

    /// A part of the body has arrived; false if it is too large now.
    func receive(_ data: Data) -> Bool {
        let (isFine, continuation) = state.withLock { state -> (Bool, CheckedContinuation<HTTPAnswer, any Error>?) in
            state.hasProgressed = true
            // Whoever ended it has cancelled the task as well.
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

    /// The session is done with the request.
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
