extension FragmentHandle where Fragment: PaginationFragment {
    /// Loads the next page, at the end of the list, and returns at once.
    ///
    ///     let films = FragmentHandle(data.fragments.filmList_query, in: environment)
    ///     for film in films.get().data?.allFilms?.nodes ?? [] { ... }
    ///     if films.hasNext { films.loadNext(20) }
    ///
    /// The fragment has `@refetchable` and one `@connection`. The pages of a connection are one list in the store,
    /// which every component shows that reads it. A cursor decides where a page belongs (``ConnectionProxy``).
    ///
    /// ### Behavior
    ///
    /// - A page is added to the list, and the list stays on show meanwhile.
    /// - A call while a page of this side is loaded waits for that page, so that one request is sent.
    /// - The two sides load independently.
    /// - At the end of the list no request is sent.
    /// - A node that the list has is not added again.
    /// - A page that arrives after a refetch is dropped, and its callers get ``RelayError/cancelled``.
    /// - While a refetch or the list itself is fetched, no page is loaded, and callers get ``RelayError/cancelled``.
    /// - `loadAll` waits until the list can be shown, and throws the error if that fails.
    /// - While `loadAll` loads pages, a look at the last elements loads none.
    /// - A refetch begins the list anew, with the filters that it was given.
    /// - After a failure the list is as it was; `retry()` loads the page again.
    /// - A page with errors and data is added, and its errors are in `errors`.
    /// - A streamed page is loading until its last part has arrived, and its edges are shown as they arrive.
    /// - Observers are told when a page begins, when it ends, and when the ends of the list change.
    /// - The pages are retained from their request to the end of the handle.
    /// - The end of the handle cancels the pages that only it has waited for.
    @discardableResult
    public func loadNext(_ count: Int) -> FetchTask { loads.page(.next, count) }

    /// Loads the previous page, before the beginning of the list, and returns at once.
    @discardableResult
    public func loadPrevious(_ count: Int) -> FetchTask { loads.page(.previous, count) }

    /// Loads pages at the end of the list, one after another, until it has that many edges or there are no more.
    /// Returns at once.
    ///
    ///     try await films.loadAll(upTo: 500).finished()
    ///
    /// The first page waits until the list can be shown: while the handle is `loading`, while a refetch is under way,
    /// and while the list itself is fetched. The task ends early if a page adds no edge. A cancelled task cancels the
    /// page that is under way.
    ///
    /// - Parameters:
    ///   - limit: The number of edges that the list has in the end, if there are so many.
    ///   - pageSize: The number of edges to ask for at once.
    @discardableResult
    public func loadAll(upTo limit: Int, pageSize: Int = 100) -> FetchTask {
        loads.noteMissingReference()
        guard let connection = loads.connection else { return FetchTask() }
        let last = LastState()
        let task = FetchTask { [loads] () async throws(RelayError) in
            if let error = await loads.arrival() { throw error }
            let now = connection.state
            if let before = last.replace(by: now), before.end == now.end, before.count == now.count { return nil }
            guard now.hasNext, now.count < limit else { return nil }
            return loads.page(.next, min(max(pageSize, 1), limit - now.count))
        }
        loads.noteAll(task)
        return task
    }

    /// True if the server has said that there are more edges after the last one.
    public var hasNext: Bool { notedConnection?.state.hasNext ?? false }

    /// True if the server has said that there are more edges before the first one.
    public var hasPrevious: Bool { notedConnection?.state.hasPrevious ?? false }

    /// True while the next page is loaded.
    public var isLoadingNext: Bool { notedLoads?.isLoading(.next) ?? false }

    /// True while the previous page is loaded.
    public var isLoadingPrevious: Bool { notedLoads?.isLoading(.previous) ?? false }

    /// The connection. If a frame is being drawn, it has read the handle then.
    private var notedConnection: ConnectionWatch? {
        core.noteRead()
        return loads.connection
    }
}

/// The state of a connection before the page that is under way.
///
/// State: guarded by a lock of its own, a leaf.
private final class LastState: Sendable {
    private let state = Guarded<ConnectionState?>(nil)

    /// Keeps a state and returns the one before.
    func replace(by new: ConnectionState) -> ConnectionState? {
        state.withLock { state in
            defer { state = new }
            return state
        }
    }
}

extension FragmentHandle where Fragment: PaginationFragment {
    /// Returns the elements of the list for a renderer that reads only the elements that it shows. When it reads one of
    /// the last `distance` elements, the handle begins to load the next page.
    ///
    ///     let rows = films.loadingAhead(films.get().data?.allFilms?.nodes ?? [], distance: 10, count: 20)
    ///     for index in visible { draw(rows[index]) }
    ///
    /// After a failure no page is loaded ahead until another load succeeds or the list itself is fetched again. A page
    /// that has added no edge is not requested again until the list begins anew.
    public func loadingAhead<Nodes: RandomAccessCollection & Sendable>(
        _ nodes: Nodes, distance: Int, count: Int
    ) -> LoadingAhead<Nodes> where Nodes.Index: Sendable {
        LoadingAhead(nodes, distance: distance) { [loads] in loads.loadAhead(count) }
    }
}
