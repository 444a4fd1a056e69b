import Synchronization

/// The half of a query handle that the store, requests and observers hold on to.
///
/// State: `state`, guarded by its own lock, outside those of the store and of the operation ledger; `changes` and
/// `lastPublish`, atomics that count what may make the state old; `lastCall`, under a lock inside that of the state.
/// The machine decides, this class does what it says: inside the lock what belongs to the state, outside what calls
/// others (`Effects`). No code of the user's runs under the lock: keys, variables and data are compared outside,
/// against an `Ask` or a window of which it is checked inside that it is still the current one.
final class QueryCore<Operation: GraphQLQuery>: HandleCore, StoreSubscriber, Resettable {
    typealias Data = Operation.Data

    /// What the handle was asked for last; its identity says whether it still is.
    private final class Ask: Sendable {
        let variables: Operation.Variables
        let key: (any Hashable & Sendable)?
        let operation: BoundOperation

        init(_ variables: Operation.Variables, _ key: (any Hashable & Sendable)?, _ operation: BoundOperation) {
            self.variables = variables
            self.key = key
            self.operation = operation
        }

        func isSame(_ variables: Operation.Variables, _ key: (any Hashable & Sendable)?) -> Bool {
            FetchKey.isSame(self.key, key) && hasSame(variables)
        }

        func hasSame(_ variables: Operation.Variables) -> Bool {
            guard let refusal = operation.refusal else { return self.variables == variables }
            // To compare what is nested too deep is not safe either.
            return refusal == GeneratedCode.VariableEncoder.encode(variables, for: Operation.artifact.name).refusal
        }
    }

    /// A call of `get` and its result, which holds until a change is counted or the machine moves.
    private final class Call: Sendable {
        let ask: Ask
        let seen: Int
        let reading: Reading<Data>

        init(_ ask: Ask, seen: Int, _ reading: Reading<Data>) {
            self.ask = ask
            self.seen = seen
            self.reading = reading
        }
    }

    /// What kind of thing is shown; the number tells one failure from another.
    private enum Face: Equatable {
        case loading
        case failure(Int)
        case null
        case window
        /// Something of other variables, which the next read replaces.
        case outdated
    }

    /// What belongs to the result and is not in it.
    private struct Status: Equatable {
        var isFetching = false
        var isMissingData = false
        /// Grows with every change of the errors.
        var errors = 0
    }

    private struct State {
        var machine: QueryMachine
        var ask: Ask?
        var waiters: [Int: Waiter] = [:]
        var window = StoreWindow<Data>()
        var gap: Gap?
        var face = Face.loading
        /// The version that an answer made which was waited for, until it is shown.
        var arrival: Epoch?
        var status = Status()
        var reading = Reading<Data>()
        var errors: [GraphQLError] = []
        var errorChanges = 0
        /// The last data that was shown for these variables, and for others before them.
        var shown: Data?
        var shownBefore: Data?
        var operationBefore: BoundOperation?
        var refetches: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastRefetch = 0
        var isClosed = false
    }

    /// What is missing while a failure is shown, and may come from somewhere else.
    private struct Gap {
        var subscription: SubscriptionID?
        /// The changes that were counted when it was looked for last; nil before.
        var changes: Int?
    }

    /// What to do once the lock is free, in the order of its parts.
    private struct Effects: Sendable {
        /// What was shown before the machine moved; nil if it did not.
        var before: Reading<Data>?
        var starts: [(waiter: Waiter, operation: BoundOperation, key: FetchKey?)] = []
        /// Starts a request although the key was fetched.
        var forcesStarts = false
        /// The key is another than before: a request that began under another key is not shared.
        var changesKey = false
        var cancels: [Waiter] = []
        var releases: [BoundOperation] = []
        var resumes: [CheckedContinuation<Void, Never>] = []
        /// What may be the last reference to something of the user's.
        var garbage: [any Sendable] = []
    }

    /// What was shown, to be let go of outside the lock: it may be the last to hold something of the user's.
    private struct Old: Sendable {
        let reading: Reading<Data>
        let shown: Data?

        init(_ state: State) {
            reading = state.reading
            shown = state.shown
        }
    }

