/// The decisions of a paged query: which pages are in its list, and which come and go. A `LoadMachine` decides what is
/// under way.
struct PagedQueryMachine: Machine {
    /// A page: its core, the variables with which it is fetched, and the call of `get` that fetches it.
    struct Page: Sendable {
        let core: QueryCore
        let variables: any Sendable
        let ask: @Sendable (QueryCore) -> Void

        /// The same page, to be fetched by another core.
        func with(_ core: QueryCore) -> Page { Page(core: core, variables: variables, ask: ask) }
    }

    /// How much of a page is asked for, beside what its policy fetches.
    enum Asking: Sendable {
        case policy
        /// Fetch what the store has and cannot be read.
        case unreadable
        /// Fetch everything.
        case everything
    }

    /// A page that is being loaded.
    struct Loading: Sendable {
        enum Progress: Sendable {
            /// The core was not asked for everything yet, so its state says nothing.
            case begun
            case asked
        }

        let page: Page
        let kind: LoadMachine.Kind
        let completion: Completion
        var progress = Progress.begun
    }

    /// The state of a page that is being loaded.
    struct PageState: Sendable {
        let phase: PolicyMachine.Phase
        let isFetching: Bool
        /// The error of its fetch, or the reason why its data cannot be read.
        let error: RelayError?
    }

    /// What is read: the cores of the pages, and what fetches the first one again.
    struct ReadTask: Sendable {
        let pages: [Page]
        let first: Int
        let refetching: QueryCore?
    }

    /// What the caller is told.
    enum Notice: Sendable {
        /// The list has begun anew with the page.
        case begun
        /// Something has changed since the call was prepared.
        case moved
        /// A load has begun or was under way.
        case load(Int, Completion)
        case refused
        case reading(Reading)
    }

    enum Event: Sendable {
        // Calls of the handle. Each says since when it was prepared.
        /// The list begins anew with a page that was asked for, if `known` is still the first one.
        case begun(Page, after: QueryCore?)
        /// The first page is to be fetched again.
        case refetched(Page, Completion, beginnings: Int)
        case paged(LoadMachine.Kind, Page, Completion, Asking, moves: Int)
        case cancelled(Int)
        case givenUp
        /// The store was emptied; the page is the first one from now on, because the variables of the others were made
        /// of data that is gone.
        case emptied(Page, beginnings: Int)
        case closed
        /// A page may show something else.
        case pageChanged
        /// Somebody wants the newest reading.
        case looked

        // Answers to questions.
        case asked(Int)
        case inspected(Int, PageState)
        case read([Reading], ReadTask, isArriving: Bool)
    }

    typealias InLock = Never

    /// For the thread that has sent the event.
    enum Caller: Sendable {
        /// Ask the core of a page; `asked` follows.
        case ask(Int, Page, Asking)
        /// Look at a page that is being loaded; `inspected` follows.
        case inspect(Int, Loading)
        /// Read the pages; `read` follows.
        case read(ReadTask)
        case tell(Notice)
        /// Let go what may hold the last reference to an object of the application.
        case discard(Reading)
    }

    /// In the queue.
    enum Queued: Sendable {
        case close(QueryCore)
        case notify
        case finish(Completion, RelayError?)
    }

    private(set) var loads = LoadMachine()
    /// The pages in the order of the list; `first` of them are before the one that `get` asks for.
    private(set) var pages: [Page] = []
    private var first = 0
    private var underWay: [Int: Loading] = [:]
    private var combined = CombinedReading()
    /// A number that grows whenever pages come, go, begin or end.
    private(set) var moves = 0
    /// A number that grows whenever the list begins anew.
    private(set) var beginnings = 0

    // MARK: - Queries

    var firstPage: Page? { pages.isEmpty ? nil : pages[first] }
    /// True if nothing is loaded, and nothing has failed since something was.
    var isQuiet: Bool { loads.isIdle && loads.fetchError == nil }
    /// What fetches the first page again.
    private var refetching: QueryCore? { loads.number(of: .refetch).flatMap { underWay[$0]?.page.core } }

    /// The load that is under way at one end.
    func load(of kind: LoadMachine.Kind) -> (number: Int, completion: Completion)? {
        guard let number = loads.number(of: kind), let load = underWay[number] else { return nil }
        return (number, load.completion)
    }

    // MARK: - Events

    mutating func handle(_ event: consuming Event) -> Effects {
        var effects = Effects()
        switch event {
        case .begun(let page, let known):
            guard loads.isClosed || firstPage?.core === known else {
                if page.core !== known { effects.append(.queue(.close(page.core))) }
                effects.append(.caller(.tell(.moved)))
                break
            }
            beginAnew(with: page, &effects)
            effects.append(.caller(.tell(.begun)))
        case .refetched(let page, let completion, let beginnings): refetch(page, completion, beginnings, &effects)
        case .paged(let kind, let page, let completion, let asking, let moves):
            self.page(kind, page, completion, asking, since: moves, &effects)
        case .cancelled(let number): move(.cancelled(number), &effects)
        case .givenUp: move(.left, &effects)
        case .emptied(let page, let beginnings):
            guard beginnings == self.beginnings else {
                // The page that is the first one already stays as it is.
                if page.core !== firstPage?.core { effects.append(.queue(.close(page.core))) }
                effects.append(.caller(.tell(.moved)))
                break
            }
            beginAnew(with: page, &effects)
            effects.append(.caller(.tell(.begun)))
        case .closed:
            let former = pages
            pages = []
            move(.closed, &effects)
            for page in former { effects.append(.queue(.close(page.core))) }
        case .pageChanged:
            inspect(&effects)
            effects.append(.queue(.notify))
        case .asked(let number):
            underWay[number]?.progress = .asked
            inspect(&effects)
        case .inspected(let number, let state): settle(number, state, &effects)
        case .looked:
            guard !pages.isEmpty else {
                effects.append(.caller(.tell(.reading(.nothing))))
                break
            }
            effects.append(.caller(.read(ReadTask(pages: pages, first: first, refetching: refetching))))
        case .read(let parts, let task, let isArriving): combine(parts, task, isArriving: isArriving, &effects)
        }
        return effects
    }

