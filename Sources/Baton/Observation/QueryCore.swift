import Synchronization

/// The half of a query handle that the store, requests and observers hold on to.
///
/// State: `state`, guarded by its own lock, outside those of the store and of the operation ledger; `changes` and `lastPublish`, atomics that `storeDidChange` moves
/// without a lock, because subscribing can call it. The machine decides, this class does what it says: inside the lock what belongs to the state, outside
/// what calls others (`Effects`).
final class QueryCore<Operation: GraphQLQuery>: HandleCore, StoreSubscriber {
    typealias Data = Operation.Data

    private struct Ask {
        let variables: Operation.Variables
        var key: (any Hashable & Sendable)?
        let operation: BoundOperation
    }

    private struct State {
        var machine: QueryMachine
        var ask: Ask?
        var waiters: [Int: Waiter] = [:]
        var window = StoreWindow<Data>()
        /// The result is what the window has read.
        var showsWindow = false
        var reading = Reading<Data>()
        var errors: [GraphQLError] = []
        /// The last data that was shown for these variables, and for others before them.
        var shown: Data?
        var shownBefore: Data?
        var operationBefore: BoundOperation?
        var refetches: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastRefetch = 0
        var isClosed = false
    }

    /// A call of `get` and its result, which holds until a change is counted or the machine moves.
    private final class Call: Sendable {
        let variables: Operation.Variables
        let key: (any Hashable & Sendable)?
        let seen: Int
        let result: QueryResult<Data>

        init(
            _ variables: Operation.Variables, _ key: (any Hashable & Sendable)?, seen: Int, result: QueryResult<Data>
        ) {
            self.variables = variables
            self.key = key
            self.seen = seen
            self.result = result
        }
    }

    /// What to do once the lock is free, in the order of its parts.
    private struct Effects: Sendable {
        var starts: [(waiter: Waiter, operation: BoundOperation, key: FetchKey?)] = []
        var force = false
        var cancels: [Waiter] = []
        var releases: [BoundOperation] = []
        var notifies = false
        var events: [LogEvent] = []
        var resumes: [CheckedContinuation<Void, Never>] = []

        var isEmpty: Bool {
            !notifies && starts.isEmpty && cancels.isEmpty && releases.isEmpty && events.isEmpty && resumes.isEmpty
        }
    }

    /// What belongs to the result and is not in it.
    private struct Status: Equatable {
        let isFetching: Bool
        let fetchError: RelayError?
        let errors: [GraphQLError]
        let isMissingData: Bool
    }

    let environment: RelayEnvironment
    let audience = Audience()
    private let policy: FetchPolicy
    private let state: Guarded<State>
    /// A `Call`. The type is not said because a generic one would be looked up at run time several times in each `get`: 600 ns instead of 200.
    private let lastCall = Guarded<(any AnyObject & Sendable)?>(nil)
    private let changes = Atomic(0)
    private let lastPublish = Atomic(0)

    init(environment: RelayEnvironment, policy: FetchPolicy) {
        self.environment = environment
        self.policy = policy
        state = Guarded(State(machine: QueryMachine(policy: policy)))
    }

    var component: String { Operation.artifact.name }

    // MARK: - Asking

    func get(_ variables: Operation.Variables, fetchKey: (any Hashable & Sendable)?) -> QueryResult<Data> {
        let seen = changes.load(ordering: .acquiring)
        // In most frames nothing has changed, and this is all that happens.
        if let last = lastCall.withLock({ $0 }) as? Call, last.seen == seen, FetchKey.isSame(last.key, fetchKey),
            last.variables == variables
        {
            return last.result
        }
        let known = perform { state, effects -> QueryResult<Data>? in
            guard let ask = state.ask, FetchKey.isSame(ask.key, fetchKey), ask.variables == variables else {
                return nil
            }
            refresh(&state, &effects)
            let call = Call(variables, fetchKey, seen: seen, result: state.reading.result)
            lastCall.withLock { $0 = call }
            return call.result
        }
        return known ?? ask(variables, fetchKey)
    }

