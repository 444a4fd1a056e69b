/// The parts of an environment.
struct EnvironmentParts: Sendable {
    /// The requests in flight, with the parts that they use: the store, the network, the log.
    let requests: RequestTable
    let collection: CollectionSchedule
    /// True if references into the store find the environment.
    var ownsStore = true
    /// Why the file of the records could not be opened; nil if it was, or if there is none.
    var fileFailure: PersistenceError?
}

extension EnvironmentParts {
    /// Makes the parts of an environment with an empty store, or with one over a file.
    static func fresh(
        _ network: any NetworkLayer, _ dataID: DataID.Function?, _ options: StoreOptions,
        _ disk: (any RecordDisk)?, _ clock: some Clock<Duration>, _ log: (@Sendable (LogEvent) -> Void)?
    ) -> EnvironmentParts {
        let start = clock.now
        let now: @Sendable () -> Duration = { start.duration(to: clock.now) }
        let report: @Sendable (DiskEvent) -> Void = { event in log?(LogEvent(event)) }
        let (store, failure) = Store.opened(
            disk, dataID: dataID, options: options, now: now, Hook(report))
        let services = RequestServices(
            store, network, EnvironmentLog(log, now: now), sleep: BoundedTime.sleeping(on: clock, since: start))
        let collection = CollectionSchedule(
            store: services.store, activity: services.activity, memoryBudget: options.memoryBudget,
            sleep: services.sleep
        ) { event in log?(.collected(event)) }
        return EnvironmentParts(
            requests: RequestTable(services), collection: collection, fileFailure: failure)
    }

    /// Makes the parts of an environment with a store of its own. It shares the other parts with another environment,
    /// which counts, numbers and logs its requests.
    static func aside(_ other: RelayEnvironment) -> EnvironmentParts {
        // The records are those of one response and are freed with it.
        var options = other.store.options
        options.releaseBufferSize = 0
        let store = Store(dataID: other.store.customDataID, options: options, now: other.now)
        let services = RequestServices(aside: other.requests.services, store)
        return EnvironmentParts(
            requests: RequestTable(services, aside: other.requests), collection: other.collection)
    }

    /// Makes the parts of an environment that begins with the data of a base.
    static func over(
        _ base: EnvironmentBase, _ network: any NetworkLayer, _ log: (@Sendable (LogEvent) -> Void)?
    ) -> EnvironmentParts {
        #if DEBUG
            let log = EnvironmentLog(
                log, now: base.store.now, said: base.said, compared: base.compared, mistakes: base.mistakes)
        #else
            let log = EnvironmentLog(log, now: base.store.now, said: base.said)
        #endif
        let services = RequestServices(Store(over: base.store), network, log, sleep: base.sleep)
        let collection = CollectionSchedule(
            store: services.store, activity: services.activity, memoryBudget: nil, sleep: base.sleep, emit: { _ in })
        // The records of the base have no holders here, so a collection would remove them.
        collection.hold()
        return EnvironmentParts(
            requests: RequestTable(services, after: base.lastRequest), collection: collection)
    }

    /// Makes the parts of an environment around a store that has none. The store's data can be read, but nothing is
    /// fetched, and mistakes are not reported.
    static func around(_ store: Store) -> EnvironmentParts {
        #if DEBUG
            let log = EnvironmentLog(nil, now: store.now, mistakes: nil)
        #else
            let log = EnvironmentLog(nil, now: store.now)
        #endif
        let services = RequestServices(store, NoNetwork(), log, sleep: { _ in throw CancellationError() })
        let collection = CollectionSchedule(
            store: store, activity: services.activity, memoryBudget: nil, sleep: services.sleep, emit: { _ in })
        return EnvironmentParts(requests: RequestTable(services), collection: collection, ownsStore: false)
    }
}

/// A network without a service.
private struct NoNetwork: NetworkLayer {
    func send(_ request: NetworkRequest) async throws -> NetworkResponse { throw RelayError.cancelled }
}
