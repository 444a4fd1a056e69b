import Baton

// What the unavailable methods of the same names must not take the place of.
func withDirectives(
    _ both: FragmentHandle<LibraryBoth_query>, _ book: FragmentHandle<LibraryBook_book>, _ environment: RelayEnvironment
) async throws -> Bool {
    _ = QueryHandle<PartsQuery>(in: environment).get(fetchKey: 1).data
    _ = QueryHandle<PagesHandledQuery>(in: environment).get()
    if both.hasNext, !both.isLoadingNext { both.loadNext(3) }
    try await both.loadAll(upTo: 3).finished()
    both.refetch()
    book.refetch()
    book.retry()
    book.configuration = RequestConfiguration()
    return book.fetchError == nil && SubscriptionHandle<ReviewAddedSubscription>(in: environment).subscribe().isLoading
}

func anyPages<Fragment: PaginationFragment>(_ handle: FragmentHandle<Fragment>) -> Bool {
    handle.refetch()
    return handle.hasNext && handle.fetchError == nil
}
