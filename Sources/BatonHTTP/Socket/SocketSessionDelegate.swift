import Baton
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes the ends of handshakes to the tasks that wait for them.
///
/// State: guarded by one lock, a leaf; continuations are resumed outside of it.
final class SocketSessionDelegate: NSObject, URLSessionWebSocketDelegate {
    private let openings = Guarded<[Int: SocketOpening]>([:])

    func add(_ opening: SocketOpening, for task: URLSessionTask) {
        openings.withLock { $0[task.taskIdentifier] = opening }
    }

    func remove(_ task: URLSessionTask) { openings.withLock { $0[task.taskIdentifier] = nil } }

    private func opening(_ task: URLSessionTask) -> SocketOpening? {
        openings.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol name: String?
    ) {
        opening(webSocketTask)?.end(.success(name.flatMap { $0.isEmpty ? nil : $0 }))
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
        opening(webSocketTask)?.end(.failure(URLError(.networkConnectionLost)))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        opening(task)?.end(.failure(error ?? URLError(.badServerResponse)))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

/// A handshake for which one task waits. Only its first end counts.
///
/// State: guarded by a lock of its own, a leaf; the continuation is resumed outside of it.
final class SocketOpening: Sendable {
    private enum State {
        case begun
        case awaited(CheckedContinuation<String?, any Error>)
        case ended(Result<String?, any Error>)
    }

    private let state = Guarded(State.begun)

    /// Waits for the end of the handshake; returns the subprotocol that the server chose.
    func subprotocol() async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            let outcome = state.withLock { state -> Result<String?, any Error>? in
                if case .ended(let outcome) = state { return outcome }
                state = .awaited(continuation)
                return nil
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    func end(_ outcome: Result<String?, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<String?, any Error>? in
            switch state {
            case .begun:
                state = .ended(outcome)
                return nil
            case .awaited(let continuation):
                state = .ended(outcome)
                return continuation
            case .ended: return nil
            }
        }
        continuation?.resume(with: outcome)
    }
}
