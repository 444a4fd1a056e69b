import Synchronization

/// The part of a query handle that the store, requests and observers refer to. It is the shell of a `QueryMachine`.
///
/// The class does not depend on the types of the operation and its data except in calls of `read` (benchmark
/// `small.deliver-us`). The machine decides. `QueryState` changes the state inside the lock, and `QueryEffects` calls
/// other objects outside it. No code of the application runs inside the lock. Requested queries are compared outside
/// the lock; inside it only their identity is checked.
///
/// State: that of `loop`; `lastCall`, under a lock inside that of the state.
final class QueryCore: ReaderCore, Resettable, ReadingSource {
    /// True while an answer for the handle lands: from before it is in the store until the handle has got all of it.
    var isLanding: Bool { landing.load(ordering: .acquiring) }
    private let landing = Atomic(false)
    let environment: RelayEnvironment
    let component: String
    let observers = Observers()
    private let options: FetchOptions
    private var policy: FetchPolicy { options.policy }
    /// The query that was fetched before there was a handle; nil after the first call of `get`.
    private let preloaded: Guarded<(any Preloaded)?>
    /// What fetches again by itself, if the handle has a trigger or has ever polled.
    private let lateRefresher = LateReference<Refresher>()
    private let loop: ReaderLoop<QueryState>
    /// The last call of `get`, as an object of a type that the caller knows. A generic class instead would be looked up
    /// several times in each `get`: 600 ns instead of 200.
    private let call = Guarded<(any AnyObject & Sendable)?>(nil)

    /// Makes a core. If it `isPart` of something that shows several, that is told of a reset in its place.
    init(
        _ component: String, environment: RelayEnvironment, _ options: FetchOptions, preloaded: (any Preloaded)? = nil,
        isPart: Bool = false
    ) {
        self.component = component
        self.environment = environment
        self.options = options
        self.preloaded = Guarded(preloaded)
        loop = ReaderLoop(QueryState(options))
        if !isPart { environment.handles.add(self) }
        if !options.freshness.refetchOn.isEmpty, policy != .storeOnly { _ = refresher }
    }

    // MARK: - Asking

    /// The requested query: the operation and the fetch key of the last call.
    var requested: (any RequestedQuery)? { loop.withLock { $0.requested } }
    var operation: BoundOperation? { requested?.operation }
    /// The requested query, and whether a reset has ended it, so that the next call counts as the first one.
    var lastAsked: (query: (any RequestedQuery)?, isOver: Bool) {
        loop.withLock { ($0.requested, $0.machine.isResting) }
    }
    /// The number of changes that may require another read.
    var changes: Int { loop.changes }
    /// The last call that `remember` has kept; nil if the machine has had an event since.
    var lastCall: (any AnyObject & Sendable)? { call.withLock { $0 } }

    /// Keeps the result of a call for the next call; returns false if another query is requested meanwhile.
    func remember(_ call: any AnyObject & Sendable, of requested: any RequestedQuery, _ reading: Reading) -> Bool {
        let (isCurrent, _) = loop.withLock { state -> (Bool, (any AnyObject & Sendable)?) in
            guard state.requested === requested, !state.machine.isResting else { return (false, nil) }
            guard state.reading === reading else { return (true, nil) }
            return (true, replaceLastCall(with: call))
        }
        return isCurrent
    }

    private func replaceLastCall(with next: (any AnyObject & Sendable)?) -> (any AnyObject & Sendable)? {
        call.withLock { call in
            let last = call
            call = next
            return last
        }
    }

