extension RelayEnvironment {
    /// Returns the current data of a query in the store, complete or not, without a request and without subscribing.
    ///
    ///     if environment.check(query) == .available { draw(environment.read(query).data) }
    ///
    /// The response has the errors of the last response of a server. Its ``GraphQLResponse/missingField`` is set if a
    /// field of the query itself is missing. Missing-field handlers are called, as for a handle. Nothing is retained,
    /// not even by the response.
    public func read<Query: GraphQLQuery>(_ query: Query) -> GraphQLResponse<Query> {
        let operation = store.bind(query)
        let response = store.whileReading(operation) {
            _ = check(operation)
            return GraphQLResponse<Query>(
                ResponseContent(
                    stored: operation, errors: lastFetches.errors(of: operation), in: self, isRetained: false))
        }
        report(response.content.problems, of: operation)
        return response
    }

    /// Checks how much of a query's data the store holds, fragments included. Missing-field handlers are called, as for
    /// a handle.
    public func check<Query: GraphQLQuery>(_ query: Query) -> LogEvent.Check.Finding {
        switch check(store.bind(query)) {
        case .available: .available
        case .stale: .stale
        case .missing(let place): .missing(store.location(of: place))
        }
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
            guard store.whileReading(operation, { check(operation).isComplete }) else {
                throw .notInStore(component: operation.artifact.name)
            }
            return lastFetches.errors(of: operation)
        case .storeOrNetwork:
            if store.whileReading(operation, { check(operation).isAvailable }) {
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
            case .arriving, .completed, .connection: break
            }
        }
        let call = RequestCall(
            operation: operation, key: fetchKey.map(FetchKey.init), policy: policy,
            configuration: configuration)
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
}
