/// The part of a query handle that the store, requests and observers refer to. It is the shell of a `QueryMachine`.
///
/// The class does not depend on the types of the operation and its data except in calls of `look` (benchmark
/// `small.deliver-us`). The machine decides and this class acts: it changes the state inside the lock, and calls other
/// objects outside it (`Effects`). No code of the application runs inside the lock. Asks are compared outside the lock;
/// inside it only their identity is checked.
///
/// State: that of `loop`; `lastCall`, under a lock inside that of the state.
final class QueryCore: ReaderCore, Resettable {
    private struct State {
        var machine: QueryMachine
        var reader = Reader()
        var ask: (any QueryAsk)?
        /// The last shown data for the current variables, as a `ReadData`.
        var shown: (any AnyObject & Sendable)?
        var before: ShownBefore?
        var search: SubscriptionID?
        var waiters: [Int: Waiter] = [:]
        var refetches: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastRefetch = 0

        var reading: Reading { reader.reading ?? .nothing }

        mutating func endSearch(in store: Store) {
            if let search { store.unsubscribe(search) }
            search = nil
        }
    }

    /// The data that was shown for other variables, with the retained operation.
    private struct ShownBefore: Sendable {
        let operation: BoundOperation
        /// The data as a `ReadData`.
        let data: (any AnyObject & Sendable)?
    }

    /// The work to do after the lock is released, in the order of its parts.
    private struct Effects: Sendable {
        /// The reading before the machine's last event; nil if there was no event.
        var before: Reading?
        var starts: [(waiter: Waiter, operation: BoundOperation, key: FetchKey?)] = []
        var forcesStarts = false
        var changesKey = false
        var cancels: [Waiter] = []
        var releases: [BoundOperation] = []
        var resumes: [CheckedContinuation<Void, Never>] = []
        /// Objects whose last reference may be released here, outside the lock.
        var garbage: [(any AnyObject & Sendable)?] = []
        var sights: [Sight] = []
        /// The ask before the current one.
        var former: (any QueryAsk)?
    }

    /// The old reading and data, to be released outside the lock: they may hold the last reference to an object of the
    /// application.
    private struct Old: Sendable {
        let reading: Reading?
        let shown: (any AnyObject & Sendable)?

        init(_ state: State) {
            reading = state.reader.reading
            shown = state.shown
        }
    }

    let environment: RelayEnvironment
    let component: String
    let audience = Audience()
    private let data: any GeneratedCode.Selections.Type
    private let policy: FetchPolicy
    private let loop: ReaderLoop<State>
    /// The last call of `get`, as an object of a type that the caller knows. A generic class instead would be looked up
    /// several times in each `get`: 600 ns instead of 200.
    private let call = Guarded<(any AnyObject & Sendable)?>(nil)

    init(
        _ component: String, _ data: any GeneratedCode.Selections.Type, environment: RelayEnvironment,
        policy: FetchPolicy
    ) {
        self.component = component
        self.data = data
        self.environment = environment
        self.policy = policy
        loop = ReaderLoop(State(machine: QueryMachine(policy: policy)))
        environment.handles.add(self)
    }

    // MARK: - Asking

    /// The current ask: the variables and the fetch key of the last call.
    var ask: (any QueryAsk)? { loop.withLock { $0.ask } }
    var operation: BoundOperation? { ask?.operation }
    /// The number of changes that may require another read.
    var changes: Int { loop.changes }
    /// The last call that `remember` has kept; nil if the machine has had an event since.
    var lastCall: (any AnyObject & Sendable)? { call.withLock { $0 } }

