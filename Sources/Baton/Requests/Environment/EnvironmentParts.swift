/// What an environment is made of.
struct EnvironmentParts: Sendable {
    let store: Store
    let network: any NetworkLayer
    let log: EnvironmentLog
    let activity: Activity
    let deliveries: Deliveries
    let collection: CollectionSchedule
    let requests: RequestTable
    /// Sleeps until a time since the environment was made.
    let sleep: @Sendable (Duration) async throws -> Void
    /// True if references into the store find the environment.
    var ownsStore = true
}

extension EnvironmentParts {
    /// The parts of an environment with an empty store.
    static func fresh(
        _ network: any NetworkLayer, _ dataID: DataIDFunction?, _ options: StoreOptions, _ clock: some Clock<Duration>,
        _ log: (@Sendable (LogEvent) -> Void)?
    ) -> EnvironmentParts {
        let start = clock.now
        let now: @Sendable () -> Duration = { start.duration(to: clock.now) }
        let sleep = BoundedTime.sleeping(on: clock, since: start)
        let store = Store(dataID: dataID, options: options, isKeptByOperations: false, now: now)
        let activity = Activity()
        let collection = CollectionSchedule(
            store: store, activity: activity, memoryBudget: options.memoryBudget, sleep: sleep
        ) { event in log?(.collected(event)) }
        return EnvironmentParts(
            store: store, network: network, log: EnvironmentLog(log, now: now), activity: activity,
            deliveries: Deliveries(activity: activity), collection: collection, requests: RequestTable(), sleep: sleep)
    }

    /// The parts of an environment with a store of its own that shares the rest with another one: requests are counted,
    /// numbered and logged there.
    static func aside(_ other: RelayEnvironment) -> EnvironmentParts {
        // The records are those of one response and are freed with it.
        var options = other.store.options
        options.releaseBufferSize = 0
        return EnvironmentParts(
            store: Store(dataID: other.store.customDataID, options: options, now: other.now), network: other.network,
            log: other.log, activity: other.activity, deliveries: other.deliveries, collection: other.collection,
            requests: RequestTable(aside: other.requests), sleep: other.sleep)
    }

    /// The parts of an environment that begins with the data of a base.
    static func over(
        _ base: EnvironmentBase, _ network: any NetworkLayer, _ log: (@Sendable (LogEvent) -> Void)?
    ) -> EnvironmentParts {
        let now = base.store.now
        #if DEBUG
            let log = EnvironmentLog(log, now: now, compared: base.compared, mistakes: base.mistakes)
        #else
            let log = EnvironmentLog(log, now: now)
        #endif
        let store = Store(over: base.store)
        let activity = Activity()
        let collection = CollectionSchedule(
            store: store, activity: activity, memoryBudget: nil, sleep: base.sleep, emit: { _ in })
        // The records of the base have no holders here, so a collection would take them.
        collection.hold()
        return EnvironmentParts(
            store: store, network: network, log: log, activity: activity, deliveries: Deliveries(activity: activity),
            collection: collection, requests: RequestTable(after: base.lastRequest), sleep: base.sleep)
    }

    /// The parts of an environment around a store that has none. The store's data can be read, but nothing is fetched,
    /// and nobody is told of mistakes.
    static func around(_ store: Store) -> EnvironmentParts {
        #if DEBUG
            let log = EnvironmentLog(nil, now: store.now, mistakes: nil)
        #else
            let log = EnvironmentLog(nil, now: store.now)
        #endif
        let activity = Activity()
        let sleep: @Sendable (Duration) async throws -> Void = { _ in throw CancellationError() }
        return EnvironmentParts(
            store: store, network: NoNetwork(), log: log, activity: activity,
            deliveries: Deliveries(activity: activity),
            collection: CollectionSchedule(
                store: store, activity: activity, memoryBudget: nil, sleep: sleep, emit: { _ in }),
            requests: RequestTable(), sleep: sleep, ownsStore: false)
    }
}

/// A network without a service.
private struct NoNetwork: NetworkLayer {
    func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw RelayError.cancelled }
}
