/// The part of a paged query that observers and requests refer to: a core for each page, and the reading of all. It is
/// a shell of a `LoadMachine`.
///
/// State: guarded by a lock of its own. The cores are read, asked and closed outside it.
final class PagedQueryCore: HandleObserver, Resettable {
    /// A page: its core, the variables with which it is fetched, and the call of `get` that fetches it.
    struct Page: Sendable {
        let core: QueryCore
        let variables: any Sendable
        let ask: @Sendable (QueryCore) -> Void

        /// The same page, to be fetched by another core.
        func with(_ core: QueryCore) -> Page { Page(core: core, variables: variables, ask: ask) }
    }

    private struct Loading {
        let page: Page
        let kind: LoadMachine.Kind
        let outcome: LoadOutcome
        /// False until the core was asked for everything, so that its state says nothing yet.
        var isAsked = false
    }

    private struct State {
        var machine = LoadMachine()
        /// The pages in the order of the list; `first` of them are before the one that `get` asks for.
        var pages: [Page] = []
        var first = 0
        var loads: [Int: Loading] = [:]
        var combined = CombinedReading()
        /// A number that grows whenever pages come, go, begin or end.
        var moves = 0
        /// A number that grows whenever the list begins anew.
        var beginnings = 0

        var firstPage: Page? { pages.isEmpty ? nil : pages[first] }
        /// What fetches the first page again.
        var refetching: QueryCore? { machine.loads[.refetch].flatMap { loads[$0]?.page.core } }

        mutating func move() {
            moves += 1
            combined.forget()
        }

        /// Adds a page at one end of the list.
        mutating func add(_ page: Page, _ kind: LoadMachine.Kind) {
            if kind == .next {
                pages.append(page)
            } else {
                pages.insert(page, at: 0)
                first += 1
            }
        }

        /// Begins the list anew with a page; returns the cores of the old pages.
        mutating func begin(with page: Page) -> [QueryCore] {
            let old = pages.map(\.core).filter { $0 !== page.core }
            (pages, first) = (machine.isClosed ? [] : [page], 0)
            beginnings += 1
            return machine.isClosed ? old + [page.core] : old
        }
    }

    let environment: RelayEnvironment
    let component: String
    let observers = Observers()
    private let options: FetchOptions
    private let state = Guarded(State(), .handle)

    init(environment: RelayEnvironment, _ options: FetchOptions, component: String) {
        self.environment = environment
        self.component = component
        self.options = options
        environment.handles.add(self)
    }

    var pages: [Page] { state.withLock { $0.pages } }
    var firstPage: Page? { state.withLock { $0.firstPage } }
    var moves: Int { state.withLock { $0.moves } }
    var fetchError: RelayError? { state.withLock { $0.machine.fetchError } }
    var failed: LoadMachine.Kind? { state.withLock { $0.machine.failed } }
    /// True if nothing is loaded, and nothing has failed since something was.
    var isQuiet: Bool { state.withLock { $0.machine.loads.isEmpty && $0.machine.fetchError == nil } }

    func isLoading(_ kind: LoadMachine.Kind) -> Bool { state.withLock { $0.machine.loads[kind] != nil } }

    /// Makes a core for a page. Only the first page is shown in parts: the others join the list when they are whole.
    func makeCore(isFirst: Bool) -> QueryCore {
        var options = options
        if !isFirst { options.renderPolicy = .full }
        let core = QueryCore(component, environment: environment, options, isPart: true)
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
        let isDone = change { state in
            guard state.machine.isClosed || state.firstPage?.core === known else {
                return Change(closed: page.core === known ? [] : [page.core], value: false)
            }
            let actions = state.machine.cancelAll()
            return Change(actions, closed: state.begin(with: page), moves: true, value: true)
        }
        return isDone
    }

