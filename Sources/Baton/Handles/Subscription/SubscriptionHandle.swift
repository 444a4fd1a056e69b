/// Holds one subscription for a component: the data of its newest event, and the observers that are notified when it
/// changes.
///
///     switch reviews.subscribe(filmID: film.id) {
///     case .loading: ...          // no event has arrived yet
///     case .failure(let error): ...
///     case .success(let data): ...
///     }
///
/// A component calls `subscribe` whenever it draws, with its current variables. Each event is written into the store,
/// so other handles show it too. The handle also shows later changes of its data in the store.
///
/// A handle skips events that are not the newest any more; ``RelayEnvironment/subscribe(_:configuration:update:)``
/// gives every event. `WebSocketNetwork` and `EventStreamNetwork` reconnect by themselves; an `HTTPNetwork` needs a
/// `ResubscribingInterceptor` for that.
///
/// ### Behavior
///
/// - `subscribe` with the variables of the last call starts nothing.
/// - Other variables end the old subscription.
/// - Each event is in the store, and changes from elsewhere are shown.
/// - Each handle has a subscription of its own, and equal ones are not shared.
/// - An event without data leaves the data on show, and its errors are in `fetchError`.
/// - An event that cannot be read ends the subscription, and `retry()` begins it again.
/// - The end of the stream is no failure; without any event the result is then `.success(nil)`.
/// - A lost connection leaves the data on show, and the reason is in `fetchError`.
/// - `transportState` is the last state that the transport has reported.
/// - `restorations` counts how often events may have been missed.
/// - The end of the handle cancels the subscription.
/// - An updater runs for each event, in its publish.
/// - A reset of the store ends the subscription, and one with `refetching` begins it again.
/// - An event may come in parts.
public final class SubscriptionHandle<Operation: GraphQLSubscription>: ObservableHandle {
    let core: QueryCore

    /// Makes a handle. Nothing is sent before the first `subscribe`.
    ///
    /// - Parameters:
    ///   - environment: The environment of the data.
    ///   - configuration: The configuration of the request. A subscription has no timeout.
    ///   - update: Runs for each event with data, like the updater of a mutation. If it throws, nothing of the event is
    ///     kept, and the subscription ends with ``RelayError/updater(_:)``.
    public init(
        in environment: RelayEnvironment, configuration: RequestConfiguration = RequestConfiguration(),
        update: (@Sendable (RecordSourceProxy, Operation.Data) throws -> Void)? = nil
    ) {
        var options = FetchOptions(policy: .networkOnly, configuration: configuration)
        if let update {
            options.updater = { proxy, event in try update(proxy, proxy.responseData(Operation.Data.self, event)) }
        }
        core = QueryCore(Operation.artifact.name, environment: environment, options)
    }

    deinit { core.letGo() }

    private var typed: TypedQueryCore<Operation> { TypedQueryCore(core: core) }

    /// Returns the data of the newest event for these variables, and begins the subscription if it is not under way.
    /// Returns at once, from any thread.
    public func subscribe(_ variables: Operation.Variables) -> QueryResult<Operation.Data> {
        typed.get(variables, fetchKey: nil)
    }

    /// Returns the data of the newest event; the method that generated code calls.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public func __subscribe(_ variables: Operation.Variables) -> QueryResult<Operation.Data> {
        typed.get(variables, fetchKey: nil)
    }

    /// Runs the body on an actor: with the current state, and with every newer one.
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

    /// The current state; `loading` before the first event.
    public var result: QueryResult<Operation.Data> { typed.result() }

    /// The complete errors of the newest event.
    public var errors: [GraphQLError] { core.noted.errors }

    /// The reason why the subscription ended, or why its newest event brought no data.
    public var fetchError: RelayError? { core.noted.fetchError }

    /// True while events may arrive.
    public var isFetching: Bool { core.noted.isFetching }

    /// The state of the connection, if the transport reports it; nil while nothing is awaited.
    public var transportState: TransportState? { core.noted.connection }

    /// How often the connection of the handle's subscriptions was lost or paused and then restored. Each time events
    /// may have been missed; observers run as for a change of ``transportState``.
    ///
    /// Query handles with ``Freshness/Triggers/reconnected`` fetch again by themselves.
    public var restorations: Int { core.noted.restorations }

    /// Ends the subscription. The data of the newest event stays on show, with ``fetchError`` set.
    public func cancel() { core.cancel() }

    /// Subscribes again if the subscription has ended with a failure, was cancelled, or was ended by a reset of the
    /// store; does nothing otherwise. The task is finished when the subscription ends.
    @discardableResult
    public func retry() -> FetchTask { core.retry() }
}

extension SubscriptionHandle where Operation.Variables == GeneratedCode.NoVariables {
    /// Returns the data of the newest event of a subscription without variables; see ``subscribe(_:)``.
    public func subscribe() -> QueryResult<Operation.Data> {
        typed.get(GeneratedCode.NoVariables(), fetchKey: nil)
    }
}

// `QueryHandle+Unavailable.swift` says what these are for.

extension SubscriptionHandle {
    /// The subscription has variables.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "'subscribe' needs an argument for each variable without a default"
    )
    public func subscribe() -> QueryResult<Operation.Data> { result }
}
