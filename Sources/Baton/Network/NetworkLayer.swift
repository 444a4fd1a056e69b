import Synchronization

/// What carries a request to a GraphQL service and brings the answer back.
///
/// `send` is the only requirement for a transport that answers once. It is called off every lock, on no particular
/// thread, several calls at a time. Its task is cancelled when nobody waits for the answer any more; a transport should
/// then stop the work and throw.
///
/// A thrown ``RelayError`` reaches the caller as it is; any other error becomes ``RelayError/transport(_:)``.
public protocol NetworkLayer: Sendable {
    /// Sends the request and waits for the one answer.
    func send(_ request: NetworkRequest) async throws -> NetworkResponse

    /// Sends the request and gives every answer that comes for it.
    ///
    /// This is what ``RelayEnvironment`` calls, once for each request. The request is over with the first response
    /// whose ``NetworkResponse/hasNext`` is false, or when the stream ends. The default gives what `send` returns; it
    /// calls it in the task that asks for the answer, when it does.
    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error>
}

extension NetworkLayer {
    /// One response: what `send` returns.
    public func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        let activity = RequestScope.activity
        let isSent = Atomic(false)
        return AsyncThrowingStream {
            if isSent.exchange(true, ordering: .relaxed) { return nil }
            return try await RequestScope.$activity.withValue(activity) { try await send(request) }
        }
    }
}
