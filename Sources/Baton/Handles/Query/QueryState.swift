/// The state of a query handle inside its lock: the machine, and the objects that the machine's actions change.
///
/// No code of the application runs here. Calls of other objects are added to `QueryEffects` and done outside the lock.
struct QueryState {
    private(set) var machine: QueryMachine
    private(set) var requested: (any RequestedQuery)?
    /// How often the store was emptied.
    var resets = 0
    private var reader = Reader()
    /// The last shown data for the current variables.
    private var shown: GeneratedCode.Row?
    private var before: ShownBefore?
    /// The subscription to the missing data.
    private var search: SubscriptionID?
    private var waiters: [Int: Waiter] = [:]
    private var refetches: [Int: CheckedContinuation<Void, Never>] = [:]
    private var lastRefetch = 0

    /// The data that was shown for other variables, with the retained operation.
    private struct ShownBefore: Sendable {
        let operation: BoundOperation
        let data: GeneratedCode.Row?
    }

    /// The old reading and data, to be released outside the lock: they may hold the last reference to an object of the
    /// application.
    struct Replaced: Sendable {
        private let reading: Reading?
        private let shown: GeneratedCode.Row?

        init(_ state: QueryState) {
            reading = state.reader.reading
            shown = state.shown
        }
    }

    init(_ options: FetchOptions) {
        machine = QueryMachine(policy: options.policy, renderPolicy: options.renderPolicy)
    }

    /// The shown reading; nil before the first one.
    var shownReading: Reading? { reader.reading }
    var reading: Reading { reader.reading ?? .nothing }
    var lastOutcome: ReadOutcome? { reader.outcome }

    /// Returns the last shown data.
    func previousData(anyVariables: Bool) -> GeneratedCode.Row? {
        shown ?? (anyVariables ? before?.data : nil)
    }

    // MARK: - Refetches

    /// Returns a number for a new refetch.
    mutating func nextRefetch() -> Int {
        lastRefetch += 1
        return lastRefetch
    }

    /// Lets a refetch wait until the machine has nothing to wait for any more.
    mutating func wait(_ refetch: (number: Int, continuation: CheckedContinuation<Void, Never>)) {
        refetches[refetch.number] = refetch.continuation
    }

    /// Ends the wait of a refetch; returns nil if the wait is over.
    mutating func endWait(_ number: Int) -> CheckedContinuation<Void, Never>? {
        refetches.removeValue(forKey: number)
    }

    // MARK: - Events

    /// Changes the requested query; nil ends the requests.
    mutating func request(_ next: (any RequestedQuery)?, _ effects: inout QueryEffects) {
        effects.former = requested
        requested = next
    }

    /// Passes an event to the machine, and does the part of its actions that belongs inside the lock.
    mutating func move(_ event: QueryMachine.Event, _ effects: inout QueryEffects, for core: QueryCore) {
        effects.before = reading
        effects.forcesStarts = event.forcesRequest
        effects.changesKey = event.changesKey
        for action in machine.on(event) { apply(action, &effects, for: core) }
    }

    private mutating func apply(_ action: QueryMachine.Action, _ effects: inout QueryEffects, for core: QueryCore) {
        switch action {
        case .start(let number):
            guard let requested else { return }
            let operation = requested.operation
            let waiter = Waiter { [weak core] event in core?.receive(event, for: number, operation) }
            waiters[number] = waiter
            effects.starts.append((waiter, operation, requested.key.map { FetchKey($0) }))
        case .abandon(let number):
            if let waiter = waiters.removeValue(forKey: number) { effects.cancels.append(waiter) }
        case .finish(let number):
            waiters[number] = nil
            resumeRefetches(&effects)
        case .leave(keeping: true):
            forgetBefore(&effects)
            if let former = effects.former { before = ShownBefore(operation: former.operation, data: shown) }
            shown = nil
        case .leave(keeping: false):
            if let former = effects.former { effects.releases.append(former.operation) }
        case .forgetRead:
            if let outcome = reader.outcome { effects.outcomes.append(outcome) }
            reader.forget(in: core.environment.store)
        case .endRead:
            if let outcome = reader.outcome { effects.outcomes.append(outcome) }
            reader.end(in: core.environment.store)
        case .forgetShown:
            forgetBefore(&effects)
            effects.results.append(shown)
            shown = nil
        case .endSearch: endSearch(in: core.environment.store)
        case .resumeRefetches: resumeRefetches(&effects)
        case .show(let shown, let publish): show(shown, publish)
        }
    }

    private mutating func forgetBefore(_ effects: inout QueryEffects) {
        guard let before else { return }
        effects.releases.append(before.operation)
        effects.results.append(before.data)
        self.before = nil
    }

    private mutating func resumeRefetches(_ effects: inout QueryEffects) {
        effects.resumes += refetches.values
        refetches = [:]
    }

    private mutating func show(_ shown: QueryMachine.Shown, _ publish: Int?) {
        let content: Reading.Content =
            switch shown {
            case .loading: .loading
            case .failure(let error): .failure(error)
            case .null: .data(nil)
            case .data: reader.outcome?.content ?? .data(nil)
            case .same: reading.content
            }
        reader.show(content, publish: publish)
    }

    // MARK: - Reading

    /// Takes the result of a read and subscribes to it. Returns true if the data has changed since, and nil if the
    /// handle has moved on meanwhile.
    ///
    /// - Parameter isEmpty: True if parts may be shown, and none of them is there.
    mutating func take(
        _ outcome: ReadOutcome, _ task: ReaderTask<any RequestedQuery>, isEmpty: Bool = false, isDifferent: Bool,
        publish: Int, for core: QueryCore
    ) -> Bool? {
        let hasData = outcome.row != nil && !isEmpty
        let found = outcome.failure != nil ? QueryMachine.Found.failure : hasData ? .data : .nothing
        guard requested === task.target,
            machine.read(found, isMissingData: outcome.isMissingData, since: task.moves, at: task.changes)
        else { return nil }
        let hasChanged = reader.install(outcome, in: core.environment.store, for: core)
        present(isDifferent: isDifferent, publish: publish)
        return hasChanged
    }

    /// Shows the data that was read, unless it is shown already.
    mutating func present(isDifferent: Bool, publish: Int) {
        if case .show(let shown, let publish) = machine.present(isDifferent: isDifferent, publish: publish) {
            show(shown, publish)
        }
        if let outcome = reader.outcome, machine.showsRead { shown = outcome.row }
    }

    /// Takes the result of a search for missing data; `gap` is nil if nothing is missing.
    mutating func sought(
        _ availability: Availability, _ gap: Dependencies?, at changes: Int, for core: QueryCore
    ) -> (result: QueryMachine.Search, hasChanged: Bool) {
        let store = core.environment.store
        let result = machine.sought(availability, at: changes)
        switch result {
        case .dropped: return (result, false)
        case .ended: endSearch(in: store)
        case .going:
            if let gap {
                let (id, hasChanged) = store.subscribe(quietly: core, to: gap, replacing: search)
                search = id
                return (result, hasChanged)
            }
            // The data is complete but not valid, so the failure stays.
            endSearch(in: store)
        }
        return (result, false)
    }

    private mutating func endSearch(in store: Store) {
        if let search { store.unsubscribe(search) }
        search = nil
    }
}
