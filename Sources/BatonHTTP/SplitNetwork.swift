public import Baton

/// A network of several networks: a function chooses one of them for each request.
///
///     let network = SplitNetwork(queries: http, subscriptions: socket)
///
/// The function is called once for each request, while no lock is held. The request's context may hold values for the
/// choice.
public struct SplitNetwork: NetworkLayer {
    private let network: @Sendable (NetworkRequest) -> any NetworkLayer

    /// Makes a network that sends each request over the network that `choose` returns.
    public init(_ choose: @escaping @Sendable (NetworkRequest) -> any NetworkLayer) {
        network = choose
    }

    /// Makes a network that chooses by the kind of operation. Mutations use the network of queries unless they have one
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
