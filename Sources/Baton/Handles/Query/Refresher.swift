// Freshness has several owners, this one for what fetches again by itself; ReadingTheDesign.md names the others.

/// The part of a query handle that fetches again by itself. Only handles that have a trigger or poll have one.
///
/// State: guarded by a lock of its own, a leaf.
final class Refresher: Refreshable {
    /// A field that a response has lacked.
    private struct Gap: Equatable {
        let operation: ObjectIdentifier
        let record: RecordID
        let key: StorageKeyID?
    }

    private struct State {
        /// The newest version after whose invalidations the data was fetched again.
        var handled: Epoch = 0
        var knownGap: Gap?
        /// True if the data is to be fetched again after the request in flight, which may have been answered before a
        /// subscription was there again.
        var isReconnectDue = false
        /// Waits until the data may be fetched again after a loss.
        var lossTimer: Task<Void, Never>?
        var interval: Duration?
        var lastPoll = Duration.zero
        var pollTimer: Task<Void, Never>?
        var isClosed = false
    }

    let triggers: Freshness.Triggers
    private let environment: RelayEnvironment
    private weak let core: QueryCore?
    /// The pauses between fetches because of lost fields.
    private let losses: LossPauses
    private let state = Guarded(State())

    init(of core: QueryCore, _ triggers: Freshness.Triggers) {
        self.core = core
        self.triggers = triggers
        environment = core.environment
        losses = core.losses
    }

    /// Begins to listen.
    func begin() {
        if !triggers.isEmpty { environment.refreshes.add(self, to: environment.store.invalidationWatch) }
    }

    func close() {
        if !triggers.isEmpty { environment.refreshes.remove(self) }
        let tasks = state.withLock { state in
            state.isClosed = true
            return [state.lossTimer, state.pollTimer]
        }
        for task in tasks { task?.cancel() }
    }

    // MARK: - Triggers

    var operation: BoundOperation? { core?.operation }

    func refresh(because cause: RefreshCause) {
        guard let core, let operation = core.operation else { return }
        switch cause {
        case .invalidation: fetchAfterInvalidation(of: operation, core)
        case .missingData(let operations):
            if operations.contains(operation.identity) { fetchAfterLoss(of: operation, core) }
        case .signal(let trigger, let age):
            if trigger == .reconnected { return fetchAfterReconnection(of: operation, core) }
            let isYoung = environment.operations.fetch(of: operation).map { environment.now() - $0.time < age } ?? false
            let cause = LogEvent.Refresh.Cause(trigger)
            if let list = core.list { return list.receive(cause, of: core, isYoung: isYoung) }
            if core.isFetching || isYoung && core.fetchError == nil { return }
            core.refresh(operation, because: cause)
        }
    }

    /// Fetches again, once a request in flight has ended.
    private func fetchAfterReconnection(of operation: BoundOperation, _ core: QueryCore) {
        let waits = core.isFetching
        state.withLock { $0.isReconnectDue = waits }
        if !waits { return core.refresh(operation, because: .reconnected) }
        // The request may have ended meanwhile.
        if !core.isFetching { requestEnded(of: operation) }
    }

    /// Notes that a request of the handle has ended.
    func requestEnded(of operation: BoundOperation) {
        let isDue = state.withLock { state in
            defer { state.isReconnectDue = false }
            return state.isReconnectDue && !state.isClosed
        }
        if isDue { core?.refresh(operation, because: .reconnected) }
    }

    /// Fetches again after an invalidation, once, unless the data was fetched since or is being fetched.
    private func fetchAfterInvalidation(of operation: BoundOperation, _ core: QueryCore) {
        let store = environment.store
        let epoch = store.epoch
        let since = max(store.operations.fetch(of: operation)?.epoch ?? 0, state.withLock { $0.handled })
        guard store.wasInvalidated(operation, since: since) else { return }
        if core.isFetching, let current = environment.requests[operation],
            !store.wasInvalidated(operation, since: current.began)
        {
            return
        }
        state.withLock { $0.handled = max($0.handled, epoch) }
        if !environment.check(operation).isAvailable { core.refresh(operation, because: .invalidation) }
    }

    // MARK: - Missing data

    /// Notes what a response has lacked, because another request would not bring it.
    func noteMissing(in operation: BoundOperation) {
        guard triggers.contains(.missingData) else { return }
        let gap = gap(of: operation)
        state.withLock { $0.knownGap = gap }
    }

    private func gap(of operation: BoundOperation) -> Gap? {
        guard case .missing(let place) = environment.check(operation, isArriving: false) else { return nil }
        return Gap(operation: operation.identity, record: place.record, key: place.key)
    }

    private func fetchAfterLoss(of operation: BoundOperation, _ core: QueryCore) {
        guard core.phase == .showing, !core.isFetching, let gap = gap(of: operation) else { return }
        let now = environment.now()
        let isNews = state.withLock { !$0.isClosed && $0.knownGap != gap && $0.lossTimer == nil }
        guard isNews else { return }
        let time = losses.nextTime(at: now)
        let isDue = state.withLock { state in
            guard !state.isClosed, state.lossTimer == nil else { return false }
            guard let time else { return true }
            state.lossTimer = Task { [weak self, sleep = environment.sleep] in
                guard (try? await sleep(time)) != nil else { return }
                self?.lossIsDue()
            }
            return false
        }
        if isDue { core.refresh(operation, because: .missingData) }
    }

    private func lossIsDue() {
        state.withLock { $0.lossTimer = nil }
        if let core, let operation = core.operation { fetchAfterLoss(of: operation, core) }
    }

    // MARK: - Polling

    /// Begins to poll, or ends it. A call with the interval of the last one does nothing.
    func poll(every interval: Duration?) {
        let interval = interval.map(BoundedTime.interval)
        if state.withLock({ $0.interval == interval }) { return }
        let now = environment.now()
        let old = state.withLock { state -> Task<Void, Never>? in
            let old = state.pollTimer
            (state.interval, state.pollTimer, state.lastPoll) = (interval, nil, now)
            guard interval != nil, !state.isClosed else { return old }
            state.pollTimer = Task { [weak self, sleep = environment.sleep] in
                while let time = self?.nextPoll, (try? await sleep(time)) != nil { self?.pollIfDue() }
            }
            return old
        }
        old?.cancel()
    }

    /// The time of the next poll; nil if there is none.
    private var nextPoll: Duration? {
        let (interval, last) = state.withLock { ($0.isClosed ? nil : $0.interval, $0.lastPoll) }
        guard let interval, let core else { return nil }
        let fetched = core.operation.flatMap { environment.operations.fetch(of: $0) }?.time
        return max(last, fetched ?? last) + interval
    }

    private func pollIfDue() {
        let now = environment.now()
        guard let time = nextPoll, time <= now, let core else { return }
        state.withLock { $0.lastPoll = now }
        if let operation = core.operation, !core.isFetching { core.refresh(operation, because: .poll) }
    }
}

extension LogEvent.Refresh.Cause {
    /// The cause that a signal of the application is.
    fileprivate init(_ trigger: Freshness.Triggers) {
        self = trigger == .networkReturned ? .networkReturned : .applicationReturned
    }
}
