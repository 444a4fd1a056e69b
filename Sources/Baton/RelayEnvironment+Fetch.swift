extension RelayEnvironment {
    /// Fetches a query once.
    ///
    /// The server's errors, with or without data, are in the response. The method throws if there is no valid answer:
    /// for errors of the transport, status, content type, JSON and shape, and if the task is cancelled. A request in
    /// flight for the same query is shared, also with handles.
    ///
    /// With ``RequestConfiguration/writeResultsToStore`` false the store is not changed. The request is then not
    /// shared, and the response has its own records: read its fragments with ``GraphQLResponse/read(_:)``.
    ///
    /// ### Behavior
    ///
    /// - Errors of the server are in the response, and any other trouble is thrown.
    /// - A request in flight for the same query is shared, also with handles.
    /// - A cancelled task cancels the request that it alone waits for.
    /// - With `writeResultsToStore` false the response has its own records, and the store stays as it is.
    /// - `networkOrStore` falls back on complete data only.
    public func fetch<Query: GraphQLQuery>(
        _ query: Query, policy: SingleFetchPolicy = .networkOnly,
        configuration: RequestConfiguration = RequestConfiguration()
    ) async throws(RelayError) -> GraphQLResponse<Query> {
        try await fetchWhole(query, policy, configuration)
    }

    /// Fetches a query whose answer may come in parts, and returns a response for each part. Each response has all
    /// parts that have come so far.
    ///
    ///     for try await response in await environment.fetch(FilmPartsQuery()) { show(response.data) }
    ///
    /// With data from the store there is one response. The request begins soon after the call, and it is cancelled with
    /// the stream. The stream throws the errors that `fetch` throws for other queries. Where the type of the query is
    /// not known, `fetch` returns the response with all parts.
    ///
    /// ### Behavior
    ///
    /// - A query that comes in parts gives a response for each part.
    public func fetch<Query: GraphQLIncrementalQuery>(
        _ query: Query, policy: SingleFetchPolicy = .networkOnly,
        configuration: RequestConfiguration = RequestConfiguration()
    ) async -> AsyncThrowingStream<GraphQLResponse<Query>, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    let last = try await fetchWhole(query, policy, configuration) { continuation.yield($0) }
                    continuation.yield(last)
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Fetches a query once.
    ///
    /// - Parameter part: Gets the responses before the last one.
    private func fetchWhole<Query: GraphQLQuery>(
        _ query: Query, _ policy: SingleFetchPolicy, _ configuration: RequestConfiguration,
        part: (@Sendable (GraphQLResponse<Query>) -> Void)? = nil
    ) async throws(RelayError) -> GraphQLResponse<Query> {
        let operation = store.bind(query)
        if policy == .storeOrNetwork,
            let response: GraphQLResponse<Query> = stored(operation, if: \.isAvailable)
        {
            return response
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

    /// Returns the data of a query in the store, without a request; nil if some of it is missing.
    ///
    /// ### Behavior
    ///
    /// - The response of `storeOnly` is nil unless all of the data is there.
    public func fetch<Query: GraphQLQuery>(
        _ query: Query, policy: StoreOnlyFetchPolicy
    ) async throws(RelayError) -> GraphQLResponse<Query>? {
        let operation = store.bind(query)
        return stored(operation, if: \.isComplete)
    }

    /// Returns the available data of the store, if any, and then the network's answer.
    ///
    /// The work begins with the call and is cancelled with the stream. The stream throws the errors of `fetch`.
    ///
    /// ### Behavior
    ///
    /// - `storeAndNetwork` gives the data of the store first, and then the answer.
    public func fetch<Query: GraphQLQuery>(
        _ query: Query, policy: MultipleFetchPolicy, configuration: RequestConfiguration = RequestConfiguration()
    ) -> AsyncThrowingStream<GraphQLResponse<Query>, any Error> {
        let operation = store.bind(query)
        return AsyncThrowingStream { continuation in
            if let refusal = configuration.refusal {
                continuation.finish(throwing: refusal)
                return
            }
            if let response: GraphQLResponse<Query> = stored(operation, if: \.isAvailable) {
                continuation.yield(response)
            }
            let waiter = Waiter { [self] event in
                switch event {
                case .landed(let payload):
                    let response = GraphQLResponse<Query>(payload, of: operation, in: self)
                    response.content.report()
                    continuation.yield(response)
                    if !payload.hasNext { continuation.finish() }
                case .failed(let error): continuation.finish(throwing: error)
                case .arriving, .completed, .connection: break
                }
            }
            continuation.onTermination = { _ in waiter.cancel() }
            let call = RequestCall(operation: operation, policy: .storeAndNetwork, configuration: configuration)
            requests.joinOrStart(call, for: waiter)
        }
    }

    /// Returns the data in the store, if it is enough. None of it is collected between the check and the read.
    private func stored<Query: GraphQLQuery>(
        _ operation: BoundOperation, errors: [GraphQLError]? = nil, if isEnough: (Availability) -> Bool
    ) -> GraphQLResponse<Query>? {
        let response: GraphQLResponse<Query>? = store.whileReading(operation) {
            guard isEnough(check(operation)) else { return nil }
            return GraphQLResponse(
                stored: operation, errors: errors ?? lastFetches.errors(of: operation), in: self)
        }
        response?.content.report()
        return response
    }

    /// Waits for the last payload of a request, which may be shared.
    private func request<Query: GraphQLQuery>(
        _ operation: BoundOperation, _ policy: SingleFetchPolicy, _ configuration: RequestConfiguration,
        part: (@Sendable (GraphQLResponse<Query>) -> Void)?
    ) async throws(RelayError) -> GraphQLResponse<Query> {
        let call = RequestCall(operation: operation, policy: FetchPolicy(policy), configuration: configuration)
        guard let part else { return GraphQLResponse(try await content(call, part: nil)) }
        return GraphQLResponse(try await content(call) { part(GraphQLResponse($0)) })
    }

    /// Waits for the last payload, without the type of its data: the compiler does not specialize generic code of this
    /// module for types of other modules.
    private func content(_ call: RequestCall, part: (@Sendable (ResponseContent) -> Void)?) async throws(RelayError)
        -> ResponseContent
    {
        let operation = call.operation
        let awaited = AwaitedResult<ResponseContent>()
        let waiter = Waiter { [self] event in
            switch event {
            case .landed(let payload) where payload.hasNext:
                guard let part else { break }
                let content = ResponseContent(payload, of: operation, in: self)
                content.report()
                part(content)
            case .landed(let payload): awaited.set(.success(ResponseContent(payload, of: operation, in: self)))
            case .failed(let error): awaited.set(.failure(error))
            case .arriving, .completed, .connection: break
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
        _ query: Query, _ policy: SingleFetchPolicy, _ configuration: RequestConfiguration,
        part: (@Sendable (GraphQLResponse<Query>) -> Void)?
    ) async throws(RelayError) -> GraphQLResponse<Query> {
        let aside = RelayEnvironment(.aside(self))
        var configuration = configuration
        // The store of that environment is the response's own.
        configuration.writeResultsToStore = true
        return try await aside.request(aside.store.bind(query), policy, configuration, part: part)
    }
}