    private func ask(_ variables: Operation.Variables, _ fetchKey: (any Hashable & Sendable)?) -> QueryResult<Data> {
        let operation = environment.store.bind(Operation(variables: variables))
        environment.operations.retain(operation)
        let availability = needsCheck(fetchKey) ? environment.check(operation) : .missing([])
        let isFetched =
            availability.isAvailable && fetchKey.map { environment.isFetched(operation, under: FetchKey($0)) } == true
        let errors = environment.operations.errors(of: operation)
        return perform { state, effects in
            let isSameOperation = state.ask?.variables == variables
            if state.isClosed || isSameOperation { effects.releases.append(operation) }
            if state.isClosed { return state.reading.result }
            change(&state, &effects) { state, effects in
                if !isSameOperation {
                    let ask = Ask(variables: variables, key: fetchKey, operation: operation)
                    replace(with: ask, errors, &state, &effects)
                    return state.machine.evaluate(availability, isFetched: isFetched)
                }
                guard let ask = state.ask, !FetchKey.isSame(ask.key, fetchKey) else { return [] }
                state.ask?.key = fetchKey
                return state.machine.askAgain(isFetched: isFetched)
            }
            return state.reading.result
        }
    }

    /// Whether the policy asks what the store holds, which takes time linear in it.
    private func needsCheck(_ fetchKey: (any Hashable & Sendable)?) -> Bool {
        switch policy {
        case .storeOnly: false
        case .storeOrNetwork, .storeAndNetwork: true
        case .networkOnly, .networkOrStore: fetchKey != nil
        }
    }

    /// Turns to another operation; what was shown stays reachable, and retained.
    private func replace(with ask: Ask, _ errors: [GraphQLError], _ state: inout State, _ effects: inout Effects) {
        if state.shown != nil {
            if let before = state.operationBefore { effects.releases.append(before) }
            state.operationBefore = state.ask?.operation
            state.shownBefore = state.shown
            state.shown = nil
        } else if let unused = state.ask?.operation {
            effects.releases.append(unused)
        }
        state.window.close(in: environment.store)
        state.errors = errors
        state.ask = ask
    }

    func retry() {
        perform { state, effects in
            effects.force = true
            change(&state, &effects) { state, _ in state.machine.retry() }
        }
    }

