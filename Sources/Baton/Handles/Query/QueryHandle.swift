/// Holds one query for a component: its current state, and the observers that are notified when the state changes.
///
/// A component calls `get` whenever it draws, with its current variables and fetch key. The handle decides whether a
/// request is needed. `get` returns at once, from any thread.
///
/// The operation's data is retained in the store as long as the handle lives. When the handle is deinitialized, a
/// request is cancelled if only this handle was waiting for it. A handle may show parts of its data, and may fetch
/// again by itself (<doc:KeepingDataFresh>).
///
/// If a fetch fails, complete data of the current variables stays on show, and the error is in ``fetchError``. The
/// result is a failure if there is no such data, or if the policy does not allow to show it.
///
/// ### Behavior
///
/// - A `get` with the variables and the fetch key of the last one starts nothing.
/// - Every change of the fetch key is a refetch, to and from nil too.
/// - Handles with one query and one fetch key make one request, whenever they appear.
/// - Handles share a request in flight, unless it began before an invalidation of its data.
/// - A response for old variables never arrives.
/// - A request that somebody else waits for goes on.
/// - The end of the last handle cancels its request and releases its data.
/// - A change of the store from anywhere changes the result.
/// - Partial data with errors is a success.
/// - A response whose data is null is a failure with errors, and a success without.
/// - The data that was shown last stays reachable as `previousData`.
/// - `refetch()` begins at once, and its task ends with the new data or the failure.
/// - A cancelled task ends its wait for a refetch, and the request goes on.
/// - A handle of a preloaded query joins its request.
/// - A handle of a preloaded query whose data has arrived shows it, and sends nothing.
/// - A preload that failed or was invalidated is fetched again.
/// - A cancelled handle does not ask again until it retries.
/// - A skipped handle wants nothing until the next `get`.
/// - For another policy or environment a new handle takes over: it joins the request, and shows what the store has.
public final class QueryHandle<Operation: GraphQLQuery>: ObservableHandle {
    let core: QueryCore

    /// Makes a handle. Nothing is fetched before the first `get`. A query with nothing but client fields is never
    /// fetched: its policy is `.storeOnly`.
    ///
    /// - Parameters:
    ///   - environment: The environment of the data.
    ///   - fetchPolicy: Decides when the network is asked.
    ///   - renderPolicy: Decides what is shown while data is missing.
    ///   - freshness: Decides when the handle fetches again by itself, and whether it shows data that is too old.
    ///   - configuration: The configuration of each request of the handle.
    public init(
        in environment: RelayEnvironment, fetchPolicy: FetchPolicy = .networkOnly, renderPolicy: RenderPolicy = .full,
        freshness: Freshness = Freshness(), configuration: RequestConfiguration = RequestConfiguration()
    ) {
        let artifact = Operation.artifact
        let options = FetchOptions(
            policy: artifact.isSent ? fetchPolicy : .storeOnly, renderPolicy: renderPolicy, freshness: freshness,
            configuration: configuration)
        core = QueryCore(artifact.name, environment: environment, options)
    }

    /// Makes a handle of a preloaded query, with its environment, policy and configuration.
    ///
    /// The first `get` with the variables of the preloaded query neither sends nor waits for a second request: it joins
    /// the request that is under way, or shows the data that has arrived. If the preload failed, or if its data was
    /// invalidated since, the policy decides as usual.
    public init(
        _ preloaded: PreloadedQuery<Operation>, renderPolicy: RenderPolicy = .full, freshness: Freshness = Freshness()
    ) {
        preloaded.noteUse()
        let artifact = Operation.artifact
        let options = FetchOptions(
            policy: artifact.isSent ? preloaded.policy : .storeOnly, renderPolicy: renderPolicy, freshness: freshness,
            configuration: preloaded.configuration)
        core = QueryCore(artifact.name, environment: preloaded.environment, options, preloaded: preloaded)
    }

    deinit { core.letGo() }

    private var typed: TypedQueryCore<Operation> { TypedQueryCore(core: core) }

    /// Returns the state for these variables, and starts a request if the policy asks for one.
    ///
    /// - With the variables and the fetch key of the last call nothing starts, so the method may be called in every
    ///   frame.
    /// - With other variables the policy is evaluated again. A response for the old variables never arrives at this
    ///   handle.
    /// - With another fetch key (by `==`; nil is a key too) the network is asked again, under every policy but
    ///   `storeOnly`. No request starts if the operation was already fetched, or is being fetched, under this key by
    ///   any handle.
    public func get(
        _ variables: Operation.Variables, fetchKey: (any Hashable & Sendable)? = nil
    ) -> QueryResult<Operation.Data> {
        typed.get(variables, fetchKey: fetchKey)
    }

