import Baton

// error: 'get(fetchKey:)' is unavailable: 'get' needs an argument for each variable without a default: get(id: id)
// error: 'commit(optimistic:serial:configuration:update:)' is unavailable: give each variable without a default
// error: 'init()' is unavailable: give an argument for each variable without a default, as in (id: id)
func missingVariable(_ environment: RelayEnvironment) async throws {
    let search = QueryHandle<SearchQuery>(in: environment)
    _ = search.get()
    _ = search.get(fetchKey: 1).data
    try await MutationHandle<AddReviewMutation>(in: environment).commit()
    _ = try await environment.fetch(SearchQuery())
    _ = try await environment.commit(AddReviewMutation())
    try environment.update { store in _ = store.writable(ShelfUpdateQuery()) }
}