    private enum Step {
        case done(Reading<Data>, Old? = nil)
        case read(Ask, StoreWindow<Data>)
        case lookForGap(Ask, isFirst: Bool)
    }

    let environment: RelayEnvironment
    let audience = Audience()
    // Before the state, which is large: a publish then meets them where it met the object (benchmark `notify.growth`).
    private let changes = Atomic(0)
    private let lastPublish = Atomic(0)
    private let policy: FetchPolicy
    private let state: Guarded<State>
    /// A `Call`. The type is not said because a generic one would be looked up at run time several times in each `get`:
    /// 600 ns instead of 200.
    private let lastCall = Guarded<(any AnyObject & Sendable)?>(nil)

    init(environment: RelayEnvironment, policy: FetchPolicy) {
        self.environment = environment
        self.policy = policy
        state = Guarded(State(machine: QueryMachine(policy: policy)), .handle)
        environment.handles.add(self)
    }

    /// What was asked for last.
    var operation: BoundOperation? { state.withLock { $0.ask?.operation } }
    var component: String { Operation.artifact.name }

    // MARK: - Asking

    func get(_ variables: Operation.Variables, fetchKey: (any Hashable & Sendable)?) -> QueryResult<Data> {
        let seen = changes.load(ordering: .acquiring)
        // In most frames nothing has changed, and this is all that happens.
        if let last = lastCall.withLock({ $0 }) as? Call, last.seen == seen, last.ask.isSame(variables, fetchKey) {
            return last.reading.result
        }
        while true {
            let ask = state.withLock { $0.ask }
            guard let ask, ask.isSame(variables, fetchKey) else {
                if let result = turn(from: ask, to: variables, fetchKey) { return result }
                continue
            }
            let reading = reading()
            if remember(Call(ask, seen: seen, reading)) { return reading.result }
        }
    }

    /// Keeps the result of a call for the next; false if the handle was asked for something else meanwhile.
    private func remember(_ call: Call) -> Bool {
        let (isCurrent, _) = state.withLock { state -> (Bool, (any AnyObject & Sendable)?) in
            guard state.ask === call.ask else { return (false, nil) }
            guard state.reading === call.reading else { return (true, nil) }
            return (true, replaceLastCall(with: call))
        }
        return isCurrent
    }

    private func replaceLastCall(with call: Call?) -> (any AnyObject & Sendable)? {
        lastCall.withLock { last in
            let before = last
            last = call
            return before
        }
    }

    /// Asks for something else; nil if another thread did so first.
    private func turn(
        from old: Ask?, to variables: Operation.Variables, _ fetchKey: (any Hashable & Sendable)?
    ) -> QueryResult<Data>? {
        let known = old.flatMap { $0.hasSame(variables) ? $0.operation : nil }
        let operation = known ?? environment.store.bind(Operation(variables: variables))
        if known == nil { environment.operations.retain(operation) }
        let availability = needsCheck(fetchKey) ? environment.check(operation) : .unknown
        let isFetched =
            fetchKey.map { environment.isFetched(operation, under: FetchKey($0), availability) } == true
        let errors = environment.operations.errors(of: operation)
        let ask = Ask(variables, fetchKey, operation)
        let (isDone, reading) = perform { state, effects -> Bool in
            guard state.ask === old, !state.isClosed else {
                if known == nil { effects.releases.append(operation) }
                return state.isClosed
            }
            change(&state, &effects) { state, effects in
                if let old { effects.garbage.append(old) }
                effects.changesKey = known != nil
                if known == nil { turn(to: ask, errors, &state, &effects) } else { state.ask = ask }
                return known == nil
                    ? state.machine.evaluate(availability, isFetched: isFetched)
                    : state.machine.askAgain(availability, isFetched: isFetched)
            }
            return true
        }
        guard isDone else { return nil }
        // Another thread that has asked for other variables meanwhile decides what the handle shows.
        return state.withLock { $0.ask === ask } ? reading.result : .loading
    }