    /// Returns the state for these variables; the method that generated code calls. No generated method has this name,
    /// so that the compiler of Swift has only one candidate.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public func __get(
        _ variables: Operation.Variables, _ fetchKey: GeneratedCode.FetchKey?
    ) -> QueryResult<Operation.Data> {
        typed.get(variables, fetchKey: fetchKey)
    }

    /// Runs the body on an actor: with the current state, and with every newer one.
    ///
    /// The body also runs after a change of ``isFetching``, ``fetchError``, ``errors`` or ``isMissingData`` that leaves
    /// the result unchanged. Deliveries are in order, one at a time, and skip states that are not the newest any more.
    /// The actor is held weakly; the body is kept until the observation ends. So a body that captures the handle keeps
    /// it and its environment. To avoid this, use the variant that passes the handle to the body, or capture the handle
    /// weakly.
    @discardableResult
    public func observe<Observer: Actor>(
        on observer: Observer, _ body: @escaping @Sendable (isolated Observer, QueryResult<Operation.Data>) -> Void
    ) -> ObservationToken {
        typed.observe(on: observer, body)
    }

    /// Runs the body on the main actor: with the current state, and with every newer one.
    @discardableResult
    public func observe(
        on main: MainActor, _ body: @escaping @MainActor @Sendable (QueryResult<Operation.Data>) -> Void
    ) -> ObservationToken {
        typed.observe(on: main, body)
    }

    /// The current state and every newer one, until the handle is deinitialized.
    public var results: QueryResults<Operation.Data> { QueryResults(core: typed) }

    /// The current state, without a request; `loading` before the first `get`.
    public var result: QueryResult<Operation.Data> { typed.result() }

    /// The complete errors of the server's last response.
    public var errors: [GraphQLError] { core.noted.errors }

    /// The error of the last fetch, whether or not there is data to show instead; nil once another fetch begins.
    public var fetchError: RelayError? { core.noted.fetchError }

    /// True while this handle waits for a response.
    public var isFetching: Bool { core.noted.isFetching }

    /// True if a field of the shown data is missing in the store. Client fields do not count.
    public var isMissingData: Bool { core.noted.isMissingData && Operation.artifact.isSent }

    /// The last data that this handle showed for the current variables, whatever it shows now.
    public var previousData: Operation.Data? { previousData(anyVariables: false) }

    /// Returns the last data that this handle showed for the current variables. If there is none and `anyVariables` is
    /// true, returns the last data of the previous variables.
    public func previousData(anyVariables: Bool) -> Operation.Data? {
        Recording.note(core)
        return typed.previousData(anyVariables: anyVariables)
    }

    /// Stops waiting for a response. Complete data of the current variables stays on show, with ``fetchError`` set;
    /// otherwise the result is the failure ``RelayError/cancelled``. The request continues if others wait for it.
    /// Neither a `get` with the same variables and key nor the handle itself starts the request again; ``retry()``
    /// does. After ``RelayEnvironment/reset(refetching:)`` the result is that failure, until the next `get`.
    public func cancel() { core.cancel() }

    /// Pauses the handle until the next `get`: the request is given up as by ``cancel()``, the data is released, and
    /// the result is `loading`, as before the first `get`. ``previousData(anyVariables:)`` still has the data that was
    /// shown.
    public func skip() { core.skip() }

    /// Fetches again if the last fetch failed or was cancelled, or if a reset of the store has ended it; does nothing
    /// otherwise.
    @discardableResult
    public func retry() -> FetchTask { core.retry() }

    /// Fetches again whenever this interval has passed since the last fetch of the operation by any handle or caller;
    /// nil ends the polling.
    ///
    /// The shown data stays on show meanwhile, and a failure is in ``fetchError``. Nothing is fetched before the first
    /// `get`, after ``skip()`` or ``cancel()``, under `storeOnly`, and while a request is under way. An interval below
    /// ten milliseconds counts as ten milliseconds. A call with the interval of the last one changes nothing, so that
    /// it may be made in every frame.
    public func poll(every interval: Duration?) { core.poll(every: interval) }

    /// Fetches again under every policy but `storeOnly`. What ``result`` is meanwhile follows the policy.
    ///
    ///     films.refetch()
    ///     try await films.refetch().finished()        // with the new data
    ///
    /// Before the first `get` there is nothing to fetch, and the task is finished at once. ``FetchTask/cancel()`` is
    /// ``cancel()`` until the task is finished.
    @discardableResult
    public func refetch() -> FetchTask { core.refetch() }
}

extension QueryHandle where Operation.Variables == GeneratedCode.NoVariables {
    /// Returns the state of a query without variables, and starts a request if the policy asks for one.
    public func get(fetchKey: (any Hashable & Sendable)? = nil) -> QueryResult<Operation.Data> {
        typed.get(GeneratedCode.NoVariables(), fetchKey: fetchKey)
    }
}

extension GeneratedCode {
    /// A fetch key of any type.
    public typealias FetchKey = any Hashable & Sendable
}

// What a call means from which a variable is missing. The compiler of Swift chooses these only where nothing else fits,
// and shows their sentence in place of the requirements of `get()` and `subscribe()` without variables.

extension QueryHandle {
    /// The query has variables.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "'get' needs an argument for each variable without a default: get(id: id)"
    )
    public func get(fetchKey: (any Hashable & Sendable)? = nil) -> QueryResult<Operation.Data> { result }
}
