import Baton
import BatonHTTP
import Foundation

/// An application that uses each handle once. It compiles without a warning whatever its module's default isolation is,
/// and with each feature of later language modes.
@MainActor
final class FilmScreen {
    private let environment: RelayEnvironment
    private let query: QueryHandle<FilmListQuery>
    private let list: FragmentHandle<FilmRows>
    private let search: PagedQuery<SearchQuery>
    private let review: MutationHandle<AddReviewMutation>
    private let unread: SubscriptionHandle<UnreadSubscription>
    private(set) var titles: [String] = []
    private(set) var badge = ""

    init(environment: RelayEnvironment) {
        self.environment = environment
        query = QueryHandle(in: environment, freshness: Freshness(refetchOn: [.networkReturned, .reconnected]))
        list = FragmentHandle(nil, in: environment)
        search = PagedQuery(in: environment) { pages in pages.isEmpty ? SearchQuery.Variables(text: "a") : nil }
        review = MutationHandle(in: environment)
        unread = SubscriptionHandle(in: environment)
        query.observe(on: MainActor.shared) { [weak self] in self?.list.show($0.data?.fragments.filmRows) }
        list.observe(on: MainActor.shared) { [weak self] in self?.show($0) }
        unread.observe(on: MainActor.shared) { [weak self] in self?.badge = "\($0.data?.unread ?? 0)" }
    }

    func appear() {
        _ = query.get(fetchKey: "first")
        _ = unread.subscribe()
    }

    private func show(_ result: QueryResult<FilmRows.Data>) {
        switch result {
        case .loading: titles = []
        case .failure(let error): titles = [error.advice]
        case .success(let rows): titles = rows?.films?.nodes.map(\.title) ?? []
        }
    }

    func scrolledToTheEnd() async -> RelayError.Kind? {
        do {
            try await list.loadNext(20).finished()
            return nil
        } catch {
            return error.kind
        }
    }

    func found(_ text: String?, genre: Genre) -> [String] {
        _ = search.get(SearchQuery.Variables(text: text, genre: genre, years: [1977, 1980]))
        return search.elements(\.search).compactMap(\.title)
    }

    func send(stars: Int, comment: String?, film: String) async throws(RelayError) -> Bool {
        let input = ReviewInput(filmID: film, stars: stars, comment: comment, tags: .null)
        return try await review.commit(input: input) { records, _ in
            try records.get("Film", id: film)?.setValue(true, forField: "seen")
        }.errors.isEmpty
    }

    func followBadge() async -> String {
        do {
            for try await event in environment.subscribe(UnreadSubscription()) {
                badge = "\(event.data?.unread ?? 0)"
            }
            return badge
        } catch {
            return error.advice
        }
    }

    func followTitles() async {
        for await result in list.results { show(result) }
    }

    func title(of film: String) async throws(RelayError) -> String? {
        try await environment.fetch(FilmQuery(id: film), policy: .storeOrNetwork).data?.film?.title
    }

    func windowCameBack() {
        environment.note(.applicationReturned, ifOlderThan: .seconds(60))
    }
}

/// A row of the list, which draws itself.
@MainActor
struct FilmRow {
    let film: PluralFragmentHandle<FilmRows>

    var text: String { film.get().data.map { "\($0.count)" } ?? "" }
}

/// A network of the application's own.
struct SignedNetwork: NetworkLayer {
    let base: HTTPNetwork
    let token: @Sendable () async throws -> String

    nonisolated func send(_ request: NetworkRequest) async throws -> NetworkResponse {
        _ = try await token()
        return try await base.send(request)
    }
}

/// An interceptor of the application's own.
struct Counter: NetworkInterceptor {
    nonisolated func intercept(
        _ request: NetworkRequest, next: @escaping Next, deliver: @escaping Deliver
    ) async throws {
        try await next(request) { try await deliver($0) }
    }
}

func makeEnvironment(_ url: URL) -> RelayEnvironment {
    let network = SignedNetwork(base: HTTPNetwork(url: url)) { "token" }.intercepted(by: Counter())
    return RelayEnvironment(network: network) { event in
        if case .misuse = event { print(event) }
    }
}
