/// The part of a fragment handle that fetches the fragment again and loads pages. It is the shell of a `LoadMachine`.
///
/// What the machine decides inside the lock is done outside it by one thread at a time, in the order of the decisions.
/// So a refetch that began later is never replaced by an older one. A thread that finds another one at work leaves its
/// part to it.
///
/// State: guarded by a lock of its own.
final class LoadCore: Resettable, Sendable {
    private enum Effect {
        case start(Load, Waiter)
        case cancel(Waiter)
        /// Show the data of the query.
        case adopt(BoundOperation)
        /// Show a reference that the handle was given.
        case restore(GeneratedCode.FragmentTarget?)
        case release(BoundOperation)
        case finish(Load, RelayError?)
        case showStatus
        /// Ask for the data of the last refetch again.
        case refetch(BoundOperation)
    }

    private struct State {
        var machine = LoadMachine()
        var loads: [Int: (load: Load, waiter: Waiter?)] = [:]
        /// The query of the last refetch whose data is shown, retained.
        var adopted: BoundOperation?
        /// The reference that the handle was given, also while the data of a refetch is shown.
        var given: GeneratedCode.FragmentTarget?
        var lastFailed: Load?
        var pageErrors: [GraphQLError] = []
        /// The place from which a page was loaded ahead, while the end of the list has not moved since.
        var ahead: Ahead?
        /// How often the store was emptied.
        var resets = 0
        var effects: [Effect] = []
        var isWorking = false
    }

    /// A place from which a page is loaded ahead once.
    private struct Ahead: Equatable {
        let cursor: JSONValue
        /// When the list itself was fetched last. If it is fetched again, it begins anew, maybe with the same cursor.
        let fetched: Epoch?
    }

    let core: FragmentCore
    let query: LoadQuery
    let connection: ConnectionWatch?
    private let state = Guarded(State(), .handle)
    private let configured = Guarded(RequestConfiguration())

    /// What is said about each request from now on.
    var configuration: RequestConfiguration {
        get { configured.withLock { $0 } }
        set { configured.withLock { $0 = newValue } }
    }

    private var environment: RelayEnvironment { core.environment }

    init(_ core: FragmentCore, _ query: LoadQuery) {
        self.core = core
        self.query = query
        let given = core.target
        state.withLock { $0.given = given }
        connection = query.connection.flatMap { ConnectionWatch(core, query, $0) }
        environment.handles.add(self)
        if let connection {
            core.observers.add(connection)
            _ = connection.notify()
        }
    }

    // MARK: - Properties of the handle

    var fetchError: RelayError? { state.withLock { $0.machine.fetchError } }
    var pageErrors: [GraphQLError] { state.withLock { $0.pageErrors } }

    func isLoading(_ kind: LoadMachine.Kind) -> Bool { state.withLock { $0.machine.loads[kind] != nil } }

    // MARK: - Calls of the handle

    /// Notes the reference that the handle was given before its first load.
    func begin() {
        let given = core.target
        state.withLock { if $0.adopted == nil { $0.given = given } }
    }

    /// Changes the reference; does nothing if it equals the last one that the handle was given.
    func update(_ target: GeneratedCode.FragmentTarget?) {
        perform { state in
            guard state.given != target else { return }
            self.leave(&state)
            state.given = target
            state.ahead = nil
            state.effects.append(.restore(target))
            self.run(state.machine.cancelAll(), &state)
        }
    }

    /// Fetches the fragment again, with its variables or with some others.
    func refetch(_ fields: GeneratedCode.InputFields?, _ policy: FetchPolicy) -> FetchTask {
        let (target, adopted) = shown
        if let target, target.use.home !== environment.store.home {
            return refuse(.refetch, .foreignReference(fragment: query.fragment.name))
        }
        let members = query.variables(of: target, adopted: adopted)
        let operation = query.bind(members, replacing: fields)
        if let variable = query.route.identifierVariable, operation.variable(variable) == nil {
            return refuse(.refetch, .noReference(fragment: query.fragment.name))
        }
        return refetch(operation, policy)
    }

    private func refetch(_ operation: BoundOperation, _ policy: FetchPolicy) -> FetchTask {
        let load = Load(.refetch, operation, policy)
        environment.operations.retain(operation)
        while true {
            let resets = state.withLock { $0.resets }
            let availability = policy == .storeOnly || policy == .networkOnly ? .unknown : environment.check(operation)
            let isBegun = perform { state in
                // The store was emptied after it was looked at.
                guard state.resets == resets else { return false }
                let (number, actions) = state.machine.refetch(policy, availability)
                guard number > 0 else {
                    state.effects += [.release(operation), .finish(load, .cancelled)]
                    return true
                }
                load.setNumber(number)
                state.loads[number] = (load, nil)
                state.pageErrors = []
                state.ahead = nil
                self.run(actions, &state)
                return true
            }
            if isBegun { return task(of: load) }
        }
    }