    /// Fetches the first page again. Once it has come, the list begins anew with it; until then all pages stay.
    func refetch() -> FetchTask {
        while true {
            let (first, beginnings) = state.withLock { ($0.firstPage, $0.beginnings) }
            guard let first else { return FetchTask() }
            let page = first.with(makeCore(isFirst: true))
            let outcome = LoadOutcome()
            // What is shown now is shown while the answer lands.
            _ = reading()
            let number = change { state -> Change<Int?> in
                guard state.beginnings == beginnings else { return Change(closed: [page.core], value: nil) }
                let (number, actions) = state.machine.refetch(.networkOnly, .unknown)
                guard number > 0 else { return Change(closed: [page.core], value: 0) }
                state.loads[number] = Loading(page: page, kind: .refetch, outcome: outcome)
                return Change(actions, moves: true, value: number)
            }
            guard let number else { continue }
            guard number > 0 else { return FetchTask(refusal: .cancelled) }
            page.ask(page.core)
            if !page.core.isFetching { page.core.fetchAnew() }
            state.withLock { $0.loads[number]?.isAsked = true }
            settle()
            return task(outcome, number)
        }
    }

    /// Loads a page at one end of the list, unless one is being loaded there. Returns nil if something has begun or
    /// ended since `moves`, so that the variables may be others. With `isAnew` a page is also fetched if the store has
    /// its data and that cannot be read.
    func load(_ kind: LoadMachine.Kind, _ page: Page, isAnew: Bool, since moves: Int) -> FetchTask? {
        let outcome = LoadOutcome()
        let (task, number) = state.withLock { state -> (FetchTask?, Int) in
            if let number = state.machine.loads[kind], let known = state.loads[number]?.outcome {
                return (self.task(known, number), 0)
            }
            guard state.moves == moves else { return (nil, 0) }
            guard case .begun(let number, _) = state.machine.page(kind) else {
                return (FetchTask(refusal: .cancelled), 0)
            }
            state.loads[number] = Loading(page: page, kind: kind, outcome: outcome, isAsked: !isAnew)
            state.move()
            return (self.task(outcome, number), number)
        }
        guard number > 0 else {
            page.core.close()
            return task
        }
        page.ask(page.core)
        if isAnew, !page.core.isFetching, page.core.readFailure != nil, options.policy != .storeOnly {
            page.core.fetchAnew()
        }
        if isAnew { state.withLock { $0.loads[number]?.isAsked = true } }
        settle()
        observers.notify()
        return task
    }

    /// The task of a load that is under way.
    func task(of kind: LoadMachine.Kind) -> FetchTask? {
        state.withLock { state in
            guard let number = state.machine.loads[kind], let known = state.loads[number]?.outcome else { return nil }
            return self.task(known, number)
        }
    }

    private func task(_ outcome: LoadOutcome, _ number: Int) -> FetchTask {
        FetchTask(outcome) { [self] in end { $0.machine.cancel(number) } }
    }

    func cancelAll() { end { $0.machine.cancelAll() } }

    /// Begins the list anew, because the store was emptied: the variables of all pages but the first one were made of
    /// data that is gone.
    func reset(asksAgain: Bool) {
        while true {
            let (first, beginnings) = state.withLock { ($0.firstPage, $0.beginnings) }
            guard let first else { return cancelAll() }
            let page = asksAgain ? first.with(makeCore(isFirst: true)) : first
            if asksAgain { page.ask(page.core) } else { page.core.reset(asksAgain: false) }
            let isDone = change { state in
                guard state.beginnings == beginnings else {
                    return Change(closed: asksAgain ? [page.core] : [], value: false)
                }
                let actions = state.machine.cancelAll()
                return Change(actions, closed: state.begin(with: page), moves: true, value: true)
            }
            if isDone { return }
        }
    }

    func close() {
        environment.handles.remove(self)
        let cores = state.withLock { state in
            defer { state.pages = [] }
            return state.pages.map(\.core)
        }
        end { $0.machine.close() }
        observers.close()
        for core in cores { core.close() }
    }

    // MARK: - Changes of a page

    func notify() -> Bool {
        settle()
        observers.notify()
        return true
    }

    func end() {}