    /// Turns to another operation; what was shown stays reachable, and retained.
    private func turn(to ask: Ask, _ errors: [GraphQLError], _ state: inout State, _ effects: inout Effects) {
        if state.shown != nil {
            if let before = state.operationBefore { effects.releases.append(before) }
            if let shown = state.shownBefore { effects.garbage.append(shown) }
            state.operationBefore = state.ask?.operation
            state.shownBefore = state.shown
            state.shown = nil
        } else if let unused = state.ask?.operation {
            effects.releases.append(unused)
        }
        effects.garbage.append(state.window)
        state.window.close(in: environment.store)
        if state.face == .window { state.face = .outdated }
        state.arrival = nil
        note(errors, &state)
        state.ask = ask
    }

    /// Whether the policy asks what the store holds, which takes time linear in it.
    private func needsCheck(_ fetchKey: (any Hashable & Sendable)?) -> Bool {
        switch policy {
        case .storeOnly: false
        case .storeOrNetwork, .storeAndNetwork: true
        case .networkOnly, .networkOrStore: fetchKey != nil
        }
    }

    func retry() {
        askNetwork { state, availability in state.machine.retry(availability) }
    }

    /// Returns when the last answer or a failure is in, when there is nothing to wait for, or when the task is
    /// cancelled.
    func refetch() async {
        let number = state.withLock { state in
            state.lastRefetch += 1
            return state.lastRefetch
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isStarted = askNetwork { state, availability in
                    guard !Task.isCancelled, !state.isClosed else { return [] }
                    let actions = state.machine.refetch(availability)
                    if state.machine.request != nil { state.refetches[number] = continuation }
                    return actions
                }
                if !isStarted { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.refetches.removeValue(forKey: number) }?.resume()
        }
    }

    /// Lets the machine ask the network whatever was fetched under the key; false if it waits for nothing then.
    @discardableResult
    private func askNetwork(_ move: (inout State, Availability) -> [QueryMachine.Action]) -> Bool {
        while true {
            let ask = state.withLock { $0.ask }
            let availability = ask.map { needsCheck(nil) ? environment.check($0.operation) : .unknown }
            let (isStarted, _) = perform { state, effects -> Bool? in
                guard state.ask === ask else { return nil }
                effects.forcesStarts = true
                change(&state, &effects) { state, _ in move(&state, availability ?? .unknown) }
                return !effects.starts.isEmpty
            }
            if let isStarted { return isStarted }
        }
    }

    // MARK: - Being told

    func storeDidChange(at epoch: Epoch) {
        lastPublish.max(Int(truncatingIfNeeded: epoch), ordering: .relaxed)
        mark()
    }

    private func mark() {
        changes.add(1, ordering: .acquiringAndReleasing)
        audience.notify()
    }

    private func receive(_ event: RequestEvent, for number: Int, _ operation: BoundOperation) {
        // What has begun to come may be shown without its later parts.
        let availability =
            needsCheck(event) ? environment.check(operation, isArriving: true) : .available(fetchedAt: nil)
        perform { state, effects in
            change(&state, &effects) { state, effects in
                let hadError = state.machine.fetchError != nil
                switch event {
                case .answered(let answer):
                    let content: QueryMachine.Content = answer.presence == .object ? .object : .null
                    guard
                        state.machine.answered(
                            number, content, errors: answer.errors, availability: availability, hasNext: answer.hasNext)
                    else { return [] }
                    note(answer.errors, &state)
                    state.arrival = answer.epoch
                case .failed(let error):
                    guard state.machine.failed(number, error, availability: availability) else { return [] }
                }
                if hadError || state.machine.fetchError != nil { state.errorChanges += 1 }
                if state.machine.request == nil {
                    effects.resumes = Array(state.refetches.values)
                    state.refetches = [:]
                    state.waiters[number] = nil
                }
                return []
            }
        }
    }

    private func needsCheck(_ event: RequestEvent) -> Bool {
        guard case .answered(let answer) = event else { return true }
        return answer.presence != .object
    }

    private func note(_ errors: [GraphQLError], _ state: inout State) {
        if !errors.isEmpty || !state.errors.isEmpty { state.errorChanges += 1 }
        state.errors = errors
    }

