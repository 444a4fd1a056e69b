/// Holds one query for a component: what it shows now, and who is told when that changes.
///
/// A component calls `get` whenever it draws, with the variables and the fetch key that it wants now; the handle finds
/// out whether anything has to be fetched.
/// `get` returns at once, from any thread. What is read is retained in the store while the handle lives. When its last
/// reference goes, a request that only it was waiting for is cancelled.
///
/// A fetch that fails for whatever reason leaves complete data of the current variables on show, with the reason in
/// ``fetchError``; the result is a failure where there is no such data, or where the policy says not to show it.
public final class QueryHandle<Operation: GraphQLQuery>: Sendable {
    let core: QueryCore

    /// Makes a handle that asks for nothing yet.
    public init(in environment: RelayEnvironment, fetchPolicy: FetchPolicy = .networkOnly) {
        core = QueryCore(
            Operation.artifact.name, Operation.Data.self, environment: environment, policy: fetchPolicy)
    }

    deinit { core.close() }

    private var view: QueryView<Operation> { QueryView(core: core) }

    /// What there is to show for these variables; fetches what the policy asks for.
    ///
    /// - With the variables and the fetch key of the last call nothing starts, so it may be called in every frame.
    /// - With other variables the policy is evaluated again; an answer for the variables before never arrives here.
    /// - With another fetch key (by `==`; nil is one too) the network is asked again, under every policy but
    ///   `storeOnly`. Nothing starts if the operation was fetched under this key, by whichever handle, or is being
    ///   fetched.
    public func get(
        _ variables: Operation.Variables, fetchKey: (any Hashable & Sendable)? = nil
    ) -> QueryResult<Operation.Data> {
        view.get(variables, fetchKey: fetchKey)
    }

    /// Runs the body on an actor: with the current state, and with every newer one.
    ///
    /// Also told is a change of ``isFetching``, ``fetchError``, ``errors`` or ``isMissingData`` that leaves the result
    /// as it is. Deliveries are in order, one at a time, and skip states that are no longer the newest. The actor is
    /// held weakly; the body is kept until the observation ends.
    @discardableResult
    public func observe<Observer: Actor>(
        on observer: Observer, _ body: @escaping @Sendable (isolated Observer, QueryResult<Operation.Data>) -> Void
    ) -> ObservationToken {
        view.observe(on: observer, body)
    }

    /// Runs the body on the main actor: with the current state, and with every newer one.
    @discardableResult
    public func observe(
        on main: MainActor, _ body: @escaping @MainActor @Sendable (QueryResult<Operation.Data>) -> Void
    ) -> ObservationToken {
        view.observe(on: main, body)
    }

    /// The current state and every newer one, until the handle dies.
    public var results: QueryResults<Operation.Data> { QueryResults(core: view) }

    /// What there is to show, without asking for anything; `loading` before the first `get`.
    public var result: QueryResult<Operation.Data> { view.result() }

    /// The errors that the server sent with the last answer, whole.
    public var errors: [GraphQLError] { core.errors }

    /// Why the last fetch brought nothing, whether or not there is data to show instead; nil once another fetch begins.
    public var fetchError: RelayError? { core.fetchError }

    /// True while this handle waits for an answer.
    public var isFetching: Bool { core.isFetching }

    /// True if the data that is shown lacks a field that the store does not hold.
    public var isMissingData: Bool { core.isMissingData }

    /// The data that this handle showed last for the current variables, whatever it shows now.
    public var previousData: Operation.Data? { view.previousData(anyVariables: false) }

    /// The data that this handle showed last for the current variables; failing that and if it is allowed, for those
    /// before them.
    public func previousData(anyVariables: Bool) -> Operation.Data? {
        view.previousData(anyVariables: anyVariables)
    }

    /// Fetches again if the last fetch failed; does nothing otherwise.
    public func retry() { core.retry() }

    /// Fetches again under every policy but `storeOnly`, and returns when the new data or a failure is in.
    ///
    /// Before the first `get` there is nothing to fetch, and it returns at once. Cancelling the task ends the wait and
    /// not the request.
    @discardableResult
    public func refetch() async -> QueryResult<Operation.Data> {
        await core.refetch()
        return view.result()
    }
}
