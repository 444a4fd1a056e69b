/// The part of a paged query that observers and requests refer to: a core for each page, and the reading of all. It
/// owns a `PagedQueryMachine` and performs its effects.
///
/// State: that of `shell`. The cores are read, asked and closed outside its lock.
final class PagedQueryCore: MachineOwner, HandleObserver, ReadingSource, Resettable, RefreshingList, Closable {
    typealias Decisions = PagedQueryMachine
    typealias Page = PagedQueryMachine.Page

    let environment: RelayEnvironment
    let component: String
    let observers = Observers()
    private let options: FetchOptions
    private let shell = Shell(PagedQueryMachine())
    let losses = LossPauses()
    /// Loads the page at one end again; nil once the handle is gone. A lock of its own, a leaf.
    private let loadAgain = Guarded<(@Sendable (LoadMachine.Kind) -> Void)?>(nil)

    init(environment: RelayEnvironment, _ options: FetchOptions, component: String) {
        self.environment = environment
        self.component = component
        self.options = options
        environment.handles.add(self)
    }

    var pages: [Page] { shell.look { $0.pages } }
    var firstPage: Page? { shell.look { $0.firstPage } }
    var moves: Int { shell.look { $0.moves } }
    var fetchError: RelayError? { shell.look { $0.loads.fetchError } }
    var failed: LoadMachine.Kind? { shell.look { $0.loads.failed } }
    /// True if nothing is loaded, and nothing has failed since something was.
    var isQuiet: Bool { shell.look { $0.isQuiet } }

    func isLoading(_ kind: LoadMachine.Kind) -> Bool { shell.look { $0.loads.number(of: kind) != nil } }

    /// Makes a core for a page. Only the first page is shown in parts: the others join the list when they are whole.
    func makeCore(isFirst: Bool) -> QueryCore {
        var options = options
        if !isFirst { options.renderPolicy = .full }
        let core = QueryCore(component, environment: environment, options, isPart: true, of: self)
        core.observers.add(self)
        return core
    }

    /// True while the first page is fetched, for the first time or again.
    var isFetchingFirst: Bool { isLoading(.refetch) || firstPage?.core.isFetching == true }

    /// Returns once the first page is there and is not being fetched; otherwise the reason why there is none.
    func firstPageArrival() async -> RelayError? {
        let signal = Signal(environment.deliveries)
        let number = observers.add(signal)
        defer { observers.remove(number) }
        while await signal.wait() {
            guard let first = firstPage else { return .notAsked(component: component) }
            if isFetchingFirst { continue }
            switch first.core.phase {
            case .idle: return .notAsked(component: component)
            case .failed(let error): return error
            case .loading: continue
            case .showing, .showingNull: return nil
            }
        }
        return .cancelled
    }

    // MARK: - Calls of the handle

    /// Begins the list anew with a page that was asked for; all others are closed. Returns false if another page than
    /// that of `known` is the first one meanwhile, or if it is not known.
    func begin(with page: Page, after known: QueryCore?) -> Bool {
        if case .begun? = send(.begun(page, after: known)) { true } else { false }
    }

    /// Fetches the first page again. Once it has come, the list begins anew with it; until then all pages stay.
    func refetch() -> FetchTask {
        Retry.whileOthersMove {
            let (first, beginnings) = shell.look { ($0.firstPage, $0.beginnings) }
            guard let first else { return FetchTask() }
            // What is shown now is shown while the payload lands.
            _ = reading()
            let page = first.with(makeCore(isFirst: true))
            return task(send(.refetched(page, Completion(), beginnings: beginnings)))
        }
    }

    /// Loads a page at one end of the list, unless one is being loaded there. Returns nil if something has begun or
    /// ended since `moves`, so that the variables may be others.
    func load(
        _ kind: LoadMachine.Kind, _ page: Page, _ asking: PagedQueryMachine.Asking, since moves: Int
    ) -> FetchTask? {
        task(send(.paged(kind, page, Completion(), asking, moves: moves)))
    }

    /// The task of a load that is under way.
    func task(of kind: LoadMachine.Kind) -> FetchTask? {
        shell.look { $0.load(of: kind) }.map { task($0.number, $0.completion) }
    }

    /// The task that a call gets; nil if the call is to be made again.
    private func task(_ notice: PagedQueryMachine.Notice?) -> FetchTask? {
        switch notice {
        case .load(let number, let completion): task(number, completion)
        case .moved: nil
        case .refused, .begun, .reading, nil: FetchTask(refusal: .cancelled)
        }
    }

    private func task(_ number: Int, _ completion: Completion) -> FetchTask {
        FetchTask(completion) { [self] in shell.send(.cancelled(number), for: self) }
    }

    func cancelAll() { shell.send(.givenUp, for: self) }

