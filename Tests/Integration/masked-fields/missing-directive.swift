import Baton

// error: 'loadNext' is unavailable: pages need '@refetchable' and '@connection' on the fragment
// error: 'hasNext' is unavailable: pages need '@refetchable' and '@connection' on the fragment
// error: 'loadAll(upTo:pageSize:)' is unavailable: pages need '@refetchable' and '@connection' on the fragment
// error: 'loadingAhead(_:distance:count:)' is unavailable: pages need '@refetchable' and '@connection' on the fragment
// error: 'refetch(policy:)' is unavailable: only a fragment with '@refetchable(queryName: "...")' can be fetched again
// error: 'retry()' is unavailable: only a fragment with '@refetchable(queryName: "...")' can be fetched again
// error: 'fetchError' is unavailable: only a fragment with '@refetchable(queryName: "...")' has requests that fail
// error: 'configuration' is unavailable: only a fragment with '@refetchable(queryName: "...")' has requests of its own
// error: 'writable' is unavailable: only a fragment with '@updatable' can be written through a struct
// error: 'writable' is unavailable: only a query with '@updatable' can be written through a struct
func missingDirective(
    _ plain: FragmentHandle<CharacterBits>, _ refetchable: FragmentHandle<LibraryBook_book>,
    _ bits: FragmentReference<CharacterBits>, _ environment: RelayEnvironment
) throws {
    plain.loadNext(3)
    refetchable.loadNext(3)
    plain.loadAll(upTo: 3)
    _ = refetchable.hasNext
    _ = plain.loadingAhead([1], distance: 1, count: 1)
    plain.refetch()
    plain.retry()
    _ = plain.fetchError
    plain.configuration = RequestConfiguration()
    try environment.update { store in
        _ = store.writable(bits)
        _ = store.writable(SearchQuery(text: ""))
    }
}
