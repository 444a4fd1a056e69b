import Baton

extension BatchingNetwork {
    /// Makes a network that sends single requests and arrays with a network over HTTP.
    ///
    ///     let network = BatchingNetwork(over: HTTPNetwork(url: endpoint))
    ///
    /// An array is sent like a single request of the other network: with its headers, time limits, redirects and limit
    /// on the size of responses, and with ids where that network sends ids. With `DocumentTransfer.automatic` an array
    /// has the texts of its documents. A response that is neither a success nor an array is a `RelayError.httpStatus`.
    ///
    /// - Parameters:
    ///   - network: The network over HTTP.
    ///   - window: How long a request waits for others.
    ///   - maximumCount: The largest number of requests in an array.
    ///   - batchesMutations: Whether mutations are sent together too.
    ///   - clock: The clock that measures the window.
    public convenience init(
        over network: HTTPNetwork, window: Duration = .milliseconds(10), maximumCount: Int = 10,
        batchesMutations: Bool = false, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(
            network, window: window, maximumCount: maximumCount, batchesMutations: batchesMutations, clock: clock
        ) { try await network.sendTogether($0) }
    }
}