    /// Changes the requested query. The operation stays the same if only the fetch key has changed. Returns nil if
    /// another thread changed the requested query first, or emptied the store while it was looked at.
    func request(_ next: any RequestedQuery, after last: (any RequestedQuery)?, isKnown: Bool) -> Reading? {
        let operation = next.operation
        let resets = loop.withLock { $0.resets }
        if !isKnown { environment.operations.retain(operation) }
        // The preloaded query is released at the end, after the request was joined.
        let preloaded = takePreloaded()
        defer { withExtendedLifetime(preloaded) {} }
        let isPreloaded = preloaded?.isFetched(operation) == true
        let availability = needsCheck(next.key) || isPreloaded ? environment.check(operation) : .unknown
        let isFetched =
            isPreloaded && availability.isComplete && availability != .stale
            || next.key.map { environment.store.isFetched(operation, under: FetchKey($0), availability) } == true
        let errors = isKnown ? [] : environment.lastFetches.errors(of: operation)
        let mayShowStale = !isKnown && availability == .stale && mayShowStale(operation)
        let (isDone, reading) = perform { state, effects in
            guard state.requested === last, state.resets == resets, !state.machine.isClosed else {
                if !isKnown { effects.releases.append(operation) }
                return state.machine.isClosed
            }
            state.request(next, &effects)
            effects.preloaded = preloaded
            move(
                isKnown
                    ? .fetchKeyChanged(availability, isFetched: isFetched)
                    : .variablesChanged(
                        availability, isFetched: isFetched, mayShowStale: mayShowStale, errors: errors),
                &state, &effects)
            return true
        }
        guard isDone else { return nil }
        // If another thread has requested another query meanwhile, that query decides what the handle shows.
        return loop.withLock { $0.requested === next } ? reading : .nothing
    }

    /// True if the policy needs a check of the store, which takes time linear in the operation's data.
    private func needsCheck(_ fetchKey: (any Hashable & Sendable)?) -> Bool {
        switch policy {
        case .storeOnly: false
        case .storeOrNetwork, .storeAndNetwork: true
        case .networkOnly, .networkOrStore: fetchKey != nil
        }
    }

    /// True if the data of an operation was not too old a while ago, so that it may be shown while it is fetched again.
    private func mayShowStale(_ operation: BoundOperation) -> Bool {
        guard let time = options.freshness.staleWhileRevalidate else { return false }
        return environment.store.check(operation, at: environment.now() - BoundedTime.of(time)).isAvailable
    }

    private func takePreloaded() -> (any Preloaded)? {
        preloaded.withLock { preloaded in
            defer { preloaded = nil }
            return preloaded
        }
    }

    /// Gives the request up.
    func cancel() {
        let operation = operation
        let availability = operation.map { environment.check($0, isArriving: true) } ?? .unknown
        perform { state, effects in
            guard state.requested?.operation === operation else { return false }
            move(.cancelled(availability), &state, &effects)
            return true
        }
    }

    /// Gives the request and the operation up, as before the first call.
    func skip() {
        perform { state, effects in
            guard !state.machine.isClosed else { return false }
            state.request(nil, &effects)
            move(.skipped, &state, &effects)
            return true
        }
    }

    func retry() {
        _ = fetchAgain { .retried($0) }
    }

