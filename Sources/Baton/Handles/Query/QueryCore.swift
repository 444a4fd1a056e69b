import Synchronization

/// The part of a query handle that the store, requests and observers refer to. It owns a `QueryMachine` and performs
/// its effects.
///
/// The class does not depend on the types of the operation and its data except in calls of `read` (benchmark
/// `small.deliver-us`). No code of the application runs inside the lock. Requested queries are compared outside the
/// lock; inside it only their identity is checked.
///
/// State: that of `shell`, and atomics.
final class QueryCore: MachineOwner, StoreSubscriber, Resettable, ReadingSource, Closable {
    typealias Decisions = QueryMachine

    let count = ChangeCount()
    /// What tracked frames have asked.
    let frameAsks = FrameAsks()
    private let shell: Shell<QueryMachine>
    let environment: RelayEnvironment
    let component: String
    let observers = Observers()
    let options: FetchOptions
    let requests = RunningRequests()
    /// The query that was fetched before there was a handle; nil after the first call of `get`.
    private let preloaded: Guarded<(any Preloaded)?>
    /// What fetches again by itself, if the handle has a trigger or has ever polled.
    private let lateRefresher = LateReference<Refresher>()

    /// What shows this query and others as one.
    weak let list: (any RefreshingList)?
    /// The pauses between fetches because of lost fields.
    var losses: LossPauses { list?.losses ?? LossPauses() }

    /// Makes a core. If it `isPart` of something that shows several, that is told of a reset in its place. The list
    /// fetches itself again in its place too.
    init(
        _ component: String, environment: RelayEnvironment, _ options: FetchOptions, preloaded: (any Preloaded)? = nil,
        isPart: Bool = false, of list: (any RefreshingList)? = nil
    ) {
        self.list = list
        self.component = component
        self.environment = environment
        self.options = options
        self.preloaded = Guarded(preloaded)
        shell = Shell(QueryMachine(policy: options.policy, renderPolicy: options.renderPolicy))
        if !isPart { environment.handles.add(self) }
        if !options.freshness.refetchOn.isEmpty, options.policy != .storeOnly { _ = refresher }
    }

    // MARK: - Asking

    /// The requested query: the operation and the fetch key of the last call.
    var requested: (any RequestedQuery)? { shell.look { $0.requested } }
    var operation: BoundOperation? { requested?.operation }
    /// The requested query, and whether a reset has ended it, so that the next call counts as the first one.
    var lastAsked: (query: (any RequestedQuery)?, isOver: Bool) { shell.look { ($0.requested, $0.isResting) } }
    /// The number of changes that may require another read.
    var changes: Int { count.changes }
    /// The last call that `remember` has kept, as an object of a type that the caller knows; nil if it may have another
    /// result now. A generic class instead would be looked up several times in each `get`: 600 ns instead of 200.
    var lastCall: (any AnyObject & Sendable)? { shell.look { $0.lastCall } }

    /// Keeps a call for the next one, if its reading is still the newest. Returns false if another query is requested
    /// meanwhile.
    func remember(
        _ call: any AnyObject & Sendable, of requested: any RequestedQuery, _ reading: Reading, at changes: Int
    ) -> Bool {
        shell.send(.remembered(call, of: requested, reading, changes: changes), for: self)
        return shell.look { $0.requested === requested && !$0.isResting }
    }

    /// Changes the requested query. Returns nil if another thread changed the requested query first, or emptied the
    /// store while it was looked at.
    ///
    /// The caller has retained a new operation. The machine releases it.
    func request(
        _ next: any RequestedQuery, after last: (any RequestedQuery)?, _ novelty: Inquiry.Ask.Novelty
    ) -> Reading? {
        // The preloaded query is released at the end, after the request was joined.
        let preloaded = takePreloaded()
        defer { withExtendedLifetime(preloaded) {} }
        let ask = Inquiry.Ask(query: next, last: last, novelty: novelty, preloaded: preloaded)
        var isRefused = false
        var shown = Reading.nothing
        shell.send(.asked(ask), for: self) { effect in
            switch effect {
            case .refuse: isRefused = true
            case .show(let before): shown = show(after: before)
            default: return answer(effect)
            }
            return nil
        }
        if isRefused { return nil }
        // If another thread has requested another query meanwhile, that query decides what the handle shows.
        return requested === next ? shown : .nothing
    }

