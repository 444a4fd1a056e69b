public import Baton

/// One network made of several: a function chooses where a request goes.
///
///     let network = SplitNetwork(queries: http, subscriptions: socket)
///
/// The function is called once for each request, while no lock is held. The request's context can say what it needs.
public struct SplitNetwork: NetworkLayer {
    private let network: @Sendable (NetworkRequest) -> any NetworkLayer

    /// Makes a network that sends a request to the one that `choose` returns.
    public init(_ choose: @escaping @Sendable (NetworkRequest) -> any NetworkLayer) {
        network = choose
    }

    /// Makes a network that chooses by the kind of operation; mutations go where queries go unless they have a network
    /// of their own.
    public init(
        queries: any NetworkLayer, mutations: (any NetworkLayer)? = nil, subscriptions: any NetworkLayer
    ) {
        network = { request in
            switch request.kind {
            case .query: queries
            case .mutation: mutations ?? queries
            case .subscription: subscriptions
            }
        }
    }

    /// Sends the request to its network.
    public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        try await network(request).send(request)
    }

    /// Returns the responses of the request's network.
    public func responses(to request: NetworkRequest) -> AsyncThrowingStream<NetworkResponse, any Error> {
        network(request).responses(to: request)
    }
}
