/// The parts of an environment that a request uses.
struct RequestServices: Sendable {
    let store: Store
    let network: any NetworkLayer
    let log: EnvironmentLog
    let activity: Activity
    let deliveries: Deliveries
    let lastFetches: LastFetches
    /// The handles that fetch again by themselves.
    let refreshes: RefreshWatch
    /// Sleeps until a time since the environment was made.
    let sleep: @Sendable (Duration) async throws -> Void
}

extension RequestServices {
    /// Makes the services of an environment of its own.
    init(
        _ store: Store, _ network: any NetworkLayer, _ log: EnvironmentLog,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        let activity = Activity()
        self.init(
            store: store, network: network, log: log, activity: activity, deliveries: Deliveries(activity: activity),
            lastFetches: LastFetches(of: store.operations), refreshes: RefreshWatch(activity: activity), sleep: sleep)
    }

    /// Makes the services of an environment that fetches aside, into a store of its own.
    init(aside other: RequestServices, _ store: Store) {
        self.init(
            store: store, network: other.network, log: other.log, activity: other.activity,
            deliveries: other.deliveries, lastFetches: LastFetches(of: store.operations),
            refreshes: RefreshWatch(activity: other.activity), sleep: other.sleep)
    }
}
