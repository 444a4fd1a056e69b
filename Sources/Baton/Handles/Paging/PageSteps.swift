/// How a paged query finds the pages at the ends of its list, with the type of its data.
struct PageSteps<Query: GraphQLQuery>: Sendable {
    let core: PagedQueryCore
    let next: PagedQuery<Query>.Step
    let previous: PagedQuery<Query>.Step

    /// Makes a page that a core fetches.
    func page(
        _ variables: Query.Variables, _ fetchKey: (any Hashable & Sendable)?, of core: QueryCore
    ) -> PagedQueryMachine.Page {
        PagedQueryMachine.Page(core: core, variables: variables) { core in
            _ = TypedQueryCore<Query>(core: core).untrackedGet(variables, fetchKey: fetchKey)
        }
    }

    /// Returns the variables of the page at one end; nil at the end of the list.
    ///
    /// Variables that a page has already are the end, too: the page without data at the end of a list does not change
    /// what the closure gets.
    func variables(_ kind: LoadMachine.Kind) -> Query.Variables? {
        let all = core.pages
        let pages = all.compactMap { page -> PagedQuery<Query>.Page? in
            guard let variables = page.variables as? Query.Variables,
                let data = page.core.reading().result(of: Query.Data.self).data
            else { return nil }
            return PagedQuery<Query>.Page(variables: variables, data: data)
        }
        guard !pages.isEmpty, let variables = kind == .next ? next(pages) : previous(pages) else { return nil }
        let isKnown = all.contains { page in
            // Variables that are nested too deep must not be compared.
            page.core.operation?.refusal == nil && page.variables as? Query.Variables == variables
        }
        return isKnown ? nil : variables
    }

    /// Loads the page at one end, unless there is none or it is being loaded. While the first page is fetched nothing
    /// begins, but whoever waits for the page waits for the first one too, and then loads it.
    func load(_ kind: LoadMachine.Kind, _ asking: PagedQueryMachine.Asking = .policy) -> FetchTask {
        Retry.whileOthersMove {
            if let known = core.task(of: kind) { return known }
            let moves = core.moves
            guard core.firstPage != nil else { return FetchTask(refusal: .notAsked(component: core.component)) }
            if core.isFetchingFirst { return FetchTask(later: { await loadAfterFirst(kind) }) }
            guard let variables = variables(kind) else { return FetchTask() }
            let page = page(variables, nil, of: core.makeCore(isFirst: false))
            return core.load(kind, page, asking, since: moves)
        }
    }

    /// Loads pages at the end of the list while more are wanted and there are more.
    func loadAll(while isWanted: @escaping @Sendable (Self) -> Bool) -> FetchTask {
        FetchTask { () async throws(RelayError) in
            if let error = await core.firstPageArrival() { throw error }
            return isWanted(self) && variables(.next) != nil ? load(.next) : nil
        }
    }

    private func loadAfterFirst(_ kind: LoadMachine.Kind) async -> RelayError? {
        if let error = await core.firstPageArrival() { return error }
        do throws(RelayError) {
            try await load(kind).finished()
            return nil
        } catch {
            return error
        }
    }

    /// Loads the next page ahead, unless something is being loaded or the last load has failed.
    func loadAhead() {
        if core.isQuiet { _ = load(.next) }
    }
}
