extension RelayEnvironment {
    /// Returns the current data of a query and its availability, without a request and without subscribing.
    ///
    ///     let film = environment.read(FilmQuery(id: "1"))
    ///     if film.availability == .available { draw(film.data) }
    ///
    /// Missing-field handlers are called, as for a handle. Nothing is retained.
    public func read<Query: GraphQLQuery>(_ query: Query) -> StoredQuery<Query> {
        let operation = store.bind(query)
        return store.whileReading(operation) {
            let availability = check(operation)
            let snapshot = store.read(Query.Data.self, of: operation)
            report(snapshot.problems, of: operation)
            let finding: CheckEvent.Finding =
                switch availability {
                case .available: .available
                case .stale: .stale
                case .missing(let place): .missing(store.location(of: place))
                }
            return StoredQuery(
                data: snapshot.data, availability: finding,
                isMissingData: snapshot.isMissingData && operation.artifact.isSent,
                failure: snapshot.problems?.failure, errors: lastFetches.errors(of: operation))
        }
    }

    /// Fetches a query into the store without reading it, for data that is needed soon.
    ///
    /// Returns the server's errors; without a request, the errors of the last answer. A request in flight for the same
    /// query is shared, also with handles. A `fetchKey` is noted like that of a handle. The data is kept as long as the
    /// release buffer keeps the operation, or as long as something retains it.
    ///
    /// The method throws, as `fetch` does, if there is no valid answer or the task is cancelled.
    @discardableResult
    public func prefetch<Query: GraphQLQuery>(
        _ query: Query, policy: SingleFetchPolicy = .storeOrNetwork, fetchKey: (any Hashable & Sendable)? = nil,
        configuration: RequestConfiguration = RequestConfiguration()
    ) async throws(RelayError) -> [GraphQLError] {
        let operation = store.bind(query)
        if policy == .storeOrNetwork, store.whileReading(operation, { check(operation).isAvailable }) {
            return lastFetches.errors(of: operation)
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
            operation: operation, key: fetchKey.map(FetchKey.init), policy: FetchPolicy(policy),
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
