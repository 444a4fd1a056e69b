/// The records, the network and the requests in flight of one app, user session or test.
///
/// Handles belong to an environment, and references from one environment cannot be used in another. Every method may be
/// called from any thread. All state is in the environment and its handles: two environments share nothing.
public final class RelayEnvironment: Sendable {
    /// The version of Baton, such as `0.1.0`. The program `baton` prints the same with `--version`.
    public static var version: String { BatonVersion.text }

    /// The records and their subscriptions.
    package let store: Store
    /// Counts the work that is under way, for tests and scripts that wait until all work has ended.
    package let activity: Activity
    let requests: RequestTable
    /// The store's operations, with their holders.
    let operations: Operations
    let lastFetches: LastFetches
    let collection: CollectionSchedule
    let deliveries: Deliveries
    let handles = LiveHandles()
    /// The handles that fetch again by themselves.
    let refreshes: RefreshWatch
    /// Why the file of the records could not be opened; nil if it was, or if there is none.
    let fileFailure: PersistenceError?
    let serials = SerialTurns()
    let log: EnvironmentLog
    /// Those who are told of each frame that is drawn.
    package let frameWatch = FrameWatch()
    /// Sleeps until a time since the environment was made.
    let sleep: @Sendable (Duration) async throws -> Void

    init(_ parts: EnvironmentParts) {
        let services = parts.requests.services
        requests = parts.requests
        store = services.store
        operations = services.store.operations
        activity = services.activity
        lastFetches = services.lastFetches
        deliveries = services.deliveries
        log = services.log
        sleep = services.sleep
        collection = parts.collection
        refreshes = services.refreshes
        fileFailure = parts.fileFailure
        if parts.ownsStore { store.home.setOwner(self) }
    }

    /// Makes an environment with an empty store, or with the records of a file.
    ///
    ///     let environment = RelayEnvironment(network: network, log: LogPrinter().print)
    ///
    /// - Parameters:
    ///   - network: Carries the requests.
    ///   - options: The options of the store.
    ///   - persistence: The file that keeps the records over a restart, which is opened now; nil for memory alone. If
    ///     it cannot be opened, the environment works in memory, and the log and ``flush()`` say why.
    ///   - clock: Gives the times of fetches; a test can pass its own clock.
    ///   - log: Called synchronously for every event. ``LogPrinter`` is a ready-made log. Without a log a debug build
    ///     writes the first mistake of each kind (``LogEvent/isMistake``) to standard error; `{ _ in }` writes nothing.
    ///   - dataID: Chooses the identity of objects where the rule described at ``DataID`` does not apply.
    public convenience init(
        network: any NetworkLayer,
        options: StoreOptions = StoreOptions(),
        persistence: (any Persistence)? = nil,
        clock: some Clock<Duration> = ContinuousClock(),
        log: (@Sendable (LogEvent) -> Void)? = nil,
        dataID: DataID.Function? = nil
    ) {
        self.init(.fresh(network, dataID, options, persistence?.makeFile().disk, clock, log))
    }

    /// Makes an environment that begins with the data of a base, for one request of a server for instance.
    ///
    ///     let base = shared.base()                                            // once, and again when data has changed
    ///     let environment = RelayEnvironment(over: base, network: network)    // for each request
    ///
    /// Takes constant time and memory at first, and later as much as is written. The first response copies the list of
    /// the base's fetches, 48 bytes for each. Options, clock and identities are those of the environment of the base.
    /// Times of fetches and ages continue from that environment.
    ///
    /// ### Behavior
    ///
    /// - The environment reads what the base has as if it had fetched it.
    /// - Fetch keys of the base count.
    /// - Invalidations of the base count.
    /// - Optimistic changes are no part of the base.
    /// - No environment sees the writes of another.
    /// - The base keeps records that the shared environment collects.
    /// - An environment over a base collects nothing.
    /// - A reset empties one environment alone.
    ///
    /// - Parameters:
    ///   - base: The data to begin with.
    ///   - network: Carries the requests, for instance with the credentials of one user.
    ///   - log: Called synchronously for every event. Without a log a debug build writes the first mistake of each kind
    ///     to standard error, once for all environments over the base.
    public convenience init(
        over base: EnvironmentBase, network: any NetworkLayer, log: (@Sendable (LogEvent) -> Void)? = nil
    ) {
        self.init(.over(base, network, log))
    }

    /// Returns the current data as a base, over which any number of environments can be made.
    ///
    /// Optimistic changes, handles, and requests in flight are no part of it. Takes time linear in the number of
    /// fetched operations. The first write afterwards copies the tables that it changes.
    public func base() -> EnvironmentBase { EnvironmentBase(of: self) }

    /// Reads a fragment and reports problems of the read to the log; nil if the reference comes from another
    /// environment.
    func readResult<Fragment: GraphQLFragment>(of reference: FragmentReference<Fragment>) -> ReadResult<Fragment.Data>?
    {
        guard let bound = store.bind(reference) else { return nil }
        let result = store.read(Fragment.Data.self, at: bound.record, bound.selections)
        report(result.problems, of: bound.owner)
        if result.isMissingData, !store.isArriving(at: bound.record, bound.selections) {
            reportMissing(Fragment.artifact.name, bound.owner, bound.selections, at: bound.record)
        }
        return result
    }

    /// Retains the data of an operation until the returned object is released or deinitialized.
    public func retain<Operation: GraphQLOperation>(_ operation: Operation) -> Retention {
        Retention(store.bind(operation), in: operations)
    }

    /// The time since the environment was made.
    var now: @Sendable () -> Duration { log.now }

    /// Reports an event to the log. Must not be called while a lock is held.
    func emit(_ event: @autoclosure () -> LogEvent) { log.emit(event()) }
}

extension RelayEnvironment: RecordOwner {
    var source: any RecordSource { store }

    /// Returns the environment of an operation's store. If that environment is gone, returns one without data.
    ///
    /// This method is the only way from the store's data to the environment, and it takes casts. Operations and
    /// references are declared in folders before the environment, which cannot name it. A reference in generated code
    /// has no type parameter for its environment either. With a protocol that makes handles instead, those folders
    /// would have to name handles.
    static func home(of operation: BoundOperation) -> RelayEnvironment {
        if let environment = operation.home.owner as? RelayEnvironment { return environment }
        // Without a store there is no data, and every reference is foreign.
        return RelayEnvironment(.around(operation.kept as? Store ?? Store()))
    }
}
