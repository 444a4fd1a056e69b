/// Executes one mutation for a component and shows its state.
///
///     let favorite = MutationHandle<FilmListFavoriteMutation>(in: environment)
///     try await favorite.commit(input: .init(id: film.id, isFavorite: true))
///     favorite.isFetching ? "..." : "Add"
///
/// `commit` does the same as the environment's method, and returns or throws the same:
/// ``RelayEnvironment/commit(_:optimistic:serial:configuration:update:)``. Several commits may be in flight.
///
/// ### Behavior
///
/// - A commit is in flight until its response has arrived, which the handle then shows.
/// - A failure is thrown and shown.
/// - A response with errors and no data is shown as a failure, and `commit` returns it.
/// - The `result` of the response is what the handle shows, and what `commit` of the environment returns too.
/// - Of the commits that have ended, the result of the one that began last is shown.
/// - Observers are told of the begin and of the end of a commit.
/// - `cancel()` ends every commit that is in flight, and reverts its optimistic change.
/// - A commit goes on when the handle ends.
/// - Commits with one `serial` key are sent one after the other.
/// - A commit that waits in a queue shows its optimistic change at once.
/// - A commit that waits in a queue is not sent after a reset.
/// - After a reset nothing is shown.
/// - A commit that began before a reset ends as cancelled, which is not shown.
/// - The configuration of a commit takes the place of that of the handle.
/// - The files of a commit go with its request.
/// - Each commit has an idempotency key of its own.
public final class MutationHandle<Operation: GraphQLMutation>: ObservableHandle {
    let core: MutationCore<Operation>

    /// Makes a handle. Nothing is sent before a `commit`.
    ///
    /// - Parameters:
    ///   - environment: The environment of the data.
    ///   - configuration: The configuration of each request of the handle. Its `idempotencyKey` is not used, because a
    ///     server takes two commits with one key for the same commit.
    public init(
        in environment: RelayEnvironment, configuration: RequestConfiguration = RequestConfiguration()
    ) {
        var configuration = configuration
        configuration.idempotencyKey = nil
        core = MutationCore(environment, configuration)
    }

    deinit { core.letGo() }

    /// Executes the mutation; see ``RelayEnvironment/commit(_:optimistic:serial:configuration:update:)``.
    ///
    /// A cancelled task reverts the optimistic change and cancels the request. `configuration` is for this request, for
    /// example with its files; without it, the configuration of the handle is used.
    @discardableResult
    public func commit(
        _ mutation: Operation, optimistic: OptimisticUpdate<Operation>? = nil, serial: String? = nil,
        configuration: RequestConfiguration? = nil,
        update: (@Sendable (RecordSourceProxy, Operation.Data) throws -> Void)? = nil
    ) async throws(RelayError) -> GraphQLResponse<Operation> {
        try await core.commit(mutation, optimistic, serial, update, configuration)
    }

    /// Executes the mutation; the method that generated code calls. Code of earlier compilers has no configuration.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public func __commit(
        _ mutation: Operation, _ optimistic: OptimisticUpdate<Operation>?, _ serial: String?,
        _ update: GeneratedCode.Updater<Operation>?, _ configuration: RequestConfiguration? = nil
    ) async throws(RelayError) -> GraphQLResponse<Operation> {
        try await core.commit(mutation, optimistic, serial, update, configuration)
    }

    /// Cancels every commit of this handle that is in flight, as a cancellation of their tasks would.
    public func cancel() { core.cancel() }

    /// True while a commit has no result.
    public var isFetching: Bool {
        Recording.note(core)
        return core.isFetching
    }

    /// The result of a commit; `loading` before the first commit, and after a reset.
    public var result: QueryResult<Operation.Data> { core.result() }

    /// The response of the commit whose result is shown; nil if there was none.
    public var response: GraphQLResponse<Operation>? {
        Recording.note(core)
        return core.response
    }

    /// Runs the body on an actor: with the current state, and after every change of ``result`` or ``isFetching``.
    @discardableResult
    public func observe<Observer: Actor>(
        on observer: Observer, _ body: @escaping @Sendable (isolated Observer, QueryResult<Operation.Data>) -> Void
    ) -> ObservationToken {
        core.observe(on: observer, body)
    }

    /// Runs the body on the main actor: with the current state, and after every change of ``result`` or
    /// ``isFetching``.
    @discardableResult
    public func observe(
        on main: MainActor, _ body: @escaping @MainActor @Sendable (QueryResult<Operation.Data>) -> Void
    ) -> ObservationToken {
        core.observe(on: main, body)
    }

    /// The current result and every newer one, until the handle is deinitialized.
    public var results: QueryResults<Operation.Data> { QueryResults(core: core) }
}

extension GeneratedCode {
    /// An update that runs in the publish of a response.
    public typealias Updater<Operation: GraphQLOperation> =
        @Sendable (RecordSourceProxy, Operation.Data) throws -> Void
}

extension MutationHandle where Operation.Variables == GeneratedCode.NoVariables {
    /// Executes a mutation without variables; see ``commit(_:optimistic:serial:configuration:update:)``.
    @discardableResult
    public func commit(
        optimistic: OptimisticUpdate<Operation>? = nil, serial: String? = nil,
        configuration: RequestConfiguration? = nil,
        update: (@Sendable (RecordSourceProxy, Operation.Data) throws -> Void)? = nil
    ) async throws(RelayError) -> GraphQLResponse<Operation> {
        try await core.commit(Operation(), optimistic, serial, update, configuration)
    }
}