    private func takePreloaded() -> (any Preloaded)? {
        preloaded.withLock { preloaded in
            defer { preloaded = nil }
            return preloaded
        }
    }

    /// Gives the request up.
    func cancel() { shell.send(.cancelled, for: self) }

    /// Gives the request and the operation up, as before the first call.
    func skip() { shell.send(.skipped, for: self) }

    func retry() -> FetchTask { task { .retried($0) } }

    /// The task ends when the last payload or a failure has arrived, or at once if there is nothing to fetch.
    func refetch() -> FetchTask { task { .refetched($0) } }

    private func task(_ event: (Completion) -> QueryMachine.Event) -> FetchTask {
        let completion = Completion()
        shell.send(event(completion), for: self)
        return FetchTask(completion) { [weak self] in
            if !completion.isOver { self?.cancel() }
        }
    }

    /// Fetches again; what is shown stays under every policy, whatever becomes of the request.
    func fetchAnew() { shell.send(.refreshed(nil, because: nil), for: self) }

    func reset(asksAgain: Bool) { shell.send(.emptied(asksAgain: asksAgain), for: self) }

    /// Ends the handle that was let go, at once or with the last frame that shows it.
    func letGo() {
        if isFetching { environment.reportLetGo(component, observers, options.policy) }
        endWithFrames()
    }

