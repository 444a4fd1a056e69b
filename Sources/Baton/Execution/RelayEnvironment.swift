/// The records, the network and the requests in flight of one app, user session or test.
///
/// Handles are made in an environment; references that came out of one are of no use in another. Every method may be
/// called from any thread. All state is here and in the handles: two environments share nothing.
public final class RelayEnvironment: Sendable {
    /// The records, and who reads them.
    package let store: Store
    /// Counts what is under way, for tests and scripts that wait until nothing moves.
    package let activity: Activity
    let network: any NetworkLayer
    let dataID: DataIDFunction?
    let options: StoreOptions
    let requests: RequestTable
    let operations: OperationLedger
    let collection: CollectionSchedule
    let postOffice: PostOffice
    let handles = LiveHandles()
    /// The time since the environment was made.
    let now: @Sendable () -> Duration
    #if DEBUG
        let compared: ComparedArtifacts
    #endif
    private let log: (@Sendable (LogEvent) -> Void)?

    /// Makes an environment with an empty store.
    ///
    ///     let environment = RelayEnvironment(network: network, log: LogPrinter().print)
    ///
    /// - Parameters:
    ///   - network: carries the requests.
    ///   - options: how the store keeps its records.
    ///   - clock: tells when an operation was fetched; a test gives its own.
    ///   - log: hears of everything that happens, synchronously. ``LogPrinter`` is one that is ready.
    public convenience init(
        network: any NetworkLayer,
        options: StoreOptions = StoreOptions(),
        clock: some Clock<Duration> = ContinuousClock(),
        log: (@Sendable (LogEvent) -> Void)? = nil
    ) {
        self.init(network: network, dataID: nil, options: options, clock: clock, log: log)
    }

    // Without a default: a trailing closure would bind to it, and not to the log.
    /// Makes an environment with an empty store that chooses identities by a rule of its own.
    ///
    /// - Parameters:
    ///   - network: carries the requests.
    ///   - dataID: chooses the identity of objects where the rule described at ``DataID`` is not right.
    ///   - options: how the store keeps its records.
    ///   - clock: tells when an operation was fetched; a test gives its own.
    ///   - log: hears of everything that happens, synchronously. ``LogPrinter`` is one that is ready.
    public init(
        network: any NetworkLayer,
        dataID: DataIDFunction?,
        options: StoreOptions = StoreOptions(),
        clock: some Clock<Duration> = ContinuousClock(),
        log: (@Sendable (LogEvent) -> Void)? = nil
    ) {
        self.network = network
        self.dataID = dataID
        self.options = options
        self.log = log
        #if DEBUG
            compared = ComparedArtifacts()
        #endif
        activity = Activity()
        requests = RequestTable()
        let start = clock.now
        now = { start.duration(to: clock.now) }
        store = Store(dataID: dataID, options: options, now: now)
        postOffice = PostOffice(activity: activity)
        operations = OperationLedger(store: store, options: options, now: now)
        collection = CollectionSchedule(
            store: store, ledger: operations, activity: activity, memoryBudget: options.memoryBudget,
            sleep: { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) },
            emit: { event in log?(.collected(event)) })
        store.setOwner(self)
    }

    /// An environment with a store of its own that is otherwise the same: its requests are counted, numbered and logged
    /// there.
    init(aside other: RelayEnvironment) {
        network = other.network
        dataID = other.dataID
        options = other.options
        log = other.log
        #if DEBUG
            compared = other.compared
        #endif
        activity = other.activity
        postOffice = other.postOffice
        now = other.now
        requests = RequestTable(aside: other.requests)
        store = Store(dataID: other.dataID, options: other.options, now: other.now)
        // Its records are those of one answer, and go with it.
        collection = other.collection
        var options = other.options
        options.releaseBufferSize = 0
        operations = OperationLedger(store: store, options: options, now: now)
        store.setOwner(self)
    }

    /// An environment for what came out of a store whose own is gone: what is there is read, and nothing is fetched.
    init(around store: Store) {
        self.store = store
        network = NoNetwork()
        dataID = nil
        options = store.options
        log = nil
        #if DEBUG
            compared = ComparedArtifacts()
        #endif
        activity = Activity()
        postOffice = PostOffice(activity: activity)
        now = store.now
        requests = RequestTable()
        operations = OperationLedger(store: store, options: options, now: now)
        collection = CollectionSchedule(
            store: store, ledger: operations, activity: activity, memoryBudget: nil,
            sleep: { _ in throw CancellationError() }, emit: { _ in })
    }

    /// The data of a fragment at this moment, without subscribing; nil if it is not there, or if the reference comes
    /// from another environment.
    public func read<Fragment: GraphQLFragment>(_ reference: FragmentReference<Fragment>) -> Fragment.Data? {
        guard let bound = store.bind(reference) else { return nil }
        let snapshot = store.read(Fragment.Data.self, at: bound.record, bound.selections, tracking: false)
        report(snapshot.problems, of: bound.owner)
        if snapshot.isMissingData {
            reportMissing(Fragment.artifact.name, bound.owner, bound.selections, at: bound.record)
        }
        return snapshot.data
    }

    /// Keeps what an operation selects in the store until the returned object is released or dies.
    public func retain<Operation: GraphQLOperation>(_ operation: Operation) -> Retention {
        Retention(store.bind(operation), in: operations)
    }

    /// True if a log hook listens, so that events need not be put together for nobody.
    var isLogging: Bool { log != nil }

    /// Tells the log hook. Never call it while holding a lock.
    func emit(_ event: @autoclosure () -> LogEvent) {
        if let log { log(event()) }
    }

    /// True if the last fetch of an operation was asked for under that key, and nothing has gone since of what it
    /// brought.
    func isFetched(_ operation: BoundOperation, under key: FetchKey, _ availability: Availability) -> Bool {
        guard let fetch = store.lastFetch(of: operation), let keys = fetch.key as? FetchKeys else { return false }
        switch availability {
        case .available: break
        case .stale: return false
        case .missing:
            // To ask again for what the answer lacked would bring the same.
            if !fetch.isIncomplete || fetch.isRevoked || store.wasInvalidated(operation, since: fetch.epoch) {
                return false
            }
        }
        return keys.keys.contains(key)
    }
}

extension RelayEnvironment: StoreOwner {
    /// The environment whose store it is.
    static func home(of operation: BoundOperation) -> RelayEnvironment {
        // Nobody but a store binds operations; of anything else there is nothing to read.
        guard let store = operation.source as? Store else { return RelayEnvironment(around: Store()) }
        return store.owner as? RelayEnvironment ?? RelayEnvironment(around: store)
    }
}

/// Nothing can be fetched.
private struct NoNetwork: NetworkLayer {
    func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw RelayError.cancelled }
}
