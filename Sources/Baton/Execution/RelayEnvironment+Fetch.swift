extension RelayEnvironment {
    /// Fetches a query once.
    ///
    /// Errors that the server sends, with data or without, are in the response. Thrown is only what kept an answer from
    /// being one: transport, status, content type, JSON and shape, or the cancellation of the task. A request in flight
    /// for the same query is shared, also with handles.
    ///
    /// With `writeResultsToStore: false` the store is left alone. The request is then not shared, and the response
    /// carries its own records: read its fragments with ``GraphQLResponse/read(_:)``.
    public func fetch<Query: GraphQLQuery>(
        _ query: Query, policy: SingleFetchPolicy = .networkOnly, writeResultsToStore: Bool = true
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
                writeResultsToStore
                ? try await request(operation, policy) : try await fetchAside(query, policy)
            // What came before a reset is given to nobody after it.
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

    /// Gives what the store holds of a query, without a request; nil if something is missing.
    public func fetch<Query: GraphQLQuery>(
        _ query: Query, policy: StoreOnlyFetchPolicy
    ) async throws(RelayError) -> GraphQLResponse<Query>? {
        let operation = store.bind(query)
        return stored(operation, if: \.isComplete)
    }

    /// Gives what is available in the store, if it is, and then the network's answer.
    ///
    /// The work begins with the call, and is cancelled with the stream. The stream throws what `fetch` throws.
    public func fetch<Query: GraphQLQuery>(
        _ query: Query, policy: MultipleFetchPolicy
    ) -> AsyncThrowingStream<GraphQLResponse<Query>, any Error> {
        let operation = store.bind(query)
        return AsyncThrowingStream { continuation in
            if let response: GraphQLResponse<Query> = stored(operation, if: \.isAvailable) {
                continuation.yield(response)
            }
            let waiter = Waiter { [self] event in
                switch event {
                case .answered(let answer):
                    let response = GraphQLResponse<Query>(answer, of: operation, in: self)
                    response.report()
                    continuation.yield(response)
                    if !answer.hasNext { continuation.finish() }
                case .failed(let error): continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { [weak self] _ in self?.cancel(waiter) }
            start(waiter, for: operation, key: nil, force: false, policy: .storeAndNetwork)
        }
    }

    /// What the store holds, if it holds enough. Nothing of it is collected between the check and the read.
    private func stored<Query: GraphQLQuery>(
        _ operation: BoundOperation, errors: [GraphQLError]? = nil, if isEnough: (Availability) -> Bool
    ) -> GraphQLResponse<Query>? {
        let response: GraphQLResponse<Query>? = store.retaining(operation) {
            guard isEnough(check(operation)) else { return nil }
            return GraphQLResponse(
                stored: operation, errors: errors ?? operations.errors(of: operation), in: self)
        }
        response?.report()
        return response
    }

    /// The last answer of a request that may be shared.
    private func request<Query: GraphQLQuery>(
        _ operation: BoundOperation, _ policy: SingleFetchPolicy
    ) async throws(RelayError) -> GraphQLResponse<Query> {
        let reply = Reply<GraphQLResponse<Query>>()
        let waiter = Waiter { [self] event in
            switch event {
            case .answered(let answer) where answer.hasNext: break
            case .answered(let answer): reply.give(.success(GraphQLResponse(answer, of: operation, in: self)))
            case .failed(let error): reply.give(.failure(error))
            }
        }
        let result = await withTaskCancellationHandler {
            start(waiter, for: operation, key: nil, force: false, policy: FetchPolicy(policy))
            return await reply.value
        } onCancel: {
            cancel(waiter)
            reply.give(.failure(.cancelled))
        }
        let response = try result.get()
        response.report()
        return response
    }

    /// An answer in a store of its own.
    private func fetchAside<Query: GraphQLQuery>(
        _ query: Query, _ policy: SingleFetchPolicy
    ) async throws(RelayError) -> GraphQLResponse<Query> {
        let aside = RelayEnvironment(aside: self)
        return try await aside.request(aside.store.bind(query), policy)
    }
}

extension FetchPolicy {
    init(_ policy: SingleFetchPolicy) {
        self =
            switch policy {
            case .networkOnly: .networkOnly
            case .storeOrNetwork: .storeOrNetwork
            case .networkOrStore: .networkOrStore
            }
    }
}