    /// Returns when the last answer or a failure has arrived, when there is nothing to wait for, or when the task is
    /// cancelled.
    func refetch() async {
        let number = loop.withLock { $0.nextRefetch() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isStarted = fetchAgain(for: (number, continuation)) { .refetched($0) }
                if !isStarted { continuation.resume() }
            }
        } onCancel: {
            loop.withLock { $0.endWait(number) }?.resume()
        }
    }

    /// Fetches again; what is shown stays under every policy, whatever becomes of the request.
    func fetchAnew() { _ = fetchAgain { _ in .refreshed } }

    /// Lets the machine send a request; returns false if no request was started, so that nobody has to wait.
    private func fetchAgain(
        for refetch: (number: Int, continuation: CheckedContinuation<Void, Never>)? = nil,
        _ event: (Availability) -> QueryMachine.Event
    ) -> Bool {
        while true {
            let requested = requested
            let availability = requested.map { needsCheck(nil) ? environment.check($0.operation) : .unknown }
            var isStarted = false
            let (isDone, _) = perform { state, effects in
                guard state.requested === requested else { return false }
                // The check runs inside the lock, so that a later cancellation finds the continuation.
                if refetch != nil && Task.isCancelled { return true }
                move(event(availability ?? .unknown), &state, &effects)
                isStarted = !effects.starts.isEmpty
                if let refetch, isStarted { state.wait(refetch) }
                return true
            }
            if isDone { return isStarted }
        }
    }

    // MARK: - Fetching by itself

    private var refresher: Refresher {
        if let refresher = lateRefresher.load() { return refresher }
        let made = Refresher(of: self, options.freshness.refetchOn)
        let kept = lateRefresher.storeIfNil(made)
        if kept === made { made.begin() }
        return kept
    }

    /// Begins to poll, or ends it.
    func poll(every interval: Duration?) {
        if interval == nil { lateRefresher.load()?.poll(every: nil) } else { refresher.poll(every: interval) }
    }

    /// Fetches an operation again if it is still requested. What is shown stays.
    func refresh(_ operation: BoundOperation, because cause: LogEvent.Refresh.Cause) {
        var isStarted = false
        perform { state, effects in
            guard state.requested?.operation === operation else { return false }
            move(.refreshed, &state, &effects)
            isStarted = !effects.starts.isEmpty
            return true
        } before: {
            guard isStarted else { return }
            environment.emit(.refreshed(LogEvent.Refresh(operationName: operation.artifact.name, cause: cause)))
        }
    }

    // MARK: - Notifications

    func storeDidChange(at epoch: Epoch) {
        loop.mark(at: epoch)
        observers.notify()
    }

    func mark() {
        loop.mark()
        observers.notify()
    }

    /// Handles a payload or the failure of the request with this number.
    func receive(_ event: RequestEvent, for number: Int, _ operation: BoundOperation) {
        if case .arriving = event {
            landing.store(true, ordering: .releasing)
            // The handle takes its place among those who are told of the answer: before what was made of its data.
            observers.notify()
            return
        }
        if case .landed(let payload) = event, let next = payload.event { follow(next, for: number) }
        let operation = self.operation ?? operation
        let moved: QueryMachine.Event
        switch event {
        case .landed(let payload):
            let isObject = payload.presence == .object
            // The data of an answer whose beginning has arrived may be shown without the later parts.
            moved = .answered(
                number, isObject ? .object : .null, errors: payload.errors,
                availability: isObject ? .available(fetchedAt: nil) : environment.check(operation, isArriving: true),
                hasNext: payload.hasNext, publish: payload.epoch.map { Int(truncatingIfNeeded: $0) })
        case .failed(let error):
            moved = .failed(number, error, environment.check(operation, isArriving: true))
        case .completed: moved = .completed(number)
        case .connection(let state): moved = .connected(number, state)
        case .arriving: return
        }
        perform { state, effects in
            move(moved, &state, &effects)
            return true
        }
        if !event.hasNext { landing.store(false, ordering: .releasing) }
        if case .landed(let payload) = event, !payload.hasNext { lateRefresher.load()?.noteAnswer(of: operation) }
    }

    /// Requests the operation of a subscription's newest event instead of the one before.
    private func follow(_ event: BoundOperation, for number: Int) {
        environment.operations.retain(event)
        perform { state, effects in
            guard state.machine.request == number, let requested = state.requested, requested.operation !== event
            else {
                effects.releases.append(event)
                return false
            }
            effects.releases.append(requested.operation)
            state.request(requested.answered(by: event), &effects)
            move(.replaced, &state, &effects)
            return true
        }
    }

    func reset(asksAgain: Bool) {
        perform { state, effects in
            state.resets += 1
            move(.emptied(asksAgain: asksAgain), &state, &effects)
            return true
        }
    }

    func close() {
        environment.handles.remove(self)
        lateRefresher.load()?.close()
        observers.close()
        perform { state, effects in
            state.request(nil, &effects)
            move(.closed, &state, &effects)
            return true
        }
    }

    // MARK: - Properties of the handle

    /// The core, of which the frame that is being drawn reads a property.
    var noted: QueryCore {
        Recording.note(self)
        return self
    }

    var phase: FetchMachine.Phase { loop.withLock { $0.machine.phase } }
    /// All three at one moment.
    var status: (phase: FetchMachine.Phase, isFetching: Bool, fetchError: RelayError?) {
        loop.withLock { ($0.machine.phase, $0.machine.request != nil, $0.machine.fetchError) }
    }
    var isFetching: Bool { loop.withLock { $0.machine.request != nil } }
    var fetchError: RelayError? { loop.withLock { $0.machine.fetchError } }
    var errors: [GraphQLError] { loop.withLock { $0.machine.errors } }
    var connection: TransportState? { loop.withLock { $0.machine.connection } }

    var isMissingData: Bool {
        _ = reading()
        return loop.withLock { $0.machine.showsMissingData }
    }

    /// Returns the last shown data.
    func previousData(anyVariables: Bool) -> GeneratedCode.Row? {
        loop.withLock { $0.previousData(anyVariables: anyVariables) }
    }

    func reading() -> Reading { loop.newest(for: self) ?? .nothing }

    /// The reason why the data that is shown cannot be read; nil if it can.
    var readFailure: RelayError? {
        if case .failure(let error) = reading().content { error } else { nil }
    }

    func next(at changes: Int) -> ReaderStep<any RequestedQuery> {
        let (step, search, _) = loop.withLock {
            state -> (ReaderStep<any RequestedQuery>, Search?, QueryState.Replaced?) in
            guard let requested = state.requested else { return (.shown(state.shownReading), nil, nil) }
            switch state.machine.next(at: changes) {
            case .none: return (.shown(state.shownReading), nil, nil)
            case .read:
                let moves = state.machine.reader.moves
                let task = ReaderTask(target: requested, last: state.lastOutcome, moves: moves, changes: changes)
                return (.read(task), nil, nil)
            case .present:
                let replaced = QueryState.Replaced(state)
                state.present(isDifferent: false, publish: loop.lastPublish)
                return (.shown(state.shownReading), nil, replaced)
            case .seek(let isFirst): return (.again, Search(requested: requested, isFirst: isFirst), nil)
            }
        }
        if let search { seek(search, changes) }
        return step
    }

    func bind(_ requested: any RequestedQuery) -> BoundFragment? {
        BoundFragment(record: requested.operation.root, selections: requested.operation.reader)
    }

    func refuse(_ task: ReaderTask<any RequestedQuery>) {}

    func take(_ task: ReaderTask<any RequestedQuery>, at place: BoundFragment) -> TakenRead {
        var read = HandleRead(at: place, in: environment.store, after: task.last)
        // Under the other policies a check has come before.
        if read.outcome.isMissingData, policy == .storeOnly, environment.findMissing(in: task.target.operation) {
            read = HandleRead(at: place, in: environment.store, after: task.last)
        }
        let (outcome, isDifferent) = (read.outcome, read.isDifferent)
        let isEmpty =
            outcome.isMissingData && options.renderPolicy == .partial
            && !environment.store.hasFields(of: task.target.operation)
        let (reading, hasChanged, _) = loop.withLock { state -> (Reading?, Bool, QueryState.Replaced?) in
            let replaced = QueryState.Replaced(state)
            let hasChanged = state.take(
                outcome, task, isEmpty: isEmpty, isDifferent: isDifferent, publish: loop.lastPublish, for: self)
            guard let hasChanged else { return (nil, false, nil) }
            return (state.reading, hasChanged, replaced)
        }
        return TakenRead(
            read: read, reading: reading, hasChanged: hasChanged,
            reportsMissingData: reading != nil && isDifferent && outcome.isMissingData)
    }

    /// A search for missing data, and whether it is the first one since the failure.
    private struct Search: Sendable {
        let requested: any RequestedQuery
        let isFirst: Bool
    }

    /// Shows the store's data if nothing is missing any more; otherwise subscribes to the missing data.
    private func seek(_ search: Search, _ changes: Int) {
        let operation = search.requested.operation
        // The store was checked when the failure arrived.
        var gap = search.isFirst ? environment.store.gap(of: operation) : nil
        let availability = gap == nil ? environment.check(operation) : .unknown
        if gap == nil, !availability.isComplete { gap = environment.store.gap(of: operation) }
        let (hasChanged, _) = loop.withLock { state -> (Bool, (any AnyObject & Sendable)?) in
            guard state.requested === search.requested else { return (false, nil) }
            let (result, hasChanged) = state.sought(availability, gap, at: changes, for: self)
            return (hasChanged, result == .ended ? replaceLastCall(with: nil) : nil)
        }
        if hasChanged { mark() }
    }

    // MARK: - Actions of the machine

    /// Passes an event to the machine. The remembered last call is no longer valid.
    private func move(_ event: QueryMachine.Event, _ state: inout QueryState, _ effects: inout QueryEffects) {
        effects.garbage.append(replaceLastCall(with: nil))
        state.move(event, &effects, for: self)
    }

    /// Changes the state inside the lock, then runs the effects outside it. Returns whether `body` was done, and the
    /// current reading.
    @discardableResult
    private func perform(
        _ body: (inout QueryState, inout QueryEffects) -> Bool, before start: () -> Void = {}
    ) -> (Bool, Reading) {
        var effects = QueryEffects()
        let isDone = loop.withLock { state in
            var inside = QueryEffects()
            defer { effects = inside }
            return body(&state, &inside)
        }
        let reading = reading()
        if let before = effects.before, before !== reading { observers.notify() }
        start()
        effects.perform(in: environment, options)
        return (isDone, reading)
    }
}
