/// A network behind interceptors.
struct InterceptedNetwork: NetworkLayer {
    private let first: NetworkInterceptor.Next

    /// Puts interceptors in front of a network. The first interceptor is the first to get a request.
    init(_ network: any NetworkLayer, _ interceptors: [any NetworkInterceptor]) {
        var next: NetworkInterceptor.Next = { try await network.deliver($0, to: $1) }
        for interceptor in interceptors.reversed() {
            next = { [next] request, deliver in
                try await interceptor.intercept(request, next: next, deliver: deliver)
            }
        }
        first = next
    }

    /// Returns the first response.
    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        for try await response in responses(to: request) { return response }
        try Task.checkCancellation()
        throw RelayError.noResponse
    }

    /// Returns the responses that reach the caller through all interceptors.
    func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        let first = first
        return .delivering { deliver in try await first(request, deliver) }
    }
}