    /// Begins the list anew, because the store was emptied.
    func reset(asksAgain: Bool) {
        Retry.whileOthersMove {
            let (first, beginnings) = shell.look { ($0.firstPage, $0.beginnings) }
            guard let first else { return cancelAll() }
            let page = asksAgain ? first.with(makeCore(isFirst: true)) : first
            if asksAgain { page.ask(page.core) } else { page.core.reset(asksAgain: false) }
            if case .begun? = send(.emptied(page, beginnings: beginnings)) { return () }
            return nil
        }
    }

    /// Sets what loads a page that has failed. It may hold this object, until `close`.
    func setLoadAgain(_ load: @escaping @Sendable (LoadMachine.Kind) -> Void) { loadAgain.withLock { $0 = load } }

    /// Ends the list that was let go, at once or with the last frame that shows it.
    func letGo() {
        if isFetchingFirst { environment.reportLetGo(component, observers, options.policy) }
        endWithFrames()
    }

    func close() {
        environment.handles.remove(self)
        let load = loadAgain.withLock { $0.take() }
        withExtendedLifetime(load) {}
        observers.close()
        shell.send(.closed, for: self)
    }

    /// Sends an event of a caller, and returns what the caller is told.
    private func send(_ event: PagedQueryMachine.Event) -> PagedQueryMachine.Notice? {
        var notice: PagedQueryMachine.Notice?
        shell.send(event, for: self) { effect in
            guard case .tell(let told) = effect else { return answer(effect) }
            notice = told
            return nil
        }
        return notice
    }

    // MARK: - Fetching by itself

    /// Begins the list anew because of one of its pages, unless that is under way. What fetches the first page again is
    /// no page yet, and fetches itself again.
    func refresh(_ core: QueryCore, because cause: LogEvent.Refresh.Cause) -> Bool {
        guard pages.contains(where: { $0.core === core }) else { return false }
        if isFetchingFirst { return true }
        environment.emit(.refreshed(LogEvent.Refresh(operationName: component, cause: cause)))
        _ = refetch()
        return true
    }

    /// The first page decides for the list. If its data is young and a page at one end has failed, that page is loaded
    /// again.
    func receive(_ signal: LogEvent.Refresh.Cause, of core: QueryCore, isYoung: Bool) {
        guard core === firstPage?.core, !isFetchingFirst else { return }
        let failed = failed
        if !isYoung || core.fetchError != nil || failed == .refetch {
            _ = refresh(core, because: signal)
        } else if let failed {
            environment.emit(.refreshed(LogEvent.Refresh(operationName: component, cause: signal)))
            loadAgain.withLock { $0 }?(failed)
        }
    }

    // MARK: - Changes of a page

    func notify() -> Bool {
        shell.send(.pageChanged, for: self)
        return true
    }

    func end() {}

    // MARK: - Reading

    /// Returns the newest reading of all pages. While the payload of a refetch lands, the last reading stays: the store
    /// has the new first page then, and the others are still the old ones.
    func reading() -> Reading {
        Retry.whileOthersMove {
            if case .reading(let reading)? = send(.looked) { reading } else { nil }
        }
    }

    // MARK: - Effects

    func answer(_ effect: PagedQueryMachine.Caller) -> PagedQueryMachine.Event? {
        switch effect {
        case .ask(let number, let page, let asking):
            page.ask(page.core)
            if !page.core.isFetching, mustFetch(page.core, asking) { page.core.fetchAnew() }
            return .asked(number)
        case .inspect(let number, let load):
            let (phase, isFetching, error) = load.page.core.status
            let isShown = phase == .showing || phase == .showingNull
            let failure = load.kind != .refetch && isShown ? load.page.core.readFailure : error
            return .inspected(
                number, PagedQueryMachine.PageState(phase: phase, isFetching: isFetching, error: failure))
        case .read(let task):
            let parts = task.pages.map { $0.core.reading() }
            // A response begins to arrive before it is in the store. So if none arrives yet, what was read is old. When
            // it has ended, the pages are still the old ones until the machine has inspected it.
            let isArriving = task.refetching.map { $0.requests.isArriving || !$0.isFetching } ?? false
            return .read(parts, task, isArriving: isArriving)
        case .tell, .discard: return nil
        }
    }

    private func mustFetch(_ core: QueryCore, _ asking: PagedQueryMachine.Asking) -> Bool {
        switch asking {
        case .policy: false
        case .unreadable: options.policy != .storeOnly && core.readFailure != nil
        case .everything: true
        }
    }

    func perform(_ effect: PagedQueryMachine.Queued) {
        switch effect {
        case .close(let core): core.close()
        case .notify: observers.notify()
        case .finish(let completion, let error): completion.finish(error)
        }
    }
}
