import Synchronization

extension FragmentHandle where Fragment: RefetchableFragment {
    /// The refetches and pages, which are made at the first call.
    var loads: LoadCore {
        if let loads = lateLoads.load() { return loads }
        let made = LoadCore(core, LoadQuery(Fragment.self, in: core.environment))
        let kept = lateLoads.storeIfNil(made)
        if kept === made { made.begin() } else { made.close() }
        return kept
    }

    /// Fetches the fragment again with the same variables, and returns at once.
    ///
    ///     let book = FragmentHandle(data.book.fragments.bookDetails_book, in: environment)
    ///     book.refetch(size: 20)                          // with this variable; the others stay as they are
    ///     try await book.refetch(id: other).finished()    // another object
    ///
    /// The fragment has `@refetchable`. The generated `refetch` has an argument for each variable of the fragment's
    /// query. An omitted argument keeps the value with which the fragment is shown, and `.null` is null.
    ///
    /// ### Behavior
    ///
    /// - The handle shows its old data until the data of the refetch is in the store, and then the new data.
    /// - A variable that is left out keeps its value, also in a second refetch.
    /// - A refetch with another identifier shows another object.
    /// - The policy decides as for a query handle, but the old data is shown instead of `.loading`.
    /// - A refetch ends the refetch before it, whose callers get ``RelayError/cancelled``.
    /// - After a failure everything is shown as before, and the error is in `fetchError` until another load begins.
    /// - A cancelled refetch leaves everything as it was.
    /// - The shown data is retained, and the data from before a refetch is released.
    /// - Another reference ends a refetch and discards its data; the same reference changes nothing.
    /// - The end of the handle cancels the requests that only it has waited for.
    /// - The `configuration` of the handle goes with each of its requests.
    /// - A reset discards the data of the last refetch, and a reset with `refetching` requests it again.
    @discardableResult
    public func refetch(policy: FetchPolicy = .networkOnly) -> FetchTask { loads.refetch(nil, policy) }

    /// Fetches the fragment again with some other variables; the method that generated code calls.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public func __refetch(_ fields: GeneratedCode.InputFields, _ policy: FetchPolicy) -> FetchTask {
        loads.refetch(fields, policy)
    }

    /// The configuration of each later request of the handle: of refetches, of pages, and of the repetitions by
    /// `retry()`.
    public var configuration: RequestConfiguration {
        get { lateLoads.load()?.configuration ?? RequestConfiguration() }
        set { loads.configuration = newValue }
    }

    /// True while a refetch is under way.
    public var isFetching: Bool { notedLoads?.isLoading(.refetch) ?? false }

    /// The error of the last refetch or page, until the next one begins. That of a page is gone too when the list
    /// itself was fetched again, because the list has begun anew.
    public var fetchError: RelayError? { notedLoads?.fetchError }

    /// Repeats the refetch or page that failed last. Does nothing if no load has failed. After
    /// ``RelayEnvironment/note(_:ifOlderThan:)`` the handle does so by itself if the query of its data has
    /// that trigger.
    @discardableResult
    public func retry() -> FetchTask { lateLoads.load()?.retry() ?? FetchTask() }

    /// Ends the refetch and the pages that are under way. The handle continues to show its data.
    public func cancel() { lateLoads.load()?.cancelAll() }
}
