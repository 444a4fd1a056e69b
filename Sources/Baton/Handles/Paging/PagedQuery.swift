/// Holds a list that a service gives in pages of whole queries: by offset, by page number or by a plain cursor.
///
///     let films = PagedQuery<FilmsQuery>(in: environment) { pages in
///         guard let last = pages.last, last.data.films.count == 20 else { return nil }
///         return FilmsQuery.Variables(offset: pages.count * 20, limit: 20)
///     }
///     let pages = films.get(FilmsQuery.Variables(offset: 0, limit: 20)).data
///     if films.hasNext { films.loadNext() }
///
/// A list of Relay's shape has a ``FragmentHandle`` instead, whose pages are one list in the store.
///
/// ### Behavior
///
/// - `refetch()` leaves all pages on show, and begins the list anew when the first page has come.
/// - No list is shown that mixes the pages before and after a `refetch()`.
/// - A reset removes all pages, and one with `refetching` asks for the first one again.
/// - The configuration goes with the request of each page.
/// - The first page is what `get` asks for, as a query handle would.
/// - The next page has the variables that the closure makes of the pages so far; nil is the end of the list.
/// - Variables that a page of the list has already are the end of the list, too.
/// - Looking at an element near the end loads the next page, unless a load has failed.
/// - `renderPolicy` is for the first page; the others join the list when they are whole.
/// - `loadAll` and `loadNext().finished()` wait for the first page, and before `get` they say what is missing.
/// - The previous page stands before all others.
/// - Calls while a page of one side is loaded send one request.
/// - Other variables or another fetch key begin the list anew, and a page that arrives later is dropped.
/// - A page that fails is not added; the pages so far stay, and `retry()` loads it again.
/// - A change in the store changes the page that shows it.
/// - A page that is invalidated or loses data, and a signal of the application, begin the list anew, as `refetch()`
///   does, if `freshness` asks for it.
/// - A signal that the data is young enough for loads only a page again that has failed.
/// - Every page is retained as long as the handle lives and the list is not begun anew.
/// - The end of the paged query cancels its requests.
public final class PagedQuery<Query: GraphQLQuery>: ObservableHandle {
    /// A page that has data.
    public struct Page: Sendable {
        /// The variables with which the page was fetched.
        public let variables: Query.Variables
        /// The data of the page.
        public let data: Query.Data
    }

    /// Makes the variables of a page from all pages that have data; there is at least one. Returns nil if there are no
    /// more pages.
    public typealias Step = @Sendable (_ pages: [Page]) -> Query.Variables?

    let core: PagedQueryCore
    private let steps: PageSteps<Query>

    /// Makes a handle. Nothing is fetched before the first `get`.
    ///
    /// - Parameters:
    ///   - environment: The environment of the data.
    ///   - fetchPolicy: Decides for each page whether it is fetched.
    ///   - renderPolicy: Decides whether the first page is shown while a part of it is missing. The other pages join
    ///     the list when they are complete.
    ///   - freshness: Decides when the handle fetches the list again by itself, and whether it shows pages that are too
    ///     old while they are fetched again.
    ///   - previous: Makes the variables of the page before the first one; nil if there are no such pages.
    ///   - next: Makes the variables of the page after the last one. It may be called at any time, from any thread.
    ///   - configuration: The configuration of each request of the handle.
    public init(
        in environment: RelayEnvironment, fetchPolicy: FetchPolicy = .networkOnly, renderPolicy: RenderPolicy = .full,
        freshness: Freshness = Freshness(), configuration: RequestConfiguration = RequestConfiguration(),
        previous: @escaping Step = { _ in nil }, next: @escaping Step
    ) {
        let name = Query.artifact.name
        let options = FetchOptions(
            policy: Query.artifact.isSent ? fetchPolicy : .storeOnly, renderPolicy: renderPolicy, freshness: freshness,
            component: name, configuration: configuration)
        core = PagedQueryCore(environment: environment, options, component: name)
        let steps = PageSteps<Query>(core: core, next: next, previous: previous)
        core.setLoadAgain { kind in
            // The error is in `fetchError`.
            _ = steps.load(kind, .unreadable)
        }
        self.steps = steps
    }

    deinit { core.letGo() }

    private var typed: TypedPagedCore<Query> { TypedPagedCore(core: core) }

    /// Returns the pages in the order of the list, and fetches the first one if the policy asks for it.
    ///
    /// With the variables and the fetch key of the last call nothing starts, so the method may be called in every
    /// frame.
    public func get(
        _ first: Query.Variables, fetchKey: (any Hashable & Sendable)? = nil
    ) -> QueryResult<[Query.Data]> {
        Retry.whileOthersMove { ask(for: first, fetchKey) }
        return typed.result()
    }

    /// Asks for the first page. Returns nil if the list was begun anew meanwhile, so that its first page has another
    /// core.
    private func ask(for first: Query.Variables, _ fetchKey: (any Hashable & Sendable)?) -> Void? {
        let known = core.firstPage?.core
        let page = steps.page(first, fetchKey, of: known ?? core.makeCore(isFirst: true))
        let before = page.core.requested
        page.ask(page.core)
        if known != nil, before != nil, page.core.requested === before { return () }
        return core.begin(with: page, after: known) ? () : nil
    }

    /// Loads the page after the last one, and returns at once.
    ///
    /// While the first page is fetched, no other page is loaded. The returned task then waits for the first page, and
    /// loads the page after it.
    @discardableResult
    public func loadNext() -> FetchTask { steps.load(.next) }

    /// Loads the page before the first one, and returns at once. While the first page is fetched, the returned task
    /// waits as that of ``loadNext()`` does.
    @discardableResult
    public func loadPrevious() -> FetchTask { steps.load(.previous) }

