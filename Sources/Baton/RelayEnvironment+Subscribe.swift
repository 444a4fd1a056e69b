extension RelayEnvironment {
    /// The number of responses that wait for the reader of a sequence of events.
    private static let eventLimit = 256

    /// Begins a subscription and returns its events. Each event is in the store before it is in the sequence.
    ///
    /// The subscription begins with the call and is cancelled with the sequence. The sequence ends with the stream of
    /// the service. It throws if the subscription fails: for errors of the transport, and for an event that cannot be
    /// read. An event with errors, with or without data, is a response with errors.
    ///
    /// At most 256 responses wait for the reader. After that the oldest response is dropped from the sequence, which is
    /// reported to the log; its data is in the store. Each call makes a subscription of its own.
    ///
    /// ### Behavior
    ///
    /// - The sequence has every event, and ends with the stream of the service.
    /// - A slow reader loses the oldest events, and the log reports the loss.
    /// - A sequence that is no longer read cancels the subscription.
    /// - The response of an older event keeps its data.
    ///
    /// - Parameters:
    ///   - subscription: The subscription and its variables.
    ///   - configuration: The configuration of the request. A subscription has no timeout.
    ///   - update: Runs for each event with data, like the updater of a mutation. If it throws, nothing of the event is
    ///     kept, and the sequence throws ``RelayError/updater(_:)``.
    public func subscribe<Subscription: GraphQLSubscription>(
        _ subscription: Subscription, configuration: RequestConfiguration = RequestConfiguration(),
        update: (@Sendable (RecordSourceProxy, Subscription.Data) throws -> Void)? = nil
    ) -> AsyncThrowingStream<GraphQLResponse<Subscription>, any Error> {
        let operation = store.bind(subscription)
        var call = RequestCall(operation: operation, configuration: configuration)
        if let update {
            call.updater = { proxy, operation in try update(proxy, proxy.answerData(Subscription.Data.self, operation))
            }
        }
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(Self.eventLimit)) { continuation in
            let waiter = Waiter { [self] event in
                switch event {
                case .landed(let payload):
                    let response = GraphQLResponse<Subscription>(
                        payload, of: payload.event ?? operation, in: self)
                    response.content.report()
                    if case .dropped = continuation.yield(response) {
                        emit(.eventDropped(LogEvent.DroppedEvent(operationName: operation.artifact.name)))
                    }
                    if !payload.hasNext { continuation.finish() }
                case .failed(let error): continuation.finish(throwing: error)
                case .completed: continuation.finish()
                case .arriving, .connection: break
                }
            }
            continuation.onTermination = { _ in waiter.cancel() }
            requests.joinOrStart(call, for: waiter)
        }
    }
}
