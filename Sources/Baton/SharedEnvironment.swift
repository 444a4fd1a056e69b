/// The data that all requests of a server share: an environment that lives as long as the server, and its newest base.
///
///     let shared = SharedEnvironment(RelayEnvironment(network: network))
///
///     // For each request:
///     let environment = try await shared.environment(with: FilmQuery(id: "4"), network: network)
///     let film = QueryHandle<FilmQuery>(in: environment, fetchPolicy: .storeOnly).get(id: "4")
///
/// The environment of a request begins with the data of the queries that it names. What is written there, for one
/// visitor, no other request sees. <doc:RenderingOnAServer> has a whole page.
///
/// ### Behavior
///
/// - A query that was never fetched is waited for.
/// - Requests that wait for the same query share one fetch.
/// - Fresh data is used without a fetch.
/// - Data that is usable and no longer fresh is used at once, and fetched again, once for all requests.
/// - Data that is too old to be used is waited for.
/// - After a failure the same query fails at once until the pause is over.
/// - Data with errors at fields is used, and is fetched again after the pause.
/// - Data that was invalidated is not used: the next request waits for the query.
/// - What a mutation or an update changes in the shared environment is in the environments that are made afterwards.
/// - Of the queries that were asked for longest ago, those over the capacity are released.
/// - While the revision of some queries is the same, so is their data.
///
/// Every method may be called from any thread.
public final class SharedEnvironment: Sendable {
    private struct Entry {
        let operation: BoundOperation
        let retention: Retention
        /// The time of the last fetch that brought data; nil before the first one.
        var fetched: Duration?
        /// The failure of the last fetch; nil if it brought data without errors.
        var failure: Failure?
        var isRefreshing = false
        var lastUse: Duration
        /// The number of the last fetch that has ended, among those of all queries.
        var lastFetch: UInt64 = 0
    }

    private struct Failure {
        /// Nil if the fetch brought data with errors.
        let error: RelayError?
        /// The time until which nothing is sent again.
        let end: Duration
    }

    private struct State {
        /// The queries by `BoundOperation.identity`, which lasts as long as they are retained.
        var entries: [ObjectIdentifier: Entry] = [:]
        var base: EnvironmentBase?
        var version: (epoch: Epoch, generation: Int) = (0, 0)
        /// The number of fetches that have ended.
        var fetches: UInt64 = 0
    }

    /// What a request does about one query.
    private enum Decision {
        /// Use the data of the fetch with this number.
        case use(UInt64)
        /// Use the data of the fetch with this number, and fetch again.
        case refresh(UInt64)
        case wait
        case fail(RelayError)
    }

    /// The environment that has the shared data. Mutations of data that everybody sees are committed here.
    public let environment: RelayEnvironment
    private let ages: Ages
    private let capacity: Int
    /// A lock of its own, a leaf.
    private let state = Guarded(State())

    /// Shares the data of an environment.
    ///
    /// - Parameters:
    ///   - environment: The environment that fetches, with a network that serves everybody.
    ///   - ages: How old data may be.
    ///   - capacity: The greatest number of queries, with their variables, whose data is kept.
    public init(_ environment: RelayEnvironment, ages: Ages = Ages(), capacity: Int = 1_000) {
        self.environment = environment
        self.ages = ages
        self.capacity = max(1, capacity)
    }

    /// Makes the environment of one request, with the data of these queries.
    ///
    /// The queries that must be waited for are fetched at the same time. Takes constant time if all data is there.
    ///
    /// - Parameters:
    ///   - queries: The queries whose data the request needs.
    ///   - network: Carries the requests that the environment itself makes; nil for none, so that they fail.
    ///   - log: The log of the new environment.
    /// - Throws: The failure of the first of the queries that has no data. ``RelayError/publicFailure`` says what a
    ///   visitor may be told.
    public func environment(
        with queries: any GraphQLQuery..., network: (any NetworkLayer)? = nil,
        log: @escaping @Sendable (LogEvent) -> Void = { _ in }
    ) async throws(RelayError) -> RelayEnvironment {
        try await environment(with: queries, network: network, log: log)
    }

    /// Makes the environment of one request, with the data of a list of queries. Throws as that of single queries does.
    public func environment(
        with queries: [any GraphQLQuery], network: (any NetworkLayer)? = nil,
        log: @escaping @Sendable (LogEvent) -> Void = { _ in }
    ) async throws(RelayError) -> RelayEnvironment {
        var missing: [any GraphQLQuery] = []
        for query in queries {
            switch decide(query) {
            case .use: break
            case .refresh: refresh(query)
            case .wait: missing.append(query)
            case .fail(let error): throw error
            }
        }
        if missing.count == 1, let query = missing.first { try await fetch(query) }
        if missing.count > 1 { try await fetchAll(missing) }
        return RelayEnvironment(over: newestBase, network: network ?? NoNetwork(), log: log)
    }

    /// The revision of the data of these queries; nil if a request that names them would wait or fail.
    ///
    /// What was made of the data, such as the bytes of a page, may be used again while the revision stays equal. Ask
    /// for the revision first and make the environment afterwards: then what lands in between makes the revision a new
    /// one. Data that is no longer fresh is fetched again in the background, as by `environment(with:)`,
    /// and a revision ends with each fetch of one of the queries and with each change of the shared data.
    ///
    /// Takes constant time for each query.
    public func revision(of queries: [any GraphQLQuery]) -> Revision? {
        let version = environment.store.version
        var newest: UInt64 = 0
        for query in queries {
            switch decide(query) {
            case .use(let fetch): newest = max(newest, fetch)
            case .refresh(let fetch):
                newest = max(newest, fetch)
                refresh(query)
            case .wait, .fail: return nil
            }
        }
        return Revision(epoch: version.epoch, generation: version.generation, newestFetch: newest)
    }