    /// Loads a page at one end of the list, unless there is none or one is being loaded there. With `isAhead` the page
    /// is not loaded again from the same place.
    func page(_ kind: LoadMachine.Kind, _ count: Int, isAhead: Bool = false) -> FetchTask {
        while true {
            let moves = state.withLock { $0.machine.moves }
            let (target, adopted) = shown
            guard count > 0, let target, let cursor = connection?.state.cursor(kind) else {
                return FetchTask()
            }
            let members = query.variables(of: target, adopted: adopted)
            guard let page = query.variables(of: kind, count: count, from: cursor, with: members) else {
                return FetchTask()
            }
            // The list itself is being fetched, and may be another one in a moment.
            let isBusy = environment.requests[target.owner] != nil
            let place = isAhead ? Ahead(cursor: cursor, fetched: ownerFetch) : nil
            let load = Load(kind, query.bind([], replacing: page), count: count)
            environment.operations.retain(load.operation)
            let task = perform { state -> FetchTask? in
                if let number = state.machine.loads[kind], let known = state.loads[number]?.load {
                    state.effects.append(.release(load.operation))
                    return self.task(of: known)
                }
                guard !isBusy, !isAhead || state.ahead != place, state.machine.moves == moves,
                    case .begun(let number, let actions) = state.machine.page(kind)
                else {
                    state.effects.append(.release(load.operation))
                    let isStale = !isBusy && state.machine.moves != moves
                    return isStale ? nil : FetchTask(refusal: .cancelled)
                }
                load.setNumber(number)
                state.loads[number] = (load, nil)
                if let place { state.ahead = place }
                self.run(actions, &state)
                return self.task(of: load)
            }
            if let task { return task }
        }
    }

    /// Returns once the list is there and is not being fetched; otherwise the reason why there is none.
    func arrival() async -> RelayError? {
        let signal = Signal(environment.deliveries)
        let number = core.observers.add(signal)
        // The observers are not told of a request that leaves the data as it is.
        let watch = core.target.map { RequestSignal(signal, of: $0.owner, in: environment) }
        defer {
            core.observers.remove(number)
            watch?.end()
        }
        while await signal.wait() {
            if isLoading(.refetch) || core.target.map({ environment.requests[$0.owner] != nil }) == true { continue }
            switch core.reading()?.content {
            case .loading?: continue
            case .failure(let error)?: return error
            case .data?, .rows?, nil: return nil
            }
        }
        return .cancelled
    }

    /// Loads the next page ahead, unless the last load has failed or a page from there has added nothing.
    func prefetch(_ count: Int) {
        let (isQuiet, last) = state.withLock { state in
            (state.machine.loads.isEmpty && state.machine.fetchError == nil, state.ahead)
        }
        guard isQuiet, let cursor = connection?.state.cursor(.next) else { return }
        // In most frames nothing has changed since.
        if let last, last.cursor == cursor, last.fetched == ownerFetch { return }
        _ = page(.next, count, isAhead: true)
    }

    private var ownerFetch: Epoch? { core.target.flatMap { environment.store.lastFetch(of: $0.owner)?.epoch } }

    /// Does again what has failed last; does nothing if nothing has.
    func retry() -> FetchTask {
        let failed = state.withLock { $0.machine.fetchError == nil ? nil : $0.lastFailed }
        guard let failed else { return FetchTask() }
        return failed.kind == .refetch ? refetch(failed.operation, failed.policy) : page(failed.kind, failed.count)
    }

    private func task(of load: Load) -> FetchTask { FetchTask(load.outcome) { [self] in cancel(load) } }

    private func cancel(_ load: Load) {
        perform { state in self.run(state.machine.cancel(load.number), &state) }
    }

    func cancelAll() {
        perform { state in self.run(state.machine.giveUp(), &state) }
    }

    /// Forgets what was fetched before the store was emptied. With `asksAgain` the data of the last refetch is asked
    /// for again, unless the caller has cancelled since; otherwise the given reference is shown again.
    func reset(asksAgain: Bool) {
        perform { state in
            state.resets += 1
            let isGivenUp = state.machine.isGivenUp
            self.run(state.machine.cancelAll(), &state)
            state.pageErrors = []
            state.lastFailed = nil
            state.ahead = nil
            guard let adopted = state.adopted else { return }
            if asksAgain, !isGivenUp {
                state.effects.append(.refetch(adopted))
            } else {
                self.leave(&state)
                state.effects.append(.restore(state.given))
            }
        }
    }

    func close() {
        environment.handles.remove(self)
        connection?.close()
        perform { state in
            self.run(state.machine.close(), &state)
            self.leave(&state)
        }
    }

    private func refuse(_ kind: LoadMachine.Kind, _ error: RelayError) -> FetchTask {
        perform { state in
            state.lastFailed = nil
            self.run(state.machine.refused(kind, because: error), &state)
        }
        return FetchTask(refusal: error)
    }

    /// What is shown: the reference, and the query of the refetch that has brought it.
    private var shown: (target: GeneratedCode.FragmentTarget?, adopted: BoundOperation?) {
        (core.target, state.withLock { $0.adopted })
    }

    private func leave(_ state: inout State) {
        if let adopted = state.adopted { state.effects.append(.release(adopted)) }
        state.adopted = nil
    }

    // MARK: - Outcomes of requests