    /// Returns when an answer or a failure is in, when there is nothing to wait for, or when the task is cancelled.
    func refetch() async {
        let number = state.withLock { state in
            state.lastRefetch += 1
            return state.lastRefetch
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                perform { state, effects in
                    if Task.isCancelled || state.isClosed {
                        effects.resumes.append(continuation)
                        return
                    }
                    effects.force = true
                    state.refetches[number] = continuation
                    change(&state, &effects) { state, _ in state.machine.refetch() }
                    if state.machine.request == nil { resumeRefetches(&state, &effects) }
                }
            }
        } onCancel: {
            state.withLock { $0.refetches.removeValue(forKey: number) }?.resume()
        }
    }

    private func resumeRefetches(_ state: inout State, _ effects: inout Effects) {
        effects.resumes.append(contentsOf: state.refetches.values)
        state.refetches = [:]
    }

    // MARK: - Being told

    func storeDidChange(at epoch: Epoch) {
        lastPublish.store(Int(truncatingIfNeeded: epoch), ordering: .relaxed)
        changes.add(1, ordering: .acquiringAndReleasing)
        audience.notify()
    }

    private func receive(_ event: RequestEvent, for number: Int, _ operation: BoundOperation) {
        let availability = needsCheck(event) ? environment.check(operation) : .available(fetchedAt: nil)
        perform { state, effects in
            change(&state, &effects) { state, effects in
                let isAccepted: Bool
                switch event {
                case .answered(let answer):
                    isAccepted = state.machine.answered(
                        number, answer.presence == .object ? .object : .null, errors: answer.errors,
                        availability: availability, hasNext: answer.hasNext
                    )
                    if isAccepted { state.errors = answer.errors }
                case .failed(let error):
                    isAccepted = state.machine.failed(number, error, availability: availability)
                }
                if isAccepted { resumeRefetches(&state, &effects) }
                return []
            }
            if state.machine.request != number { state.waiters[number] = nil }
        }
    }

    private func needsCheck(_ event: RequestEvent) -> Bool {
        guard case .answered(let answer) = event else { return true }
        return answer.presence != .object
    }

    func close() {
        audience.close()
        perform { state, effects in
            state.isClosed = true
            lastCall.withLock { $0 = nil }
            effects.cancels = Array(state.waiters.values)
            effects.releases = [state.ask?.operation, state.operationBefore].compactMap { $0 }
            state.waiters = [:]
            state.ask = nil
            state.operationBefore = nil
            state.window.close(in: environment.store)
            resumeRefetches(&state, &effects)
        }
    }

    // MARK: - Being read

    func reading() -> Reading<Data> {
        perform { state, effects in
            refresh(&state, &effects)
            return state.reading
        }
    }

    var isFetching: Bool { state.withLock { $0.machine.request != nil } }
    var fetchError: RelayError? { state.withLock { $0.machine.fetchError } }
    var errors: [GraphQLError] { state.withLock { $0.errors } }

    var isMissingData: Bool {
        perform { state, effects in
            refresh(&state, &effects)
            return state.showsWindow && state.window.isMissingData
        }
    }

    func previousData(anyVariables: Bool) -> Data? {
        state.withLock { $0.shown ?? (anyVariables ? $0.shownBefore : nil) }
    }

    // MARK: - State

    /// Lets the machine move, does inside the lock what it asks for, and works out what there is to show now.
    private func change(
        _ state: inout State, _ effects: inout Effects,
        _ move: (inout State, inout Effects) -> [QueryMachine.Action]
    ) {
        let status = status(of: state)
        let actions = move(&state, &effects)
        for action in actions { apply(action, &state, &effects) }
        let before = state.reading
        lastCall.withLock { $0 = nil }
        refresh(&state, &effects)
        if state.reading === before && self.status(of: state) != status {
            state.reading = before.next(before.result)
        }
        if state.reading !== before { effects.notifies = true }
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

    /// Works out the result, reading the store if it has changed.
    private func refresh(_ state: inout State, _ effects: inout Effects) {
        switch state.machine.phase {
        case .idle, .loading: show(.loading, &state)
        case .failed(let error): show(.failure(error), &state)
        case .showingNull: show(.success(nil), &state)
        case .showing:
            let seen = changes.load(ordering: .acquiring)
            guard let operation = state.ask?.operation else { return }
            if !state.showsWindow || !state.window.isCurrent(seen) { readStore(operation, seen, &state, &effects) }
        }
    }

    private func readStore(_ operation: BoundOperation, _ seen: Int, _ state: inout State, _ effects: inout Effects) {
        var isDifferent = false
        if !state.window.isCurrent(seen) {
            isDifferent = state.window.read(
                operation.reader, at: operation.root, in: environment.store, for: self, changes: seen)
            if isDifferent && state.window.isMissingData && environment.isLogging {
                effects.events.append(.missingData(MissingDataEvent(component: component, operationName: component)))
            }
        }
        if !state.showsWindow {
            show(.success(state.window.data), &state)
            state.showsWindow = true
        } else if isDifferent {
            state.reading = state.reading.next(
                .success(state.window.data), changedBy: lastPublish.load(ordering: .relaxed))
        }
        state.shown = state.window.data
    }

    private func show(_ result: QueryResult<Data>, _ state: inout State) {
        state.showsWindow = false
        if state.reading.result != result { state.reading = state.reading.next(result) }
    }

    private func status(of state: State) -> Status {
        Status(
            isFetching: state.machine.request != nil, fetchError: state.machine.fetchError, errors: state.errors,
            isMissingData: state.showsWindow && state.window.isMissingData
        )
    }

    /// Changes the state under the lock, and then does what has to be done outside it.
    private func perform<Value: Sendable>(_ body: (inout State, inout Effects) -> Value) -> Value {
        var effects = Effects()
        let value = state.withLock { state in
            var inside = Effects()
            defer { effects = inside }
            return body(&state, &inside)
        }
        if !effects.isEmpty { carryOut(effects) }
        return value
    }

    private func carryOut(_ effects: Effects) {
        for event in effects.events { environment.emit(event) }
        for start in effects.starts {
            environment.start(start.waiter, for: start.operation, key: start.key, force: effects.force)
        }
        for waiter in effects.cancels { environment.cancel(waiter) }
        for operation in effects.releases { environment.operations.release(operation) }
        if effects.notifies { audience.notify() }
        for continuation in effects.resumes { continuation.resume() }
    }
}
