import Baton
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Hands what a session reports to the exchanges that it concerns.
///
/// No redirect is followed here: the session would send credentials to any host and forget the body of a POST.
final class HTTPSessionDelegate: NSObject, URLSessionDataDelegate {
    /// By the identifier of the task.
    private let exchanges = Guarded<[Int: HTTPExchange]>([:])

    func add(_ exchange: HTTPExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    /// What still comes for the task is dropped.
    func remove(_ task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = nil }
    }

    private func exchange(of task: URLSessionTask) -> HTTPExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    /// Cancels a task from a thread of its own.
    ///
    /// `cancel()` waits for the session's work queue, which a server that sends without a pause keeps busy, on loopback
    /// for seconds. Called on the delegate's queue it would let everything that arrives meanwhile pile up (4 GB were
    /// seen, where this way it is 35 to 65 MB).
    static func cancel(_ task: URLSessionTask) {
        DispatchQueue.global().async { task.cancel() }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(exchange(of: dataTask)?.receive(response) ?? false ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if exchange(of: dataTask)?.receive(data) == false { Self.cancel(dataTask) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(task.response, error)
    }
}
