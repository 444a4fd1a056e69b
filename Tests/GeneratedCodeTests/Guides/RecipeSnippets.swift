import Baton
import BatonHTTP
import Foundation
import Observation

// Each piece of code between `// in GUIDE` and `// end` stands in that guide too, so what the guide shows is compiled.

private protocol TokenStore: Sendable {
    func token() async -> String?
    func refresh() async throws -> String
}

private func network(_ endpoint: URL, _ session: any TokenStore) -> any NetworkLayer {
    // in Recipes.md
    let authentication = AuthenticationInterceptor {
        await session.token().map { .bearer($0) }
    } refresh: { _ in
        .bearer(try await session.refresh())
    }
    let network = HTTPNetwork(url: endpoint).intercepted(by: RetryInterceptor(), authentication)
    // end
    return network
}

// in Recipes.md
actor SearchField {
    private let query: QueryHandle<SearchQuery>
    private var text = ""
    private var pause: Task<Void, Never>?

    init(in environment: RelayEnvironment) {
        query = QueryHandle(in: environment, fetchPolicy: .storeOrNetwork)
    }

    /// Called with each key. What is typed on within the pause is not asked for.
    func type(_ new: String, redraw: @escaping @Sendable () async -> Void) {
        pause?.cancel()
        pause = Task {
            guard (try? await Task.sleep(for: .milliseconds(250))) != nil else { return }
            text = new
            await redraw()
        }
    }

    /// Called in each frame. Until the new results are there, the old ones stay.
    func results() -> ObjectList<SearchQuery.Data.Search> {
        if text.isEmpty { return [] }
        return (query.get(text: text).data ?? query.previousData(anyVariables: true))?.search ?? []
    }
}
// end

private func offline(_ endpoint: URL) -> RelayEnvironment {
    // in Recipes.md
    let connectivity = ConnectivityInterceptor()
    let environment = RelayEnvironment(network: HTTPNetwork(url: endpoint).intercepted(by: connectivity))
    connectivity.attach(to: environment)
    let films = QueryHandle<FilmListQuery>(
        in: environment, fetchPolicy: .networkOrStore, freshness: Freshness(refetchOn: [.networkReturned]))
    // end
    _ = films
    return environment
}

private func link(_ id: String, _ environment: RelayEnvironment) -> QueryHandle<NodeQuery> {
    // in Recipes.md
    let preloaded = environment.preload(NodeQuery(id: id))
    let page = QueryHandle(preloaded)
    // end
    return page
}

// in Recipes.md
final class Tab {
    private let films: QueryHandle<FilmListQuery>

    init(in environment: RelayEnvironment) {
        films = QueryHandle(in: environment, fetchPolicy: .storeAndNetwork)
    }

    func rows() -> Int { films.get(first: 20).data?.allFilms.edges.count ?? 0 }

    /// Nothing is asked for until the tab draws again. The store keeps the data for a while.
    func disappear() { films.skip() }
}
// end

// in Recipes.md
final class ReviewCounter: Sendable {
    private let environment: RelayEnvironment
    private let reviews: SubscriptionHandle<ReviewAddedSubscription>

    init(in environment: RelayEnvironment) {
        self.environment = environment
        reviews = SubscriptionHandle(in: environment) { store, _ in
            let unread = store.root.value(forField: "unread")?.intValue ?? 0
            try store.root.setValue(.int(unread + 1), forField: "unread")
        }
    }

    /// Begins the subscription. A further call starts nothing.
    func begin() { _ = reviews.subscribe() }

    func markSeen() throws {
        try environment.update { store in try store.root.setValue(.int(0), forField: "unread") }
    }
}
// end

// in Recipes.md
/// What a component shows, for a user interface that follows the properties of objects.
@MainActor @Observable
final class Shown<Query: GraphQLQuery> {
    private(set) var result: QueryResult<Query.Data>
    private(set) var isFetching: Bool
    @ObservationIgnored private let handle: QueryHandle<Query>

    init(_ handle: QueryHandle<Query>) {
        self.handle = handle
        result = handle.result
        isFetching = handle.isFetching
        // The handle keeps the closure, so the closure does not keep this object.
        handle.observe(on: MainActor.shared) { [weak self] _ in self?.take() }
    }

    /// Asks, as often as the user interface likes: equal variables ask once.
    @discardableResult
    func get(_ variables: Query.Variables, fetchKey: (any Hashable & Sendable)? = nil) -> QueryResult<Query.Data> {
        handle.get(variables, fetchKey: fetchKey)
    }

    func refresh() async { try? await handle.refetch().finished() }

    private func take() {
        let (new, isBusy) = (handle.result, handle.isFetching)
        if result != new { result = new }
        if isFetching != isBusy { isFetching = isBusy }
    }
}
// end

// in Recipes.md
final class NewBooks: Sendable {
    private let mutation: MutationHandle<LibraryAppendEdgeMutation>

    init(in environment: RelayEnvironment) { mutation = MutationHandle(in: environment) }

    /// The book is at the end of the list at once, and is taken back if this throws.
    func add(_ title: String, to list: DataID) async throws {
        // The server gives the book another ID.
        let id = "new-\(UUID())"
        let response = try await mutation.commit(
            titles: [title], connections: [list.rawValue],
            optimistic: .response(.init(addBooks: .init(edge: .init(cursor: "", node: .init(title: title, id: id))))))
        _ = try response.result.get()
    }
}
// end

private func background(_ environment: RelayEnvironment) {
    // in Recipes.md
    Task.detached(priority: .background) {
        try await environment.prefetch(FilmListQuery(first: 20), policy: .networkOnly)
    }
    // end
}

private func leave(_ environment: RelayEnvironment, _ authentication: AuthenticationInterceptor) async throws {
    // in Recipes.md
    authentication.reset()
    environment.reset()
    // With a file: when this returns, nothing of the last person is in it.
    try await environment.flush()
    // end
}

private func arriving(
    _ book: PartsQuery.Data.Library.Shelf, _ environment: RelayEnvironment, _ draw: (PartsDetails_book.Data?) -> Void,
    _ drawPlaceholder: () -> Void, _ drawFailure: (RelayError) -> Void
) {
    // in IncrementalDelivery.md
    let details = FragmentHandle(book.fragments.partsDetails_book, in: environment)

    switch details.get() {
    case .loading: drawPlaceholder()  // until the part arrives
    case .failure(let error): drawFailure(error)
    case .success(let data): draw(data)
    }
    // end
}