    /// Forgets what came before, and asks for the same again.
    func reset() {
        perform { state, effects in
            guard !state.isClosed else { return }
            change(&state, &effects) { state, effects in
                if let before = state.operationBefore { effects.releases.append(before) }
                effects.garbage += [state.shown, state.shownBefore, state.window]
                state.operationBefore = nil
                state.shown = nil
                state.shownBefore = nil
                state.window.close(in: environment.store)
                if state.face == .window { state.face = .outdated }
                note([], &state)
                return state.machine.reset()
            }
            effects.resumes = Array(state.refetches.values)
            state.refetches = [:]
        }
    }

    func close() {
        environment.handles.remove(self)
        audience.close()
        perform { state, effects in
            state.isClosed = true
            effects.cancels = Array(state.waiters.values)
            effects.releases = [state.ask?.operation, state.operationBefore].compactMap { $0 }
            effects.resumes = Array(state.refetches.values)
            effects.garbage = [state.ask, state.shown, state.shownBefore, state.window, replaceLastCall(with: nil)]
            state.waiters = [:]
            state.refetches = [:]
            state.ask = nil
            state.shown = nil
            state.shownBefore = nil
            state.operationBefore = nil
            state.window.close(in: environment.store)
            drop(&state.gap)
        }
    }

    // MARK: - Being read

    var isFetching: Bool { state.withLock { $0.machine.request != nil } }
    var fetchError: RelayError? { state.withLock { $0.machine.fetchError } }
    var errors: [GraphQLError] { state.withLock { $0.errors } }

    var isMissingData: Bool {
        _ = reading()
        return state.withLock { $0.status.isMissingData }
    }

    func previousData(anyVariables: Bool) -> Data? {
        state.withLock { $0.shown ?? (anyVariables ? $0.shownBefore : nil) }
    }

    func reading() -> Reading<Data> {
        while true {
            let seen = changes.load(ordering: .acquiring)
            let step = state.withLock { state -> Step in
                if let gap = state.gap, gap.changes != seen, let ask = state.ask {
                    return .lookForGap(ask, isFirst: gap.changes == nil)
                }
                guard state.machine.phase == .showing, let ask = state.ask else { return .done(state.reading) }
                guard state.window.isCurrent(seen) else { return .read(ask, state.window) }
                if isShown(state) { return .done(state.reading) }
                let old = Old(state)
                showWindow(&state, isDifferent: false)
                return .done(state.reading, old)
            }
            switch step {
            case .done(let reading, _): return reading
            case .read(let ask, let window): read(ask, window, seen)
            case .lookForGap(let ask, let isFirst): lookForGap(ask, isFirst, seen)
            }
        }
    }

    /// Shows what the store holds if nothing is missing any more; otherwise subscribes to what is.
    private func lookForGap(_ ask: Ask, _ isFirst: Bool, _ seen: Int) {
        let operation = ask.operation
        // A failure that has just come was judged by the store.
        var gap = isFirst ? environment.store.gap(of: operation) : nil
        let availability = gap == nil ? environment.check(operation) : .unknown
        if gap == nil, !availability.isComplete { gap = environment.store.gap(of: operation) }
        let (hasChanged, _) = state.withLock { state -> (Bool, (any AnyObject & Sendable)?) in
            guard let old = state.gap, state.ask === ask else { return (false, nil) }
            if state.machine.completed(availability) {
                drop(&state.gap)
                return (false, replaceLastCall(with: nil))
            }
            guard let gap else {
                // All is there and not valid: a failure still.
                drop(&state.gap)
                state.gap = Gap(changes: seen)
                return (false, nil)
            }
            let (id, hasChanged) = environment.store.subscribe(quietly: self, to: gap, replacing: old.subscription)
            state.gap = Gap(subscription: id, changes: seen)
            return (hasChanged, nil)
        }
        if hasChanged { mark() }
    }

    private func drop(_ gap: inout Gap?) {
        if let subscription = gap?.subscription { environment.store.unsubscribe(subscription) }
        gap = nil
    }

