/// The part of a paged query that observers and requests refer to: a core for each page, and the reading of all. It is
/// a shell of a `LoadMachine`.
///
/// State: guarded by a lock of its own. The cores are read, asked and closed outside it.
final class PagedQueryCore: HandleObserver {
    /// A page: its core, and the variables with which it is fetched.
    struct Page: Sendable {
        let core: QueryCore
        let variables: any Sendable
    }

    private struct State {
        var machine = LoadMachine()
        /// The pages in the order of the list; `first` of them are before the one that `get` asks for.
        var pages: [Page] = []
        var first = 0
        var loads: [Int: (page: Page, outcome: LoadOutcome)] = [:]
        var combined = CombinedReading()
        /// A number that grows whenever pages come, go, begin or end.
        var moves = 0

        mutating func move() {
            moves += 1
            combined.forget()
        }
    }

    let environment: RelayEnvironment
    let component: String
    let observers = Observers()
    private let policy: FetchPolicy
    private let configuration: RequestConfiguration
    private let state = Guarded(State(), .handle)

    init(
        _ component: String, environment: RelayEnvironment, policy: FetchPolicy, _ configuration: RequestConfiguration
    ) {
        self.component = component
        self.environment = environment
        self.policy = policy
        self.configuration = configuration
    }

    var pages: [Page] { state.withLock { $0.pages } }
    var firstPage: Page? { state.withLock { $0.pages.isEmpty ? nil : $0.pages[$0.first] } }
    var moves: Int { state.withLock { $0.moves } }
    var fetchError: RelayError? { state.withLock { $0.machine.fetchError } }
    var failed: LoadMachine.Kind? { state.withLock { $0.machine.failed } }

    func isLoading(_ kind: LoadMachine.Kind) -> Bool { state.withLock { $0.machine.loads[kind] != nil } }

    func makeCore() -> QueryCore {
        let options = FetchOptions(policy: policy, component: component, configuration: configuration)
        let core = QueryCore(component, environment: environment, options)
        core.observers.add(self)
        return core
    }

    // MARK: - Calls of the handle

    /// Begins the list anew with this page; all others are closed.
    func begin(with page: Page) {
        let (closed, ended) = state.withLock { state -> ([QueryCore], [LoadOutcome]) in
            let old = state.pages.map(\.core).filter { $0 !== page.core } + state.loads.values.map(\.page.core)
            let ended = state.loads.values.map(\.outcome)
            _ = state.machine.cancelAll()
            let isClosed = state.machine.isClosed
            state.pages = isClosed ? [] : [page]
            (state.first, state.loads) = (0, [:])
            state.move()
            return (isClosed ? old + [page.core] : old, ended)
        }
        for core in closed { core.close() }
        for outcome in ended { outcome.finish(.cancelled) }
        observers.notify()
    }

    /// Loads a page at one end of the list, unless one is being loaded there. Returns nil if something has begun or
    /// ended since `moves`, so that the variables may be others.
    ///
    /// - Parameter ask: Asks the page's core for its data.
    func load(
        _ kind: LoadMachine.Kind, _ page: Page, since moves: Int, ask: (QueryCore) -> Void
    ) -> FetchTask? {
        let outcome = LoadOutcome()
        let (task, number) = state.withLock { state -> (FetchTask?, Int) in
            if let number = state.machine.loads[kind], let known = state.loads[number]?.outcome {
                return (self.task(known, number), 0)
            }
            guard state.moves == moves else { return (nil, 0) }
            guard case .begun(let number, _) = state.machine.page(kind) else {
                return (FetchTask(refusal: .cancelled), 0)
            }
            state.loads[number] = (page, outcome)
            state.move()
            return (self.task(outcome, number), number)
        }
        guard number > 0 else {
            page.core.close()
            return task
        }
        ask(page.core)
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

    func close() {
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
        for (number, load) in loads.sorted(by: { $0.key < $1.key }) {
            switch load.page.core.phase {
            case .idle, .loading: break
            case .failed(let error): end { $0.machine.failed(number, error, availability: .unknown) }
            case .showing, .showingNull:
                end { state in
                    guard let kind = state.machine.kind(of: number) else { return [] }
                    if kind == .next {
                        state.pages.append(load.page)
                    } else {
                        state.pages.insert(load.page, at: 0)
                        state.first += 1
                    }
                    return state.machine.answered(
                        number, .object, errors: [], availability: .available(fetchedAt: nil), hasNext: false)
                }
            }
        }
    }

    /// Passes an event to the machine, and ends the loads that are over.
    private func end(_ event: (inout State) -> [LoadMachine.Action]) {
        let (closed, ended, changes) = state.withLock { state -> ([QueryCore], [(LoadOutcome, RelayError?)], Bool) in
            var closed: [QueryCore] = []
            var ended: [(LoadOutcome, RelayError?)] = []
            let actions = event(&state)
            for case .finish(let number, let error) in actions {
                guard let load = state.loads.removeValue(forKey: number) else { continue }
                if error != nil { closed.append(load.page.core) }
                ended.append((load.outcome, error))
            }
            if !actions.isEmpty { state.move() }
            return (closed, ended, !actions.isEmpty)
        }
        for core in closed { core.close() }
        if changes { observers.notify() }
        for (outcome, error) in ended { outcome.finish(error) }
    }

    // MARK: - Reading

    /// Returns the newest reading of all pages.
    func reading() -> Reading {
        while true {
            let (pages, first) = state.withLock { ($0.pages, $0.first) }
            if pages.isEmpty { return .nothing }
            let parts: [Reading?] = pages.map { $0.core.reading() }
            let (reading, _) = state.withLock { state -> (Reading?, Reading?) in
                guard state.pages.elementsEqual(pages, by: { $0.core === $1.core }) else { return (nil, nil) }
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

/// A view of a paged core with the type of its data.
struct TypedPagedCore<Query: GraphQLQuery>: HandleCore {
    typealias Data = [Query.Data]

    let core: PagedQueryCore

    var environment: RelayEnvironment { core.environment }
    var observers: Observers { core.observers }
    var component: String { core.component }

    func reading() -> Reading { core.reading() }

    func result(of reading: Reading) -> QueryResult<Data> {
        switch reading.content {
        case .loading: .loading
        case .failure(let error): .failure(error)
        case .data(let row): .success(row.map { [Query.Data(__row: $0)] })
        case .rows(let rows): .success(rows.compactMap { $0.map { Query.Data(__row: $0) } })
        }
    }
}