    // MARK: - Loads

    private mutating func refetch(
        _ page: Page, _ completion: Completion, _ beginnings: Int, _ effects: inout Effects
    ) {
        guard beginnings == self.beginnings, !loads.isClosed else {
            effects += [.queue(.close(page.core)), .caller(.tell(loads.isClosed ? .refused : .moved))]
            return
        }
        let number = loads.last + 1
        underWay[number] = Loading(page: page, kind: .refetch, completion: completion)
        move(.refetched(.networkOnly, .unknown), &effects)
        effects += [.caller(.tell(.load(number, completion))), .caller(.ask(number, page, .everything))]
    }

    private mutating func page(
        _ kind: LoadMachine.Kind, _ page: Page, _ completion: Completion, _ asking: Asking, since moves: Int,
        _ effects: inout Effects
    ) {
        if let (number, known) = load(of: kind) {
            effects += [.queue(.close(page.core)), .caller(.tell(.load(number, known)))]
        } else if moves != self.moves || pages.isEmpty {
            effects += [.queue(.close(page.core)), .caller(.tell(.moved))]
        } else if !loads.mayLoad(kind) {
            effects += [.queue(.close(page.core)), .caller(.tell(.refused))]
        } else {
            let number = loads.last + 1
            underWay[number] = Loading(page: page, kind: kind, completion: completion)
            move(.paged(kind), &effects)
            effects += [.caller(.tell(.load(number, completion))), .caller(.ask(number, page, asking))]
        }
    }

    /// Passes an event to the machine of the loads.
    private mutating func move(_ event: LoadMachine.Event, _ effects: inout Effects) {
        var ended = Effects()
        let changes = loads.handle(event)
        for change in changes {
            switch change {
            case .adopt(let number):
                if let page = underWay[number]?.page { begin(with: page, &effects) }
            case .finish(let number, let error):
                guard let load = underWay.removeValue(forKey: number) else { continue }
                if error != nil { effects.append(.queue(.close(load.page.core))) }
                ended.append(.queue(.finish(load.completion, error)))
            // The cores of the pages send the requests.
            case .start, .abandon, .showStatus: break
            }
        }
        if !changes.isEmpty { noteMove(&effects) }
        effects += ended
    }

    private mutating func noteMove(_ effects: inout Effects) {
        moves += 1
        combined.forget()
        effects.append(.queue(.notify))
    }

    /// Ends everything that is under way, and begins the list anew.
    private mutating func beginAnew(with page: Page, _ effects: inout Effects) {
        begin(with: page, &effects)
        move(.left, &effects)
        noteMove(&effects)
    }

    /// Begins the list anew with a page.
    private mutating func begin(with page: Page, _ effects: inout Effects) {
        for former in pages where former.core !== page.core { effects.append(.queue(.close(former.core))) }
        if loads.isClosed { effects.append(.queue(.close(page.core))) }
        (pages, first) = (loads.isClosed ? [] : [page], 0)
        beginnings += 1
    }

    // MARK: - Pages

    private func inspect(_ effects: inout Effects) {
        for (number, load) in underWay.sorted(by: { $0.key < $1.key }) {
            if case .asked = load.progress { effects.append(.caller(.inspect(number, load))) }
        }
    }

    /// Takes a page over whose data has come, and drops one that has failed.
    private mutating func settle(_ number: Int, _ state: PageState, _ effects: inout Effects) {
        guard let load = underWay[number] else { return }
        // What the store has of the first page is on show already.
        if load.kind == .refetch, state.isFetching { return }
        switch state.phase {
        case .idle, .loading: break
        case .failed(let error): move(.failed(number, error, .unknown), &effects)
        case .showing, .showingNull:
            if let error = state.error {
                // A page of the store's data may be readable once its request has ended.
                if load.kind == .refetch || !state.isFetching { move(.failed(number, error, .unknown), &effects) }
                return
            }
            switch load.kind {
            case .next: pages.append(load.page)
            case .previous:
                pages.insert(load.page, at: 0)
                first += 1
            case .refetch: break
            }
            move(
                .landed(number, .object, errors: [], .available(fetchedAt: nil), hasNext: false), &effects)
        }
    }

    // MARK: - Reading

    private mutating func combine(
        _ parts: [Reading], _ task: ReadTask, isArriving: Bool, _ effects: inout Effects
    ) {
        guard pages.elementsEqual(task.pages, by: { $0.core === $1.core }), refetching === task.refetching else {
            effects.append(.caller(.tell(.moved)))
            return
        }
        if isArriving, let held = combined.hold() {
            effects.append(.caller(.tell(.reading(held))))
            return
        }
        let (reading, former) = combined.combine(parts) { Self.content(of: $0, first: task.first) }
        effects.append(.caller(.tell(reading.map { .reading($0) } ?? .moved)))
        if let former { effects.append(.caller(.discard(former))) }
    }

    /// The page that `get` asks for decides whether there is data. Other pages without data are left out.
    private static func content(of parts: [Reading], first: Int) -> Reading.Content {
        switch parts[first].content {
        case .loading: return .loading
        case .failure(let error): return .failure(error)
        case .data, .rows: break
        }
        return .rows(
            parts.compactMap { part in
                if case .data(let row?) = part.content { row } else { nil }
            })
    }
}