    private func receive(_ event: RequestEvent, for number: Int) {
        guard let load = state.withLock({ $0.loads[number]?.load }) else { return }
        switch event {
        case .landed(let payload):
            let isObject = payload.presence == .object
            let isPage = load.kind != .refetch
            let availability =
                isObject || isPage ? .available(fetchedAt: nil) : environment.check(load.operation, isArriving: true)
            let isWhole = isPage || !payload.hasNext || query.isWhole(in: load.operation)
            let end = load.kind == .next ? connection?.state.cursor(.next) : nil
            perform { state in
                if load.kind == .next, state.ahead?.cursor != end { state.ahead = nil }
                if isPage, state.machine.kind(of: number) != nil { state.pageErrors = payload.errors }
                let actions = state.machine.answered(
                    number, isObject ? .object : .null, errors: payload.errors, availability: availability,
                    hasNext: payload.hasNext, isWhole: isWhole)
                self.run(actions, &state)
            }
        case .failed(let error):
            let availability =
                load.policy == .networkOrStore ? environment.check(load.operation, isArriving: true) : .unknown
            perform { state in
                self.run(state.machine.failed(number, error, availability: availability), &state)
            }
        case .arriving: core.observers.notify()
        case .completed, .connection: break
        }
    }

    // MARK: - Actions of the machine

    /// Does the part of the actions that belongs inside the lock.
    private func run(_ actions: [LoadMachine.Action], _ state: inout State) {
        for action in actions {
            switch action {
            case .start(let number):
                guard let load = state.loads[number]?.load else { break }
                let waiter = Waiter { [weak self] event in self?.receive(event, for: number) }
                state.loads[number]?.waiter = waiter
                state.effects.append(.start(load, waiter))
            case .abandon(let number):
                if let waiter = state.loads[number]?.waiter { state.effects.append(.cancel(waiter)) }
            case .adopt(let number):
                guard let load = state.loads[number]?.load else { break }
                state.effects.append(.adopt(load.operation))
                if let before = state.adopted { state.effects.append(.release(before)) }
                state.adopted = load.operation
            case .finish(let number, let error):
                guard let load = state.loads.removeValue(forKey: number)?.load else { break }
                if error == nil || error == .cancelled { state.lastFailed = nil } else { state.lastFailed = load }
                // What did not come may be loaded ahead again.
                if error != nil, load.kind == .next { state.ahead = nil }
                state.effects += [.release(load.operation), .finish(load, error)]
            case .showStatus: state.effects.append(.showStatus)
            }
        }
    }

    /// Changes the state inside the lock, then does what has to be done outside it.
    @discardableResult
    private func perform<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, works) = state.withLock { state -> (Result, Bool) in
            let result = body(&state)
            let works = !state.isWorking && !state.effects.isEmpty
            if works { state.isWorking = true }
            return (result, works)
        }
        if works { work() }
        return result
    }

    private func work() {
        while true {
            let effects = state.withLock { state -> [Effect] in
                if state.effects.isEmpty { state.isWorking = false }
                defer { state.effects = [] }
                return state.effects
            }
            if effects.isEmpty { return }
            // A status that several actions change is shown once, after them.
            var showsStatus = effects.contains { if case .showStatus = $0 { true } else { false } }
            var waiting: [(Load, RelayError?)] = []
            for effect in effects {
                switch effect {
                case .start(let load, let waiter):
                    let call = RequestCall(
                        operation: load.operation, component: core.component, policy: load.policy,
                        configuration: configuration, asksAgain: true)
                    environment.requests.joinOrStart(call, for: waiter)
                case .cancel(let waiter): waiter.cancel()
                case .adopt(let operation):
                    environment.operations.retain(operation)
                    core.update(query.target(in: operation), showsStatus: showsStatus)
                    showsStatus = false
                case .restore(let target):
                    core.update(target, showsStatus: showsStatus)
                    showsStatus = false
                case .release(let operation): environment.operations.release(operation)
                case .finish(let load, let error): waiting.append((load, error))
                case .showStatus: break
                case .refetch(let operation): _ = refetch(operation, .networkOnly)
                }
            }
            if showsStatus { core.statusDidChange() }
            for (load, error) in waiting { load.outcome.finish(error) }
        }
    }
}

/// Raises a signal when a request of an operation begins or ends.
private final class RequestSignal: RequestWatcher {
    private let signal: Signal
    private let operation: BoundOperation
    private let environment: RelayEnvironment

    init(_ signal: Signal, of operation: BoundOperation, in environment: RelayEnvironment) {
        (self.signal, self.operation, self.environment) = (signal, operation, environment)
        environment.lastFetches.watch(operation, self)
    }

    func requestDidMove() { _ = signal.notify() }
    func end() { environment.lastFetches.unwatch(operation, self) }
}

extension BoundOperation {
    /// Returns the value of a variable that is sent; nil if it is left out or null.
    fileprivate func variable(_ name: String) -> JSONValue? {
        guard case .object(let members) = variables, let value = members.first(where: { $0.name == name })?.value,
            value != .null
        else { return nil }
        return value
    }
}