    /// Loads pages at the end of the list, one after another, until there are `limit` pages or no more pages. Pages
    /// without data count too. Returns at once.
    ///
    ///     try await films.loadAll(upTo: 5).finished()
    ///
    /// Waits for the first page, which `get` asks for. The task fails with the error of that page, and with
    /// ``RelayError/notAsked(component:)`` before `get`.
    @discardableResult
    public func loadAll(upTo limit: Int) -> FetchTask { steps.loadAll { $0.core.pages.count < limit } }

    /// Loads pages at the end of the list, one after another, until the list has `limit` elements or there are no more
    /// pages. Returns at once.
    ///
    ///     try await films.loadAll(upTo: 100, of: \.films).finished()
    ///
    /// Waits for the first page, as ``loadAll(upTo:)`` does.
    ///
    /// - Parameters:
    ///   - limit: The number of elements, which the last page may exceed.
    ///   - list: Returns the elements of a page.
    @discardableResult
    public func loadAll<List: RandomAccessCollection & SendableMetatype>(
        upTo limit: Int, of list: @escaping @Sendable (Query.Data) -> List?
    ) -> FetchTask {
        steps.loadAll { [typed] _ in
            (typed.result().data ?? []).reduce(0) { $0 + (list($1)?.count ?? 0) } < limit
        }
    }

    /// Returns the elements of all pages as one collection, which is empty while there is no data.
    ///
    ///     for film in films.elements(\.films) { draw(film) }
    ///
    /// Takes time linear in the pages. An access to an element takes logarithmic time.
    ///
    /// - Parameter list: Returns the elements of a page.
    public func elements<List: RandomAccessCollection>(_ list: (Query.Data) -> List?) -> PagedElements<List> {
        PagedElements((typed.result().data ?? []).compactMap(list))
    }

    /// Returns the elements of the list for a renderer that reads only the elements that it shows. When it reads one of
    /// the last `distance` elements, the handle begins to load the next page.
    ///
    ///     let rows = films.loadingAhead(films.elements(\.films), distance: 10)
    ///     for index in visible { draw(rows[index]) }
    ///
    /// After a failure no page is loaded ahead until another load succeeds.
    public func loadingAhead<Elements: RandomAccessCollection & Sendable>(
        _ elements: Elements, distance: Int
    ) -> LoadingAhead<Elements> where Elements.Index: Sendable {
        LoadingAhead(elements, distance: distance) { [steps] in steps.loadAhead() }
    }

    /// True if the closure makes variables for a page after the last one.
    public var hasNext: Bool {
        Recording.note(typed)
        return steps.variables(.next) != nil
    }

    /// True if the closure makes variables for a page before the first one.
    public var hasPrevious: Bool {
        Recording.note(typed)
        return steps.variables(.previous) != nil
    }

    /// True while the page after the last one is loaded.
    public var isLoadingNext: Bool {
        Recording.note(typed)
        return core.isLoading(.next)
    }

    /// True while the page before the first one is loaded.
    public var isLoadingPrevious: Bool {
        Recording.note(typed)
        return core.isLoading(.previous)
    }

    /// True while the first page is fetched, for the first time or again.
    public var isFetching: Bool {
        Recording.note(typed)
        return core.isFetchingFirst
    }

    /// The error of the last page that was loaded or of the last fetch of the first page, until the next one begins.
    public var fetchError: RelayError? {
        Recording.note(typed)
        return core.fetchError ?? core.firstPage?.core.fetchError
    }

    /// Repeats the load that failed last: the first page, a refetch, or the page at one end. Does nothing if no load
    /// has failed.
    @discardableResult
    public func retry() -> FetchTask {
        switch core.failed {
        case .next: return steps.load(.next, .unreadable)
        case .previous: return steps.load(.previous, .unreadable)
        case .refetch: return core.refetch()
        case nil: return core.firstPage?.core.retry() ?? FetchTask()
        }
    }

    /// Fetches the first page again.
    ///
    /// All pages stay on show meanwhile, and no other page is loaded. Then the list begins anew with the first page,
    /// because the other pages belong to the old list. After a failure all pages stay, and the error is in
    /// ``fetchError``.
    @discardableResult
    public func refetch() -> FetchTask { core.refetch() }

    /// Ends the loading of pages at the ends of the list, and a `refetch()`.
    public func cancel() { core.cancelAll() }

    /// The current state, without a request; `loading` before the first `get`.
    public var result: QueryResult<[Query.Data]> { typed.result() }

    /// Runs the body on an actor: with the current state, and with every newer one, in order. The actor is held weakly.
    @discardableResult
    public func observe<Observer: Actor>(
        on observer: Observer, _ body: @escaping @Sendable (isolated Observer, QueryResult<[Query.Data]>) -> Void
    ) -> ObservationToken {
        typed.observe(on: observer, body)
    }

    /// Runs the body on the main actor: with the current state, and with every newer one.
    @discardableResult
    public func observe(
        on main: MainActor, _ body: @escaping @MainActor @Sendable (QueryResult<[Query.Data]>) -> Void
    ) -> ObservationToken {
        typed.observe(on: main, body)
    }

    /// The current state and every newer one, until the handle is deinitialized.
    public var results: QueryResults<[Query.Data]> { QueryResults(core: typed) }
}

/// A view of a paged core with the type of its data.
struct TypedPagedCore<Query: GraphQLQuery>: TypedCore {
    typealias Data = [Query.Data]

    let core: PagedQueryCore

    func result(of reading: Reading) -> QueryResult<Data> {
        switch reading.content {
        case .loading: .loading
        case .failure(let error): .failure(error)
        case .data(let row): .success(row.map { [Query.Data(__row: $0)] })
        case .rows(let rows): .success(rows.compactMap { $0.map { Query.Data(__row: $0) } })
        }
    }
}
