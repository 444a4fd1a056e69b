/// A step between the environment and a network. It may change a request, answer it, send it again, or change its
/// responses.
///
/// `intercept` is called once for each request, while no lock is held, on no particular thread, for several requests
/// concurrently. Its task is cancelled when nobody waits for the responses any more. An error that it throws fails the
/// request.
///
///     struct Tracing: NetworkInterceptor {
///         func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws {
///             var request = request
///             request.configuration.headers["traceparent"] = newTrace()
///             try await next(request, deliver)
///         }
///     }
///
/// `intercepted(by:)` of a ``NetworkLayer`` puts interceptors in front of a network.
public protocol NetworkInterceptor: Sendable {
    /// Takes a response on its way to the caller. It returns when the caller has taken the response, so that a slow
    /// caller slows the network and no responses pile up. It throws `CancellationError` when nobody waits any more.
    typealias Deliver = @Sendable (NetworkResponse) async throws -> Void
    /// Sends a request to the steps after this one. It delivers every response and returns after the last one.
    typealias Next = @Sendable (NetworkRequest, @escaping Deliver) async throws -> Void

    /// Answers a request, usually with the responses of `next`.
    ///
    /// The request is over when this method returns or throws. It may call `next` any number of times.
    func intercept(_ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver) async throws
}

extension NetworkLayer {
    /// Returns a network whose requests pass these interceptors in the order written, and then go to this network.
    public func intercepted(by interceptors: any NetworkInterceptor...) -> some NetworkLayer {
        InterceptedNetwork(self, interceptors)
    }

    /// Returns a network whose requests pass these interceptors in the order of the array, and then go to this network.
    public func intercepted(by interceptors: [any NetworkInterceptor]) -> some NetworkLayer {
        InterceptedNetwork(self, interceptors)
    }

    /// Sends a request, delivers each of its responses, and returns after the last one.
    public func deliver(
        _ request: NetworkRequest, to deliver: NetworkInterceptor.Deliver
    ) async throws {
        for try await response in responses(to: request) {
            try await deliver(response)
            if !response.hasNext { return }
        }
        try Task.checkCancellation()
    }
}