    /// Keeps the result of a call for the next call; returns false if the handle has another ask meanwhile.
    func remember(_ call: any AnyObject & Sendable, of ask: any QueryAsk, _ reading: Reading) -> Bool {
        let (isCurrent, _) = loop.withLock { state -> (Bool, (any AnyObject & Sendable)?) in
            guard state.ask === ask else { return (false, nil) }
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

    /// Changes the ask. The operation stays the same if only the fetch key has changed. Returns nil if another thread
    /// changed the ask first.
    func turn(from old: (any QueryAsk)?, to ask: any QueryAsk, isKnown: Bool) -> Reading? {
        let operation = ask.operation
        if !isKnown { environment.operations.retain(operation) }
        let availability = needsCheck(ask.key) ? environment.check(operation) : .unknown
        let isFetched =
            ask.key.map { environment.isFetched(operation, under: FetchKey($0), availability) } == true
        let errors = isKnown ? [] : environment.operations.errors(of: operation)
        let (isDone, reading) = perform { state, effects in
            guard state.ask === old, !state.machine.isClosed else {
                if !isKnown { effects.releases.append(operation) }
                return state.machine.isClosed
            }
            effects.former = old
            state.ask = ask
            move(
                isKnown
                    ? .askedAgain(availability, isFetched: isFetched)
                    : .asked(availability, isFetched: isFetched, errors: errors),
                &state, &effects)
            return true
        }
        guard isDone else { return nil }
        // If another thread has changed the ask meanwhile, that ask decides what the handle shows.
        return loop.withLock { $0.ask === ask } ? reading : .nothing
    }

    /// True if the policy needs a check of the store, which takes time linear in the operation's data.
    private func needsCheck(_ fetchKey: (any Hashable & Sendable)?) -> Bool {
        switch policy {
        case .storeOnly: false
        case .storeOrNetwork, .storeAndNetwork: true
        case .networkOnly, .networkOrStore: fetchKey != nil
        }
    }

    func retry() {
        _ = askNetwork { .retried($0) }
    }

    /// Returns when the last answer or a failure has arrived, when there is nothing to wait for, or when the task is
    /// cancelled.
    func refetch() async {
        let number = loop.withLock { state in
            state.lastRefetch += 1
            return state.lastRefetch
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isStarted = askNetwork(for: (number, continuation)) { .refetched($0) }
                if !isStarted { continuation.resume() }
            }
        } onCancel: {
            loop.withLock { $0.refetches.removeValue(forKey: number) }?.resume()
        }
    }

    /// Lets the machine send a request; returns false if no request was started, so that nobody has to wait.
    private func askNetwork(
        for refetch: (number: Int, continuation: CheckedContinuation<Void, Never>)? = nil,
        _ event: (Availability) -> QueryMachine.Event
    ) -> Bool {
        while true {
            let ask = ask
            let availability = ask.map { needsCheck(nil) ? environment.check($0.operation) : .unknown }
            var isStarted = false
            let (isDone, _) = perform { state, effects in
                guard state.ask === ask else { return false }
                // The check runs inside the lock, so that a later cancellation finds the continuation.
                if refetch != nil && Task.isCancelled { return true }
                move(event(availability ?? .unknown), &state, &effects)
                isStarted = !effects.starts.isEmpty
                if let refetch, isStarted { state.refetches[refetch.number] = refetch.continuation }
                return true
            }
            if isDone { return isStarted }
        }
    }

    // MARK: - Notifications

    func storeDidChange(at epoch: Epoch) {
        loop.mark(at: epoch)
        audience.notify()
    }

    func mark() {
        loop.mark()
        audience.notify()
    }

    private func receive(_ event: RequestEvent, for number: Int, _ operation: BoundOperation) {
        let moved: QueryMachine.Event
        switch event {
        case .answered(let answer):
            let isObject = answer.presence == .object
            // The data of an answer whose beginning has arrived may be shown without the later parts.
            moved = .answered(
                number, isObject ? .object : .null, errors: answer.errors,
                availability: isObject ? .available(fetchedAt: nil) : environment.check(operation, isArriving: true),
                hasNext: answer.hasNext, publish: answer.epoch.map { Int(truncatingIfNeeded: $0) })
        case .failed(let error):
            moved = .failed(number, error, environment.check(operation, isArriving: true))
        }
        perform { state, effects in
            move(moved, &state, &effects)
            return true
        }
    }

    /// Removes the old data, and asks for the same data again.
    func reset() {
        perform { state, effects in
            move(.emptied, &state, &effects)
            return true
        }
    }

    func close() {
        environment.handles.remove(self)
        audience.close()
        perform { state, effects in
            effects.former = state.ask
            state.ask = nil
            move(.closed, &state, &effects)
            return true
        }
    }

    // MARK: - Properties of the handle

    var isFetching: Bool { loop.withLock { $0.machine.request != nil } }
    var fetchError: RelayError? { loop.withLock { $0.machine.fetchError } }
    var errors: [GraphQLError] { loop.withLock { $0.machine.errors } }

    var isMissingData: Bool {
        _ = reading()
        return loop.withLock { $0.machine.showsMissingData }
    }

    /// Returns the last shown data as a `ReadData`.
    func previousData(anyVariables: Bool) -> (any AnyObject & Sendable)? {
        loop.withLock { $0.shown ?? (anyVariables ? $0.before?.data : nil) }
    }

    func reading() -> Reading { loop.newest(for: self) ?? .nothing }

    func next(at changes: Int) -> ReaderStep<any QueryAsk> {
        let (step, search, _) = loop.withLock { state -> (ReaderStep<any QueryAsk>, FirstSearch?, Old?) in
            guard let ask = state.ask else { return (.shown(state.reader.reading), nil, nil) }
            switch state.machine.next(at: changes) {
            case .none: return (.shown(state.reader.reading), nil, nil)
            case .read:
                let moves = state.machine.reader.moves
                let task = ReaderTask(target: ask, last: state.reader.sight, moves: moves, changes: changes)
                return (.read(task), nil, nil)
            case .present:
                let old = Old(state)
                present(&state, isDifferent: false)
                return (.shown(state.reader.reading), nil, old)
            case .seek(let isFirst): return (.again, FirstSearch(ask: ask, isFirst: isFirst), nil)
            }
        }
        if let search { seek(search, changes) }
        return step
    }

    func bind(_ ask: any QueryAsk) -> BoundFragment? {
        BoundFragment(record: ask.operation.root, selections: ask.operation.reader)
    }

    func refuse(_ task: ReaderTask<any QueryAsk>) {}

    func take(_ task: ReaderTask<any QueryAsk>, at place: BoundFragment) -> TakenLook {
        var look = data.look(at: place, in: environment.store, after: task.last)
        // Under the other policies a check has come before.
        if look.sight.isMissingData, policy == .storeOnly, environment.findMissing(in: task.target.operation) {
            look = data.look(at: place, in: environment.store, after: task.last)
        }
        let sight = look.sight
        let found = sight.failure != nil ? QueryMachine.Found.failure : sight.data != nil ? .data : .nothing
        let isDifferent = look.isDifferent
        let (reading, hasChanged, _) = loop.withLock { state -> (Reading?, Bool, Old?) in
            guard state.ask === task.target,
                state.machine.read(
                    found, isMissingData: sight.isMissingData, since: task.moves, at: task.changes)
            else { return (nil, false, nil) }
            let old = Old(state)
            let hasChanged = state.reader.install(sight, in: environment.store, for: self)
            present(&state, isDifferent: isDifferent)
            return (state.reading, hasChanged, old)
        }
        return TakenLook(look: look, reading: reading, hasChanged: hasChanged)
    }

    private func present(_ state: inout State, isDifferent: Bool) {
        if case .show(let shown, let publish) = state.machine.present(
            isDifferent: isDifferent, publish: loop.lastPublish)
        {
            show(shown, publish, &state)
        }
        if let sight = state.reader.sight, sight.failure == nil { state.shown = sight.data }
    }

    /// A search for missing data, and whether it is the first one since the failure.
    private struct FirstSearch: Sendable {
        let ask: any QueryAsk
        let isFirst: Bool
    }

    /// Shows the store's data if nothing is missing any more; otherwise subscribes to the missing data.
    private func seek(_ search: FirstSearch, _ changes: Int) {
        let operation = search.ask.operation
        // The store was checked when the failure arrived.
        var gap = search.isFirst ? environment.store.gap(of: operation) : nil
        let availability = gap == nil ? environment.check(operation) : .unknown
        if gap == nil, !availability.isComplete { gap = environment.store.gap(of: operation) }
        let (hasChanged, _) = loop.withLock { state -> (Bool, (any AnyObject & Sendable)?) in
            guard state.ask === search.ask else { return (false, nil) }
            switch state.machine.sought(availability, at: changes) {
            case .dropped: return (false, nil)
            case .ended:
                state.endSearch(in: environment.store)
                return (false, replaceLastCall(with: nil))
            case .going:
                guard let gap else {
                    // The data is complete but not valid, so the failure stays.
                    state.endSearch(in: environment.store)
                    return (false, nil)
                }
                let (id, hasChanged) = environment.store.subscribe(quietly: self, to: gap, replacing: state.search)
                state.search = id
                return (hasChanged, nil)
            }
        }
        if hasChanged { mark() }
    }

    // MARK: - Actions of the machine

    /// Passes an event to the machine, and does the part of its actions that belongs inside the lock.
    private func move(_ event: QueryMachine.Event, _ state: inout State, _ effects: inout Effects) {
        effects.before = state.reading
        effects.forcesStarts = event.forcesRequest
        effects.changesKey = event.changesKey
        effects.garbage.append(replaceLastCall(with: nil))
        for action in state.machine.on(event) { apply(action, &state, &effects) }
    }

    private func apply(_ action: QueryMachine.Action, _ state: inout State, _ effects: inout Effects) {
        switch action {
        case .start(let number):
            guard let ask = state.ask else { return }
            let operation = ask.operation
            let waiter = Waiter { [weak self] event in self?.receive(event, for: number, operation) }
            state.waiters[number] = waiter
            effects.starts.append((waiter, operation, ask.key.map { FetchKey($0) }))
        case .abandon(let number):
            if let waiter = state.waiters.removeValue(forKey: number) { effects.cancels.append(waiter) }
        case .finish(let number):
            state.waiters[number] = nil
            resumeRefetches(&state, &effects)
        case .leave(keeping: true):
            forgetBefore(&state, &effects)
            if let former = effects.former {
                state.before = ShownBefore(operation: former.operation, data: state.shown)
            }
            state.shown = nil
        case .leave(keeping: false):
            if let former = effects.former { effects.releases.append(former.operation) }
        case .forgetSight:
            if let sight = state.reader.sight { effects.sights.append(sight) }
            state.reader.forget(in: environment.store)
        case .forgetShown:
            forgetBefore(&state, &effects)
            effects.garbage.append(state.shown)
            state.shown = nil
        case .endSearch: state.endSearch(in: environment.store)
        case .resumeRefetches: resumeRefetches(&state, &effects)
        case .show(let shown, let publish): show(shown, publish, &state)
        }
    }

    private func forgetBefore(_ state: inout State, _ effects: inout Effects) {
        guard let before = state.before else { return }
        effects.releases.append(before.operation)
        effects.garbage.append(before.data)
        state.before = nil
    }

    private func resumeRefetches(_ state: inout State, _ effects: inout Effects) {
        effects.resumes += state.refetches.values
        state.refetches = [:]
    }

    private func show(_ shown: QueryMachine.Shown, _ publish: Int?, _ state: inout State) {
        let content: Reading.Content =
            switch shown {
            case .loading: .loading
            case .failure(let error): .failure(error)
            case .null: .data(nil)
            case .window: state.reader.sight?.content ?? .data(nil)
            case .same: state.reading.content
            }
        state.reader.show(content, publish: publish)
    }

    /// Changes the state inside the lock, then runs the effects outside it. Returns whether `body` was done, and the
    /// current reading.
    @discardableResult
    private func perform(_ body: (inout State, inout Effects) -> Bool) -> (Bool, Reading) {
        var effects = Effects()
        let isDone = loop.withLock { state in
            var inside = Effects()
            defer { effects = inside }
            return body(&state, &inside)
        }
        let reading = reading()
        if let before = effects.before, before !== reading { audience.notify() }
        for start in effects.starts {
            environment.start(
                start.waiter, for: start.operation, key: start.key, force: effects.forcesStarts,
                changesKey: effects.changesKey, policy: policy)
        }
        for waiter in effects.cancels { environment.cancel(waiter) }
        for operation in effects.releases { environment.operations.release(operation) }
        for continuation in effects.resumes { continuation.resume() }
        return (isDone, reading)
    }
}
