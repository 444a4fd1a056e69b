/// What the store holds of a query at one moment.
public struct StoredQuery<Query: GraphQLQuery>: Sendable {
    /// The data, with nil for what is missing where it may be nil; nil if a value that may not be null is missing all
    /// the way up to the root. Its fragments are read with `environment.read(reference)`.
    public let data: Query.Data?
    /// Whether all that the query asks for is there, fragments included, and valid.
    public let availability: CheckEvent.Finding
    /// True if a field of the query itself is not in the store.
    public let isMissingData: Bool
    /// Why there is no data: a field with `@required(action: THROW)` has no value, or one has an error under
    /// `@throwOnFieldError`.
    public let failure: RelayError?
    /// The errors of the last answer to the query.
    public let errors: [GraphQLError]
}

extension StoredQuery: Equatable {}

extension RelayEnvironment {
    /// The data of a query at this moment, and how much of it the store holds; without a request, and without
    /// subscribing.
    ///
    ///     let film = environment.read(FilmQuery(id: "1"))
    ///     if film.availability == .available { draw(film.data) }
    ///
    /// Missing-field handlers are asked, as for a handle. Nothing is retained.
    public func read<Query: GraphQLQuery>(_ query: Query) -> StoredQuery<Query> {
        let operation = store.bind(query)
        return store.retaining(operation) {
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
                data: snapshot.data, availability: finding, isMissingData: snapshot.isMissingData,
                failure: snapshot.problems?.failure, errors: operations.errors(of: operation))
        }
    }

    /// Brings a query into the store, and reads nothing of it: for data that is needed soon.
    ///
    /// Returns what the server sent under `errors`; those of the last answer if nothing was asked for. A request in
    /// flight for the same query is shared, also with handles, and a `fetchKey` is noted as that of a handle is. What
    /// was fetched is kept as long as the release buffer keeps what was released, or something retains it.
    ///
    /// Throws what kept an answer from being one, or the cancellation of the task, as `fetch` does.
    @discardableResult
    public func prefetch<Query: GraphQLQuery>(
        _ query: Query, policy: SingleFetchPolicy = .storeOrNetwork, fetchKey: (any Hashable & Sendable)? = nil
    ) async throws(RelayError) -> [GraphQLError] {
        let operation = store.bind(query)
        if policy == .storeOrNetwork, store.retaining(operation, { check(operation).isAvailable }) {
            return operations.errors(of: operation)
        }
        let reply = Reply<[GraphQLError]>()
        let waiter = Waiter { event in
            switch event {
            case .answered(let answer) where answer.hasNext: break
            case .answered(let answer): reply.give(.success(answer.errors))
            case .failed(let error): reply.give(.failure(error))
            }
        }
        let result = await withTaskCancellationHandler {
            start(
                waiter, for: operation, key: fetchKey.map(FetchKey.init), force: false, policy: FetchPolicy(policy))
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