    /// Reads the store; does nothing with it if the handle has moved on meanwhile.
    private func read(_ ask: Ask, _ window: StoreWindow<Data>, _ seen: Int) {
        let operation = ask.operation
        let read = { [environment] in
            environment.store.read(Data.self, at: operation.root, operation.reader, after: window.dependencies)
        }
        var snapshot = read()
        // Under the other policies a check has come before.
        if snapshot.isMissingData, policy == .storeOnly, environment.findMissing(in: operation) { snapshot = read() }
        let isDifferent = window.differs(from: snapshot)
        let (isInstalled, hasChanged, _) = state.withLock { state -> (Bool, Bool, Old?) in
            guard state.machine.phase == .showing, state.ask === ask, state.window.isSame(as: window) else {
                return (false, false, nil)
            }
            let old = Old(state)
            let hasChanged = state.window.install(snapshot, changes: seen, in: environment.store, for: self)
            showWindow(&state, isDifferent: isDifferent)
            return (true, hasChanged, old)
        }
        if hasChanged { mark() }
        environment.report(snapshot.problems, of: operation)
        if isInstalled && isDifferent && snapshot.isMissingData {
            environment.reportMissing(component, operation, operation.reader, at: operation.root)
        }
    }

    // MARK: - State

    /// Lets the machine move, and does inside the lock what it asks for.
    private func change(
        _ state: inout State, _ effects: inout Effects,
        _ move: (inout State, inout Effects) -> [QueryMachine.Action]
    ) {
        effects.before = state.reading
        effects.garbage.append(replaceLastCall(with: nil))
        for action in move(&state, &effects) { apply(action, &state, &effects) }
        if !state.machine.mayRecover { drop(&state.gap) } else if state.gap == nil { state.gap = Gap() }
        switch state.machine.phase {
        case .idle, .loading: show(.loading, .loading, &state)
        case .failed(let error): show(.failure(error), .failure(state.errorChanges), &state)
        case .showingNull: show(.success(nil), .null, &state)
        case .showing: break  // `reading` works it out, outside the lock.
        }
    }

    private func apply(_ action: QueryMachine.Action, _ state: inout State, _ effects: inout Effects) {
        switch action {
        case .start(let number):
            guard let ask = state.ask else { return }
            let waiter = Waiter { [weak self] event in self?.receive(event, for: number, ask.operation) }
            state.waiters[number] = waiter
            effects.starts.append((waiter, ask.operation, ask.key.map { FetchKey($0) }))
        case .abandon(let number):
            if let waiter = state.waiters.removeValue(forKey: number) { effects.cancels.append(waiter) }
        }
    }

    private func show(_ result: QueryResult<Data>, _ face: Face, _ state: inout State) {
        if state.face != face { state.reading = state.reading.next(result) }
        state.face = face
        settleStatus(&state)
    }

    private func showWindow(_ state: inout State, isDifferent: Bool) {
        let result = state.window.failure.map { .failure($0) } ?? QueryResult.success(state.window.data)
        if state.face != .window, let arrival = state.arrival {
            // Nothing was read before, so the store could not tell the handle of the publish that it had waited for.
            state.reading = state.reading.next(result, changedBy: Int(truncatingIfNeeded: arrival))
        } else if state.face != .window {
            state.reading = state.reading.next(result)
        } else if isDifferent {
            state.reading = state.reading.next(result, changedBy: lastPublish.load(ordering: .relaxed))
        }
        state.face = .window
        state.arrival = nil
        if state.window.failure == nil { state.shown = state.window.data }
        settleStatus(&state)
    }

    /// Says whether the window is on show already, with everything that belongs to it.
    private func isShown(_ state: State) -> Bool {
        state.face == .window && state.arrival == nil && state.status == status(of: state)
    }

    private func status(of state: State) -> Status {
        Status(
            isFetching: state.machine.request != nil,
            isMissingData: state.face == .window && state.window.isMissingData,
            errors: state.errorChanges
        )
    }

    /// A change of status is a change for those who observe, though the result is the same.
    private func settleStatus(_ state: inout State) {
        let status = status(of: state)
        if state.status != status { state.reading = state.reading.next(state.reading.result) }
        state.status = status
    }

    /// Changes the state under the lock, then does what has to be done outside it, and gives what there is to show
    /// then.
    @discardableResult
    private func perform<Value: Sendable>(
        _ body: (inout State, inout Effects) -> Value
    ) -> (Value, Reading<Data>) {
        var effects = Effects()
        let value = state.withLock { state in
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
        return (value, reading)
    }
}