    func close() {
        environment.handles.remove(self)
        lateRefresher.load()?.close()
        observers.close()
        shell.send(.closed, for: self)
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

    /// Fetches an operation again if it is still requested, with the list of which it is a part. What is shown stays.
    func refresh(_ operation: BoundOperation, because cause: LogEvent.Refresh.Cause) {
        if list?.refresh(self, because: cause) == true { return }
        shell.send(.refreshed(operation, because: cause), for: self)
    }

    // MARK: - Notifications

    func storeDidChange(at epoch: Epoch) {
        mark(at: epoch)
        tell(at: epoch)
    }

    func mark(at epoch: Epoch) { count.mark(at: epoch) }
    func tell(at epoch: Epoch) { observers.notify() }

    /// Handles the news of the request with this number.
    func receive(_ event: RequestEvent, for number: Int) {
        switch event {
        case .landed(let payload):
            if let event = payload.event { environment.operations.retain(event) }
            shell.send(.landed(number, payload), for: self)
        case .failed(let error): shell.send(.failed(number, error), for: self)
        case .completed: shell.send(.completed(number), for: self)
        case .connection(let state, let isRestored):
            shell.send(.connected(number, state, isRestored: isRestored), for: self)
        }
        guard !event.hasNext, let operation else { return }
        let refresher = lateRefresher.load()
        if case .landed = event {
            refresher?.noteMissing(in: operation)
            if !observers.wasUsed { environment.reportUnseenAnswer(of: component, observers) }
        }
        refresher?.requestEnded(of: operation)
    }

    // MARK: - Properties of the handle

    /// The core, of which the frame that is being drawn reads a property.
    var noted: QueryCore {
        Recording.note(self)
        return self
    }

    var phase: PolicyMachine.Phase { shell.look { $0.phase } }
    /// All three at one moment.
    var status: (phase: PolicyMachine.Phase, isFetching: Bool, fetchError: RelayError?) {
        shell.look { ($0.phase, $0.request != nil, $0.fetchError) }
    }
    var isFetching: Bool { shell.look { $0.request != nil } }
    var fetchError: RelayError? { shell.look { $0.fetchError } }
    var errors: [GraphQLError] { shell.look { $0.errors } }
    var connection: TransportState? { shell.look { $0.connection } }
    var restorations: Int { shell.look { $0.restorations } }

    var isMissingData: Bool {
        _ = reading()
        return shell.look { $0.showsMissingData }
    }

    /// Returns the last shown data.
    func previousData(anyVariables: Bool) -> GeneratedCode.Row? {
        shell.look { $0.shownData ?? (anyVariables ? $0.shownBefore?.data : nil) }
    }

    /// The reason why the data that is shown cannot be read; nil if it can.
    var readFailure: RelayError? {
        if case .failure(let error) = reading().content { error } else { nil }
    }

    // MARK: - Reading

    func reading() -> Reading {
        // What is shown may have been read when the answer landed.
        environment.store.unseenLayer.noteRead()
        var begin: Int?
        return Retry.whileOthersMove {
            let changes = count.changes
            switch shell.look({ $0.look(at: changes, since: begin) }) {
            case .shown(let reading): return reading
            case .unknown(let question):
                begin = begin ?? changes
                shell.send(answer(question, at: changes), for: self)
                return nil
            }
        }
    }

    private func answer(_ question: QueryMachine.Question, at changes: Int) -> QueryMachine.Event {
        switch question {
        case .read(let task): return .read(read(task), task, publish: count.lastPublish)
        case .search(let task):
            let (gap, availability) = search(task)
            return .sought(gap, availability, task, publish: count.lastPublish)
        case .nothing: return .looked(changes: changes, publish: count.lastPublish)
        }
    }

    /// Returns what is shown now, and notifies the observers if it is another reading than before.
    func show(after before: Reading) -> Reading {
        let reading = reading()
        if before !== reading { observers.notify() }
        return reading
    }

    private func read(_ task: ReadTask<QueryMachine.Target>) -> QueryMachine.Read {
        let (operation, store) = (task.target.operation, environment.store)
        let place = BoundFragment(record: operation.root, selections: operation.reader)
        var read = HandleRead(at: place, in: store, after: task.last)
        // Under the other policies a check has come before.
        if read.result.isMissingData, options.policy == .storeOnly, environment.findMissing(in: operation) {
            read = HandleRead(at: place, in: store, after: task.last)
        }
        let result = read.result
        if let problems = result.problems { environment.report(problems, of: operation) }
        let isEmpty = result.isMissingData && options.renderPolicy == .partial && !store.hasFields(of: operation)
        let found: QueryMachine.Found =
            result.failure != nil ? .failure : result.row != nil && !isEmpty ? .data : .nothing
        let isArriving = result.isMissingData && store.isArriving(at: operation.root, operation.reader)
        return QueryMachine.Read(
            result: result, isDifferent: read.isDifferent, found: found, isArriving: isArriving)
    }

    /// Looks for missing data. Returns the place of what is missing; nil if nothing is.
    private func search(_ task: QueryMachine.SearchTask) -> (gap: Dependencies?, Coverage) {
        let operation = task.requested.operation
        if task.turn == .first, let gap = environment.store.gap(of: operation) { return (gap, .unknown) }
        let availability = environment.check(operation)
        return (availability.isComplete ? nil : environment.store.gap(of: operation), availability)
    }

    // MARK: - Questions

    func facts(for inquiry: Inquiry) -> Inquiry.Facts {
        let operation = inquiry.operation
        switch inquiry.cause {
        case .asked(let ask): return facts(for: ask, operation)
        case .refetched, .retried: return Inquiry.Facts(availability: environment.check(operation))
        case .cancelled, .landed, .failed:
            return Inquiry.Facts(availability: environment.check(operation, isArriving: true))
        }
    }

    private func facts(for ask: Inquiry.Ask, _ operation: BoundOperation) -> Inquiry.Facts {
        var facts = Inquiry.Facts()
        let isPreloaded = ask.preloaded?.isFetched(operation) == true
        let key = ask.query.key.map { FetchKey($0) }
        // A check takes time linear in the operation's data.
        let needsCheck = options.policy.looksIntoStore || options.policy != .storeOnly && key != nil
        if needsCheck || isPreloaded { facts.availability = environment.check(operation) }
        let isValid = facts.availability.isComplete && facts.availability != .stale
        facts.isFetched =
            isPreloaded && isValid
            || key.map { environment.store.isFetched(operation, under: $0, facts.availability) } == true
        guard ask.novelty == .operation else { return facts }
        facts.errors = environment.lastFetches.errors(of: operation)
        facts.mayShowStale = facts.availability == .stale && wasFresh(operation)
        return facts
    }

    /// True if the data of an operation was not too old a while ago, so that it may be shown while it is fetched again.
    private func wasFresh(_ operation: BoundOperation) -> Bool {
        guard let time = options.freshness.staleWhileRevalidate else { return false }
        return environment.store.check(operation, at: environment.now() - BoundedTime.of(time)).isAvailable
    }
}
