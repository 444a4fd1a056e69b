import Synchronization

/// Carries a request to a GraphQL service and brings the responses back.
///
/// A transport that gets one response for each request implements only `send`. It is called while no lock is held, on
/// no particular thread, several times concurrently. Its task is cancelled when nobody waits for the response any more;
/// the transport should then stop and throw.
///
/// A thrown ``RelayError`` reaches the caller as it is; any other error becomes ``RelayError/transport(_:)``.
public protocol NetworkLayer: Sendable {
    /// Sends the request and waits for its only response; throws where there is none.
    func send(_ request: NetworkRequest) async throws -> NetworkResponse

    /// Sends the request and returns all its responses as a stream.
    ///
    /// ``RelayEnvironment`` calls this method once for each request. The request is over after the first response whose
    /// ``NetworkResponse/hasNext`` is false. A stream of a query or mutation that ends before fails the request, with
    /// ``RelayError/StreamError/closedEarly(responses:bytes:)`` or, without any response, with
    /// ``RelayError/noResponse``. The end of a subscription's stream is the end of the subscription. The default
    /// implementation gives the response of `send`, which it calls when the stream is first read, in the reading task.
    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error>
}

extension NetworkLayer {
    /// Returns a stream of one response: the result of `send`.
    public func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        let owner = RequestScope.owner
        let isSent = Atomic(false)
        return AsyncThrowingStream {
            if isSent.exchange(true, ordering: .relaxed) { return nil }
            return try await RequestScope.run(countedIn: owner) { try await send(request) }
        }
    }
}