    /// The time since the last fetch that brought data for the query; nil if there is none.
    public func age(of query: some GraphQLQuery) -> Duration? {
        let identity = environment.store.bind(query).identity
        let now = environment.now()
        return state.withLock { $0.entries[identity]?.fetched }.map { now - $0 }
    }

    /// True if a request that names the query would not wait: its data is usable, or its last fetch has just failed.
    public func isReady(_ query: some GraphQLQuery) -> Bool {
        if case .wait = decide(query, isAsking: false) { false } else { true }
    }

    /// The errors of the last response to the query, which has data all the same.
    public func errors(of query: some GraphQLQuery) -> [GraphQLError] {
        environment.lastFetches.errors(of: environment.store.bind(query))
    }

    // MARK: - Deciding

    private func decide(_ query: some GraphQLQuery, isAsking: Bool = true) -> Decision {
        let operation = environment.store.bind(query)
        if let refusal = operation.refusal { return .fail(refusal) }
        let now = environment.now()
        let isInvalidated = wasInvalidated(operation)
        return state.withLock { state in
            guard var entry = state.entries[operation.identity] else { return .wait }
            entry.lastUse = now
            defer { state.entries[operation.identity] = entry }
            let pause = entry.failure.flatMap { $0.end > now ? $0 : nil }
            guard let fetched = entry.fetched, now - fetched < max(ages.usable, ages.fresh), !isInvalidated else {
                return pause?.error.map { .fail($0) } ?? .wait
            }
            let isOld = now - fetched >= ages.fresh || entry.failure != nil
            guard isOld, pause == nil, !entry.isRefreshing, isAsking else { return .use(entry.lastFetch) }
            entry.isRefreshing = true
            return .refresh(entry.lastFetch)
        }
    }

    /// True if the query, the store or a part of the query's data was invalidated since the last request began that
    /// brought its data. As long as nothing was ever invalidated, this takes constant time.
    private func wasInvalidated(_ operation: BoundOperation) -> Bool {
        let store = environment.store
        return store.operations.fetch(of: operation).map { store.wasInvalidated(operation, since: $0.epoch) } ?? false
    }

    // MARK: - Fetching

    private func refresh(_ query: some GraphQLQuery) { Task { [self] in try? await fetch(query) } }

    private func fetchAll(_ queries: [any GraphQLQuery]) async throws(RelayError) {
        let failures = await withTaskGroup(of: (Int, RelayError?).self) { group in
            for (index, query) in queries.enumerated() {
                group.addTask { [self] in
                    do throws(RelayError) {
                        try await fetch(query)
                        return (index, nil)
                    } catch { return (index, error) }
                }
            }
            return await group.reduce(into: [Int: RelayError]()) { $0[$1.0] = $1.1 }
        }
        if let first = failures.keys.min(), let error = failures[first] { throw error }
    }

    private func fetch(_ query: some GraphQLQuery) async throws(RelayError) {
        let operation = environment.store.bind(query)
        // The operation is retained before its data lands.
        let retention = Retention(operation, in: environment.operations)
        do throws(RelayError) {
            let configuration = RequestConfiguration(timeout: ages.timeout)
            let response = try await environment.fetchLast(query, .networkOnly, configuration)
            if case .failure(let error) = response.result { throw error }
            note(
                operation, retention, response.errors.isEmpty ? nil : Failure(error: nil, end: pauseEnd), hasData: true)
        } catch {
            // A cancelled request says nothing about the server.
            let failure = error == .cancelled ? nil : Failure(error: error, end: pauseEnd)
            note(operation, retention, failure, hasData: false)
            throw error
        }
    }

    private var pauseEnd: Duration { BoundedTime.end(of: ages.pause, from: environment.now()) }

    private func note(_ operation: BoundOperation, _ retention: Retention, _ failure: Failure?, hasData: Bool) {
        let now = environment.now()
        // What is released here is released outside of the lock.
        let dropped = state.withLock { state -> [Entry] in
            var entry =
                state.entries[operation.identity]
                ?? Entry(operation: operation, retention: retention, lastUse: now)
            if hasData { entry.fetched = now }
            entry.failure = failure
            entry.isRefreshing = false
            state.fetches += 1
            entry.lastFetch = state.fetches
            state.entries[operation.identity] = entry
            guard state.entries.count > capacity else { return [] }
            let oldest = state.entries.sorted { $0.value.lastUse < $1.value.lastUse }
            let surplus = oldest.prefix(max(1, state.entries.count - capacity + capacity / 10))
            for (identity, _) in surplus { state.entries[identity] = nil }
            return surplus.map(\.value)
        }
        withExtendedLifetime(dropped) {}
    }

    // MARK: - The base

    /// The base with everything that has landed. It is made anew only after a change.
    private var newestBase: EnvironmentBase {
        let version = environment.store.version
        let known = state.withLock { $0.version == version ? $0.base : nil }
        if let known { return known }
        let base = environment.base()
        // The base before is released outside of the lock.
        let before = state.withLock { state -> EnvironmentBase? in
            guard state.base == nil || state.version <= version else { return nil }
            defer { (state.base, state.version) = (base, version) }
            return state.base
        }
        withExtendedLifetime(before) {}
        return base
    }
}

/// The network of a request that asks nobody.
private struct NoNetwork: NetworkLayer {
    func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        throw RelayError.notInStore(component: request.operationName)
    }
}
