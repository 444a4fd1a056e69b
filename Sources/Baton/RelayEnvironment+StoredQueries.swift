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
            let finding: LogEvent.Check.Finding =
                switch availability {
                case .available: .available
                case .stale: .stale
                case .missing(let place): .missing(store.location(of: place))
                }
            return StoredQuery(
                data: snapshot.data, availability: finding,
                isMissingData: snapshot.isMissingData && operation.artifact.isSent,
                failure: snapshot.problems?.failure, errors: outcomes.errors(of: operation))
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
            return outcomes.errors(of: operation)
        }
        let reply = Reply<[GraphQLError]>()
        let waiter = Waiter { event in
            switch event {
            case .answered(let answer) where answer.hasNext: break
            case .answered(let answer): reply.give(.success(answer.errors))
            case .failed(let error): reply.give(.failure(error))
            case .landing, .completed, .connection: break
            }
        }
        let call = RequestCall(
            operation: operation, key: fetchKey.map(FetchKey.init), policy: FetchPolicy(policy),
            configuration: configuration)
        let result = await withTaskCancellationHandler {
            start(waiter, for: call, force: false)
            return await reply.value
        } onCancel: {
            cancel(waiter)
            reply.give(.failure(.cancelled))
        }
        do throws(RelayError) {
            return try result.get()
        } catch {
            guard policy == .networkOrStore, error != .cancelled, check(operation).isComplete else { throw error }
            return error.graphQLErrors
        }
    }
}
