// What only fragments with more directives have. The compiler of Swift chooses these for other fragments, and shows
// their sentence in place of the protocol that such a fragment does not conform to.

extension FragmentHandle {
    /// Only a fragment with a connection has pages.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "pages need '@refetchable' and '@connection' on the fragment"
    )
    @discardableResult
    public func loadNext(_ count: Int) -> FetchTask { FetchTask() }

    /// Only a fragment with a connection has pages.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "pages need '@refetchable' and '@connection' on the fragment"
    )
    @discardableResult
    public func loadPrevious(_ count: Int) -> FetchTask { FetchTask() }

    /// Only a fragment with a connection has pages.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "pages need '@refetchable' and '@connection' on the fragment"
    )
    @discardableResult
    public func loadAll(upTo limit: Int, pageSize: Int = 100) -> FetchTask { FetchTask() }

    /// Only a fragment with a connection has pages.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "pages need '@refetchable' and '@connection' on the fragment"
    )
    public var hasNext: Bool { false }

    /// Only a fragment with a connection has pages.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "pages need '@refetchable' and '@connection' on the fragment"
    )
    public var hasPrevious: Bool { false }

    /// Only a fragment with a connection has pages.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "pages need '@refetchable' and '@connection' on the fragment"
    )
    public var isLoadingNext: Bool { false }

    /// Only a fragment with a connection has pages.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "pages need '@refetchable' and '@connection' on the fragment"
    )
    public var isLoadingPrevious: Bool { false }

    /// Only a fragment with a connection has pages.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "pages need '@refetchable' and '@connection' on the fragment"
    )
    public func loadingAhead<Nodes: RandomAccessCollection & Sendable>(
        _ nodes: Nodes, distance: Int, count: Int
    ) -> LoadingAhead<Nodes> where Nodes.Index: Sendable {
        LoadingAhead(nodes, distance: distance) {}
    }

    // MARK: - Refetching

    /// Only a fragment with `@refetchable` can be fetched by itself.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "only a fragment with '@refetchable(queryName: \"...\")' can be fetched again"
    )
    @discardableResult
    public func refetch(policy: FetchPolicy = .networkOnly) -> FetchTask { FetchTask() }

    /// Only a fragment with `@refetchable` can be fetched by itself.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "only a fragment with '@refetchable(queryName: \"...\")' can be fetched again"
    )
    @discardableResult
    public func retry() -> FetchTask { FetchTask() }

    /// Only a fragment with `@refetchable` can be fetched by itself.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "only a fragment with '@refetchable(queryName: \"...\")' has requests to cancel"
    )
    public func cancel() {}

    /// Only a fragment with `@refetchable` can be fetched by itself.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "only a fragment with '@refetchable(queryName: \"...\")' has requests that fail"
    )
    public var fetchError: RelayError? { nil }

    /// Only a fragment with `@refetchable` can be fetched by itself.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "only a fragment with '@refetchable(queryName: \"...\")' can be fetched again"
    )
    public var isFetching: Bool { false }

    /// Only a fragment with `@refetchable` can be fetched by itself.
    @_documentation(visibility: internal)
    @available(
        *, unavailable,
        message: "only a fragment with '@refetchable(queryName: \"...\")' has requests of its own"
    )
    public var configuration: RequestConfiguration {
        get { RequestConfiguration() }
        set {}
    }
}
