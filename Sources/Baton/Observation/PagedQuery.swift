/// Holds a list that a service gives in pages of whole queries: by offset, by page number or by a plain cursor.
///
///     let films = PagedQuery<FilmsQuery>(in: environment) { pages in
///         guard let last = pages.last, last.data.films.count == 20 else { return nil }
///         return FilmsQuery.Variables(offset: pages.count * 20, limit: 20)
///     }
///     let pages = films.get(FilmsQuery.Variables(offset: 0, limit: 20)).data
///     if films.hasNext { films.loadNext() }
///
/// A list of Relay's shape has a ``PaginationHandle`` instead, whose pages are one list in the store.
///
/// ### Behavior
///
/// - `refetch()` leaves all pages on show, and begins the list anew when the first page has come.
/// - The configuration goes with the request of each page.
/// - The first page is what `get` asks for, as a query handle would.
/// - The next page has the variables that the closure makes of the pages so far; nil is the end of the list.
/// - The previous page stands before all others.
/// - Calls while a page of one side is loaded send one request.
/// - Other variables or another fetch key begin the list anew, and a page that arrives later is dropped.
/// - A page that fails is not added; the pages so far stay, and `retry()` loads it again.
/// - A change in the store changes the page that shows it.
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

    /// Makes the variables of a page from all pages that have data, of which there is at least one; nil if there are no
    /// more pages.
    public typealias Step = @Sendable (_ pages: [Page]) -> Query.Variables?

    private let core: PagedQueryCore
    private let next: Step
    private let previous: Step

    /// Makes a handle. Nothing is fetched before the first `get`.
    ///
    /// - Parameters:
    ///   - environment: Holds the data.
    ///   - fetchPolicy: Decides for each page whether it is fetched.
    ///   - previous: Makes the variables of the page before the first one. Without it there is none.
    ///   - next: Makes the variables of the page after the last one. It may be called at any time, from any thread.
    ///   - configuration: What is said about each request of the handle.
    public init(
        in environment: RelayEnvironment, fetchPolicy: FetchPolicy = .networkOnly,
        configuration: RequestConfiguration = RequestConfiguration(),
        previous: @escaping Step = { _ in nil }, next: @escaping Step
    ) {
        core = PagedQueryCore(
            Query.artifact.name, environment: environment, policy: Query.artifact.isSent ? fetchPolicy : .storeOnly,
            configuration)
        self.previous = previous
        self.next = next
    }

    deinit { core.close() }

    private var typed: TypedPagedCore<Query> { TypedPagedCore(core: core) }

    /// Returns the pages in the order of the list, and fetches the first one if the policy asks for it.
    ///
    /// With the variables and the fetch key of the last call nothing starts, so the method may be called in every
    /// frame.
    public func get(
        _ first: Query.Variables, fetchKey: (any Hashable & Sendable)? = nil
    ) -> QueryResult<[Query.Data]> {
        let known = core.firstPage
        let page = known?.core ?? core.makeCore()
        let before = page.requested
        _ = TypedQueryCore<Query>(core: page).get(first, fetchKey: fetchKey)
        if known == nil || page.requested !== before {
            core.begin(with: PagedQueryCore.Page(core: page, variables: first))
        }
        return typed.result()
    }

    /// Loads the page after the last one, and returns at once. While the first page is fetched nothing is loaded.
    @discardableResult
    public func loadNext() -> FetchTask { load(.next, next) }

    /// Loads the page before the first one, and returns at once. While the first page is fetched nothing is loaded.
    @discardableResult
    public func loadPrevious() -> FetchTask { load(.previous, previous) }

    private func load(_ kind: LoadMachine.Kind, _ step: Step) -> FetchTask {
        while true {
            if let known = core.task(of: kind) { return known }
            let moves = core.moves
            guard let first = core.firstPage, !first.core.isFetching else {
                return FetchTask(refusal: .cancelled)
            }
            guard let variables = variables(step) else { return FetchTask() }
            let page = PagedQueryCore.Page(core: core.makeCore(), variables: variables)
            let task = core.load(kind, page, since: moves) { core in
                _ = TypedQueryCore<Query>(core: core).get(variables, fetchKey: nil)
            }
            if let task { return task }
        }
    }

    private func variables(_ step: Step) -> Query.Variables? {
        let pages = core.pages.compactMap { page -> Page? in
            guard let variables = page.variables as? Query.Variables,
                let data = page.core.reading().result(of: Query.Data.self).data
            else { return nil }
            return Page(variables: variables, data: data)
        }
        return pages.isEmpty ? nil : step(pages)
    }

    /// Loads pages at the end of the list, one after another, until there are that many or no more.
    public func loadAll(upTo limit: Int) async throws(RelayError) {
        while core.pages.count < limit, hasNext { try await loadNext().finished() }
    }

    /// True if the closure makes variables for a page after the last one.
    public var hasNext: Bool {
        Recording.note(typed)
        return variables(next) != nil
    }

    /// True if the closure makes variables for a page before the first one.
    public var hasPrevious: Bool {
        Recording.note(typed)
        return variables(previous) != nil
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

    /// True while the first page is fetched.
    public var isFetching: Bool {
        Recording.note(typed)
        return core.firstPage?.core.isFetching ?? false
    }

    /// The error of the last page that was loaded or of the last fetch of the first page, until the next one begins.
    public var fetchError: RelayError? {
        Recording.note(typed)
        return core.fetchError ?? core.firstPage?.core.fetchError
    }

    /// Does again what has failed last: the first page, or the page at one end. Does nothing if nothing has failed.
    @discardableResult
    public func retry() -> FetchTask {
        switch core.failed {
        case .next: return loadNext()
        case .previous: return loadPrevious()
        case .refetch, nil: core.firstPage?.core.retry()
        }
        return FetchTask()
    }

    /// Fetches the first page again, and returns when it or a failure has come.
    ///
    /// All pages stay on show meanwhile. Then the list begins anew with the first page, because the others belong to
    /// the old list. After a failure everything stays, and the reason is in ``fetchError``. Pages that are loaded
    /// meanwhile are dropped. If the task is cancelled, the wait ends, the request goes on, and all pages stay.
    @discardableResult
    public func refetch() async -> QueryResult<[Query.Data]> {
        guard let first = core.firstPage else { return typed.result() }
        await first.core.refetch(keepsShown: true)
        // A cancelled task does not wait for the answer.
        let hasCome = !first.core.isFetching && first.core.fetchError == nil
        if hasCome, core.firstPage?.core === first.core { core.begin(with: first) }
        return typed.result()
    }

    /// Ends the loading of pages at the ends of the list.
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
