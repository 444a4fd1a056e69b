/// The part of a fragment handle that fetches the fragment again and loads pages. It owns a `FragmentLoadMachine` and
/// performs its effects, so a refetch that began later is never replaced by an older one.
///
/// State: that of `shell`; the configuration, and the last load of all pages, each under a lock of its own.
final class LoadCore: MachineOwner, Resettable, Resumable {
    typealias Decisions = FragmentLoadMachine

    let core: FragmentCore
    let query: LoadQuery
    let connection: ConnectionWatch?
    private let shell: Shell<FragmentLoadMachine>
    private let requests = RunningRequests()
    private let configured = Guarded(RequestConfiguration())
    private let all = Guarded<Completion?>(nil)

    /// What is said about each request from now on.
    var configuration: RequestConfiguration {
        get { configured.withLock { $0 } }
        set { configured.withLock { $0 = newValue } }
    }

    private var environment: RelayEnvironment { core.environment }

    init(_ core: FragmentCore, _ query: LoadQuery) {
        self.core = core
        self.query = query
        shell = Shell(FragmentLoadMachine(core.target))
        connection = query.connection.flatMap { ConnectionWatch(core, query, $0) }
        environment.handles.add(self)
        if let connection {
            core.observers.add(connection)
            _ = connection.notify()
        }
    }

    // MARK: - Properties of the handle

    var owner: BoundOperation? { shell.look { $0.owner } }

    var fetchError: RelayError? {
        let (error, failed) = shell.look { ($0.loads.fetchError, $0.failedLoad) }
        return error == nil || failed.map(isOld) == true ? nil : error
    }

    var pageErrors: [GraphQLError] { shell.look { $0.pageErrors } }

    func isLoading(_ kind: LoadMachine.Kind) -> Bool { shell.look { $0.loads.number(of: kind) != nil } }

    // MARK: - Calls of the handle

    /// Notes the reference that the handle was given before its first load.
    func begin() { shell.send(.began(core.target), for: self) }

    /// Changes the reference; does nothing if it equals the last one that the handle was given.
    func update(_ target: GeneratedCode.FragmentTarget?) { shell.send(.updated(target), for: self) }

    /// Fetches the fragment again, with its variables or with some others.
    func refetch(_ fields: GeneratedCode.InputFields?, _ policy: FetchPolicy) -> FetchTask {
        let (target, adopted) = (core.target, shell.look { $0.adopted })
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

    @discardableResult
    private func refetch(_ operation: BoundOperation, _ policy: FetchPolicy) -> FetchTask {
        let load = Load(.refetch, operation, policy)
        environment.operations.retain(operation)
        shell.send(.refetched(load), for: self)
        return task(of: load)
    }

    /// Loads a page at one end of the list, unless there is none or one is being loaded there.
    func page(_ kind: LoadMachine.Kind, _ count: Int) -> FetchTask {
        noteMissingReference()
        return page(FragmentLoadMachine.PageAsk(kind: kind, count: count, cause: .caller))
    }

    /// Reports a page that is asked for while there is no reference.
    func noteMissingReference() {
        if core.target == nil { environment.log.report(.pageWithoutReference, at: query.fragment.name) }
    }

    @discardableResult
    private func page(_ ask: FragmentLoadMachine.PageAsk) -> FetchTask {
        var task = FetchTask()
        shell.send(.paged(ask), for: self) { effect in
            switch effect {
            case .tell(.load(let load)): task = self.task(of: load)
            case .tell(.refused): task = FetchTask(refusal: .cancelled)
            default: return answer(effect)
            }
            return nil
        }
        return task
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
            switch core.reading().content {
            case .loading: continue
            case .failure(let error): return error
            case .data, .rows: return nil
            }
        }
        return .cancelled
    }

    /// Notes that pages are loaded one after another, so that none is loaded ahead meanwhile.
    func noteAll(_ task: FetchTask) { all.withLock { $0 = task.completion } }

    /// Loads the next page ahead, unless the last load has failed, a page from there has added nothing, or all pages
    /// are being loaded.
    func loadAhead(_ count: Int) {
        guard all.withLock({ $0 })?.isOver != false else { return }
        let (isIdle, hasFailed, last) = shell.look { ($0.loads.isIdle, $0.loads.fetchError != nil, $0.ahead) }
        guard isIdle, !hasFailed || fetchError == nil, let cursor = connection?.state.cursor(.next) else { return }
        // In most frames nothing has changed since.
        if let last, last.cursor == cursor, last.fetched == ownerFetch { return }
        page(FragmentLoadMachine.PageAsk(kind: .next, count: count, cause: .ahead))
    }

    /// True for a page of a list that was fetched again since. The list has begun anew, and the page is no part of it.
    private func isOld(_ load: Load) -> Bool { load.kind != .refetch && load.listFetch != ownerFetch }

    private var ownerFetch: Epoch? { core.target.flatMap { environment.operations.fetch(of: $0.owner)?.epoch } }