    /// Takes the pages over whose data has come, and drops those that have failed.
    private func settle() {
        let loads = state.withLock { $0.loads }
        for (number, load) in loads.sorted(by: { $0.key < $1.key }) where load.isAsked {
            let (phase, isFetching, error) = load.page.core.status
            // What the store has of the first page is on show already.
            if load.kind == .refetch, isFetching { continue }
            switch phase {
            case .idle, .loading: break
            case .failed(let error): end { $0.machine.failed(number, error, availability: .unknown) }
            case .showing, .showingNull:
                let failure = load.kind == .refetch ? error : load.page.core.readFailure
                if let failure {
                    // A page of the store's data may be readable once its request has ended.
                    if load.kind != .refetch, isFetching { continue }
                    end { $0.machine.failed(number, failure, availability: .unknown) }
                    continue
                }
                end { state in
                    if let kind = state.machine.kind(of: number), kind != .refetch, let load = state.loads[number] {
                        state.add(load.page, kind)
                    }
                    return state.machine.answered(
                        number, .object, errors: [], availability: .available(fetchedAt: nil), hasNext: false)
                }
            }
        }
    }

    /// What a change of the state leaves to do outside the lock.
    private struct Change<Value> {
        let actions: [LoadMachine.Action]
        let closed: [QueryCore]
        let moves: Bool
        let value: Value

        init(_ actions: [LoadMachine.Action] = [], closed: [QueryCore] = [], moves: Bool = false, value: Value) {
            self.actions = actions
            self.closed = closed
            self.moves = moves || !actions.isEmpty
            self.value = value
        }
    }

    /// Passes an event to the machine, and ends the loads that are over.
    private func end(_ event: (inout State) -> [LoadMachine.Action]) { change { Change(event(&$0), value: ()) } }

    /// Changes the state, and does what the machine asks for.
    private func change<Value: Sendable>(_ body: (inout State) -> Change<Value>) -> Value {
        typealias Ended = [(LoadOutcome, RelayError?)]
        let (value, closed, ended, moves) = state.withLock { state -> (Value, [QueryCore], Ended, Bool) in
            let change = body(&state)
            var closed = change.closed
            var ended: Ended = []
            for action in change.actions {
                switch action {
                case .adopt(let number):
                    if let page = state.loads[number]?.page { closed += state.begin(with: page) }
                case .finish(let number, let error):
                    guard let load = state.loads.removeValue(forKey: number) else { continue }
                    if error != nil { closed.append(load.page.core) }
                    ended.append((load.outcome, error))
                case .start, .abandon, .showStatus: break
                }
            }
            if change.moves { state.move() }
            return (change.value, closed, ended, change.moves)
        }
        for core in closed { core.close() }
        if moves { observers.notify() }
        for (outcome, error) in ended { outcome.finish(error) }
        return value
    }

    // MARK: - Reading

    /// Returns the newest reading of all pages. While the answer of a refetch lands, the last reading stays: the store
    /// has the new first page then, and the others are still the old ones.
    func reading() -> Reading {
        while true {
            let (pages, first, refetching) = state.withLock { ($0.pages, $0.first, $0.refetching) }
            if pages.isEmpty { return .nothing }
            let parts: [Reading?] = pages.map { $0.core.reading() }
            // The answer is announced before it lands. So if it is not announced yet, what was read is old.
            let isLanding = refetching?.isLanding == true
            let (reading, _) = state.withLock { state -> (Reading?, Reading?) in
                guard state.pages.elementsEqual(pages, by: { $0.core === $1.core }), state.refetching === refetching
                else { return (nil, nil) }
                if isLanding, let held = state.combined.hold() { return (held, nil) }
                return state.combined.combine(parts) { Self.content(of: $0, first: first) }
            }
            if let reading { return reading }
        }
    }

    /// The page that `get` asks for decides whether there is data. Other pages without data are left out.
    private static func content(of parts: [Reading?], first: Int) -> Reading.Content {
        switch parts[first]?.content {
        case nil, .loading: return .loading
        case .failure(let error): return .failure(error)
        case .data, .rows: break
        }
        return .rows(
            parts.compactMap { part in
                if case .data(let row?)? = part?.content { row } else { nil }
            })
    }
}
