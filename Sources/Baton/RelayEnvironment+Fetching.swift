extension RelayEnvironment {
    /// Fetches a query once.
    ///
    ///     let response = try await environment.fetch(FilmQuery(id: "1"), policy: .storeOrNetwork)
    ///
    /// The policy decides whether the response comes from the network or from the store. The server's errors, with or
    /// without data, are in the response. The method throws if there is no valid response: for errors of the transport,
    /// status, content type, JSON and shape, and if the task is cancelled. Under `storeOnly` it throws
    /// ``RelayError/notInStore(component:)`` unless the store has all of the data; `read` returns incomplete data too.
    ///
    /// A query with `@defer` or `@stream` gets a response in parts, so it is fetched by
    /// ``fetchStream(_:policy:configuration:)``.
    ///
    /// With ``RequestConfiguration/writeResultsToStore`` false the store is not changed. The request is then not
    /// shared, and the response has its own records: read its fragments with ``GraphQLResponse/read(_:)``.
    ///
    /// ### Behavior
    ///
    /// - Errors of the server are in the response, and any other error is thrown.
    /// - A request in flight for the same query is shared, also with handles.
    /// - A cancelled task cancels the request that it alone waits for.
    /// - With `writeResultsToStore` false the response has its own records, and the store stays as it is.
    /// - `networkOrStore` falls back on complete data only.
    /// - `storeOnly` throws unless the store has all of the data.
    public func fetch<Query: GraphQLQuery>(
        _ query: Query, policy: FetchPolicy = .networkOnly, configuration: RequestConfiguration = RequestConfiguration()
    ) async throws(RelayError) -> GraphQLResponse<Query> where Query.ResponseFormat == GeneratedCode.SingleResponse {
        try await fetchLast(query, policy, configuration)
    }

    /// Unavailable, because the response to such a query comes in parts. They can be read through
    /// ``fetchStream(_:policy:configuration:)``.
    @available(*, unavailable, message: "the response comes in parts: use 'fetchStream'")
    public func fetch<Query: GraphQLIncrementalQuery>(
        _ query: Query, policy: FetchPolicy = .networkOnly, configuration: RequestConfiguration = RequestConfiguration()
    ) async throws(RelayError) -> GraphQLResponse<Query> {
        try await fetchLast(query, policy, configuration)
    }

    /// Fetches a query and returns each response that the policy brings: a response from the store, a response for each
    /// part, and the last response of the network.
    ///
    ///     for try await response in environment.fetchStream(FilmPartsQuery()) { show(response.data) }
    ///
    /// Each response has all parts that have arrived so far. A response from the store is in the stream when the method
    /// returns. The request begins soon after the call, and it is cancelled with the stream. The stream throws the
    /// errors of `fetch`. Code that does not know the type of the query takes the last response.
    ///
    /// ### Behavior
    ///
    /// - A query whose response comes in parts gives a response for each part.
    /// - `storeAndNetwork` gives the data of the store first, and then the response of the network.
    public func fetchStream<Query: GraphQLQuery>(
        _ query: Query, policy: FetchPolicy = .networkOnly, configuration: RequestConfiguration = RequestConfiguration()
    ) -> GraphQLResponses<Query> {
        let queue = ResponseQueue<GraphQLResponse<Query>>()
        if policy == .storeAndNetwork,
            let response: GraphQLResponse<Query> = stored(store.bind(query), if: \.isAvailable)
        {
            queue.add(response)
        }
        let task = Task {
            do throws(RelayError) {
                let last = try await fetchLast(query, policy, configuration) { queue.add($0) }
                queue.add(last)
                queue.end(.success(()))
            } catch {
                queue.end(.failure(error))
            }
        }
        return GraphQLResponses(queue) { task.cancel() }
    }

    /// Fetches a query and returns the last response that the policy brings.
    ///
    /// - Parameter part: Gets the responses of the network before the last one.
    func fetchLast<Query: GraphQLQuery>(
        _ query: Query, _ policy: FetchPolicy, _ configuration: RequestConfiguration,
        part: (@Sendable (GraphQLResponse<Query>) -> Void)? = nil
    ) async throws(RelayError) -> GraphQLResponse<Query> {
        let operation = store.bind(query)
        switch policy {
        case .storeOnly:
            if let response: GraphQLResponse<Query> = stored(operation, if: \.isComplete) { return response }
            throw .notInStore(component: operation.artifact.name)
        case .storeOrNetwork:
            if let response: GraphQLResponse<Query> = stored(operation, if: \.isAvailable) { return response }
        case .storeAndNetwork, .networkOnly, .networkOrStore: break
        }
        let generation = store.version.generation
        do throws(RelayError) {
            let response: GraphQLResponse<Query> =
                configuration.writeResultsToStore
                ? try await request(operation, policy, configuration, part: part)
                : try await fetchAside(query, policy, configuration, part: part)
            // Data from before a reset must not be returned after it.
            guard store.version.generation == generation else { throw RelayError.cancelled }
            guard policy == .networkOrStore, response.isNull else { return response }
            return stored(operation, errors: response.errors, if: \.isComplete) ?? response
        } catch {
            guard policy == .networkOrStore, error != .cancelled,
                let response: GraphQLResponse<Query> = stored(
                    operation, errors: error.graphQLErrors, if: \.isComplete)
            else { throw error }
            return response
        }
    }

    /// Returns the data in the store, if it is enough. None of it is collected between the check and the read.
    private func stored<Query: GraphQLQuery>(
        _ operation: BoundOperation, errors: [GraphQLError]? = nil, if isEnough: (Coverage) -> Bool
    ) -> GraphQLResponse<Query>? {
        let response: GraphQLResponse<Query>? = operations.whileReading(operation) {
            guard isEnough(check(operation)) else { return nil }
            return GraphQLResponse(
                stored: operation, errors: errors ?? lastFetches.errors(of: operation), in: self)
        }
        response?.content.report()
        return response
    }

    /// Waits for the last payload of a request, which may be shared.
    private func request<Query: GraphQLQuery>(
        _ operation: BoundOperation, _ policy: FetchPolicy, _ configuration: RequestConfiguration,
        part: (@Sendable (GraphQLResponse<Query>) -> Void)?
    ) async throws(RelayError) -> GraphQLResponse<Query> {
        let call = RequestCall(operation: operation, policy: policy, configuration: configuration)
        guard let part else { return GraphQLResponse(try await content(call, part: nil)) }
        return GraphQLResponse(try await content(call) { part(GraphQLResponse($0)) })
    }

    /// Waits for the last payload, without the type of its data. The compiler does not specialize generic code of this
    /// module for types of other modules.
    private func content(_ call: RequestCall, part: (@Sendable (ResponseContent) -> Void)?) async throws(RelayError)
        -> ResponseContent
    {
        let operation = call.operation
        var call = call
        call.beginsAtOnce = true
        let awaited = AwaitedResult<ResponseContent>()
        let parts = part.map { _ in ResponseContent.ReadParts() }
        let waiter = Waiter { [self] event in
            switch event {
            case .landed(let payload) where payload.hasNext:
                guard let part else { break }
                let content = ResponseContent(payload, of: operation, in: self, after: parts)
                content.report()
                part(content)
            case .landed(let payload):
                awaited.set(.success(ResponseContent(payload, of: operation, in: self, after: parts)))
            case .failed(let error): awaited.set(.failure(error))
            case .completed, .connection: break
            }
        }
        let result = await withTaskCancellationHandler {
            requests.joinOrStart(call, for: waiter)
            return await awaited.value
        } onCancel: {
            waiter.cancel()
            awaited.set(.failure(.cancelled))
        }
        let content = try result.get()
        content.report()
        return content
    }

    /// Fetches into a store of its own.
    private func fetchAside<Query: GraphQLQuery>(
        _ query: Query, _ policy: FetchPolicy, _ configuration: RequestConfiguration,
        part: (@Sendable (GraphQLResponse<Query>) -> Void)?
    ) async throws(RelayError) -> GraphQLResponse<Query> {
        let aside = RelayEnvironment(.aside(self))
        var configuration = configuration
        // The request may write into the store of `aside`, which belongs to the response alone.
        configuration.writeResultsToStore = true
        return try await aside.request(aside.store.bind(query), policy, configuration, part: part)
    }

    /// Starts to fetch a query for a handle that does not exist yet.
    ///
    /// A request in flight for the same query is shared. With `.storeOrNetwork` no request is sent if the data is
    /// available. With `.storeOnly` no request is ever sent. Keep the returned object: the request is cancelled with
    /// it.
    public func preload<Query: GraphQLQuery>(
        _ query: Query, policy: FetchPolicy = .storeOrNetwork,
        configuration: RequestConfiguration = RequestConfiguration()
    ) -> PreloadedQuery<Query> {
        PreloadedQuery(query, in: self, policy, configuration)
    }

    /// Fetches a query into the store without reading it, for data that is needed soon.
    ///
    /// Returns the server's errors; without a request, the errors of the last response. A request in flight for the
    /// same query is shared, also with handles. A `fetchKey` is noted like the fetch key of a handle. The data is kept
    /// as long as the release buffer keeps the operation, or as long as something retains it.
    ///
    /// The method throws, as `fetch` does, if there is no valid response or the task is cancelled.
    @discardableResult
    public func prefetch<Query: GraphQLQuery>(
        _ query: Query, policy: FetchPolicy = .storeOrNetwork, fetchKey: (any Hashable & Sendable)? = nil,
        configuration: RequestConfiguration = RequestConfiguration()
    ) async throws(RelayError) -> [GraphQLError] {
        let operation = store.bind(query)
        switch policy {
        case .storeOnly:
            guard operations.whileReading(operation, { check(operation).isComplete }) else {
                throw .notInStore(component: operation.artifact.name)
            }
            return lastFetches.errors(of: operation)
        case .storeOrNetwork:
            if operations.whileReading(operation, { check(operation).isAvailable }) {
                return lastFetches.errors(of: operation)
            }
        case .storeAndNetwork, .networkOnly, .networkOrStore: break
        }
        let awaited = AwaitedResult<[GraphQLError]>()
        let waiter = Waiter { event in
            switch event {
            case .landed(let payload) where payload.hasNext: break
            case .landed(let payload): awaited.set(.success(payload.errors))
            case .failed(let error): awaited.set(.failure(error))
            case .completed, .connection: break
            }
        }
        var call = RequestCall(
            operation: operation, key: fetchKey.map(FetchKey.init), policy: policy,
            configuration: configuration)
        call.beginsAtOnce = true
        let result = await withTaskCancellationHandler {
            requests.joinOrStart(call, for: waiter)
            return await awaited.value
        } onCancel: {
            waiter.cancel()
            awaited.set(.failure(.cancelled))
        }
        do throws(RelayError) {
            return try result.get()
        } catch {
            guard policy == .networkOrStore, error != .cancelled, check(operation).isComplete else { throw error }
            return error.graphQLErrors
        }
    }

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
    ) -> GraphQLResponses<Subscription> {
        let operation = store.bind(subscription)
        var call = RequestCall(operation: operation, configuration: configuration)
        if let update {
            call.updater = { proxy, operation in
                try update(proxy, proxy.responseData(Subscription.Data.self, operation))
            }
        }
        let queue = ResponseQueue<GraphQLResponse<Subscription>>(limit: Self.eventLimit)
        let waiter = Waiter { [self] event in
            switch event {
            case .landed(let payload):
                let response = GraphQLResponse<Subscription>(payload, of: payload.event ?? operation, in: self)
                response.content.report()
                if queue.add(response) != nil {
                    emit(.eventDropped(LogEvent.DroppedEvent(operationName: operation.artifact.name)))
                }
                if !payload.hasNext { queue.end(.success(())) }
            case .failed(let error): queue.end(.failure(error))
            case .completed: queue.end(.success(()))
            case .connection: break
            }
        }
        requests.joinOrStart(call, for: waiter)
        return GraphQLResponses(queue) { waiter.cancel() }
    }
}