    /// Does again what has failed last; does nothing if nothing has.
    func retry() -> FetchTask {
        guard let failed = shell.look({ $0.failedLoad }), !isOld(failed) else { return FetchTask() }
        return failed.kind == .refetch ? refetch(failed.operation, failed.policy) : page(failed.kind, failed.count)
    }

    /// Does again what has failed last, unless the caller has cancelled since. A list that is being fetched begins anew
    /// without the page.
    func resume() {
        let (failed, isGivenUp) = shell.look { ($0.failedLoad, $0.loads.isGivenUp) }
        guard let failed, !isGivenUp else { return }
        if failed.kind == .refetch || core.target.map({ environment.requests[$0.owner] == nil }) == true { _ = retry() }
    }

    private func task(of load: Load) -> FetchTask {
        FetchTask(load.completion) { [self] in shell.send(.cancelled(load), for: self) }
    }

    func cancelAll() { shell.send(.givenUp, for: self) }

    /// Forgets what was fetched before the store was emptied. With `asksAgain` the data of the last refetch is asked
    /// for again, unless the caller has cancelled since; otherwise the given reference is shown again.
    func reset(asksAgain: Bool) { shell.send(.emptied(asksAgain: asksAgain), for: self) }

    func close() {
        environment.handles.remove(self)
        environment.refreshes.remove(failed: self)
        connection?.close()
        shell.send(.closed, for: self)
    }

    private func refuse(_ kind: LoadMachine.Kind, _ error: RelayError) -> FetchTask {
        shell.send(.refused(kind, error), for: self)
        return FetchTask(refusal: error)
    }

    // MARK: - Effects

    func answer(_ effect: FragmentLoadMachine.Caller) -> FragmentLoadMachine.Event? {
        switch effect {
        case .check(let load, let resets): .checked(load, environment.check(load.operation), resets: resets)
        case .place(let ask, let adopted, let moves): .placed(place(of: ask, adopted), ask, moves: moves)
        case .inspect(let news): .known(facts(about: news), news)
        case .tell: nil
        }
    }

    /// Finds the place of a page; nil if there is none.
    private func place(
        of ask: FragmentLoadMachine.PageAsk, _ adopted: BoundOperation?
    ) -> FragmentLoadMachine.Place? {
        guard ask.count > 0, let target = core.target, let cursor = connection?.state.cursor(ask.kind) else {
            return nil
        }
        let members = query.variables(of: target, adopted: adopted)
        guard let page = query.variables(of: ask.kind, count: ask.count, from: cursor, with: members) else {
            return nil
        }
        let isBusy = environment.requests[target.owner] != nil
        let ahead = FragmentLoadMachine.Ahead(cursor: cursor, fetched: ownerFetch)
        let load = Load(
            ask.kind, query.bind([], replacing: page), count: ask.count, listFetch: ahead.fetched)
        environment.operations.retain(load.operation)
        return FragmentLoadMachine.Place(load: load, ahead: ahead, isBusy: isBusy)
    }

    private func facts(about news: FragmentLoadMachine.News) -> FragmentLoadMachine.Facts {
        var facts = FragmentLoadMachine.Facts()
        let operation = news.load.operation
        switch news.cause {
        case .failed: facts.availability = environment.check(operation, isArriving: true)
        case .landed(let payload):
            if news.load.kind == .refetch {
                if payload.presence != .object { facts.availability = environment.check(operation, isArriving: true) }
                facts.isWhole = !payload.hasNext || query.isWhole(in: operation)
            } else if news.load.kind == .next {
                facts.end = connection?.state.cursor(.next)
            }
        }
        return facts
    }

    func perform(_ effect: FragmentLoadMachine.Queued) {
        switch effect {
        case .start(let number, let load):
            let call = RequestCall(
                operation: load.operation, component: core.component, policy: load.policy,
                configuration: configuration, asksAgain: !load.policy.looksIntoStore)
            requests.start(number, call, in: environment) { [weak self] event in self?.receive(event, for: number) }
        case .abandon(let number): requests.abandon(number)
        case .finish(let number, let load, let error):
            requests.finish(number)
            if let error, error != .cancelled {
                environment.refreshes.add(failed: self)
            } else {
                environment.refreshes.remove(failed: self)
            }
            load.completion.finish(error)
        case .adopt(let operation, let status):
            environment.operations.retain(operation)
            core.update(query.target(in: operation), showsStatus: status == .shown)
        case .restore(let target, let status): core.update(target, showsStatus: status == .shown)
        case .showStatus: core.statusDidChange()
        case .release(let operation): environment.operations.release(operation)
        case .refetch(let operation): refetch(operation, .networkOnly)
        }
    }

    private func receive(_ event: RequestEvent, for number: Int) {
        switch event {
        case .landed(let payload): shell.send(.landed(number, payload), for: self)
        case .failed(let error): shell.send(.failed(number, error), for: self)
        case .completed, .connection: break
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
