import Baton
import BatonHTTP
import Foundation

// Each piece of code between `// in GUIDE` and `// end` stands in that guide too, so what the guide shows is compiled.

// in ComingFromRelay.md
final class RelayFilmCard {
    private let film: FragmentHandle<FilmRow_film>

    init(_ reference: FragmentReference<FilmRow_film>) { film = FragmentHandle(reference) }

    func line() -> String { film.get().data?.title ?? "..." }
}
// end

// in ComingFromRelay.md
final class RelayFilmCount {
    private let query: QueryHandle<FilmListQuery>

    init(in environment: RelayEnvironment) {
        query = QueryHandle(in: environment, fetchPolicy: .storeOrNetwork)
    }

    /// Called in each frame. Suspense and the error boundary are cases of the result.
    func line() -> String {
        switch query.get(first: 20) {
        case .loading: "loading ..."
        case .failure(let error): "failed: \(error)"
        case .success(let data): "\(data?.allFilms.edges.count ?? 0) films"
        }
    }
}
// end

// in ComingFromRelay.md
final class RelayShelf {
    private let list: FragmentHandle<LibraryShelf_query>

    init(_ reference: FragmentReference<LibraryShelf_query>) { list = FragmentHandle(reference) }

    func titles() -> [String] { list.get().data?.library.books?.nodes.compactMap(\.title) ?? [] }

    func more() { if list.hasNext, !list.isLoadingNext { list.loadNext(20) } }
}
// end

private func preloading(_ environment: RelayEnvironment, _ id: String) -> QueryHandle<NodeQuery> {
    // in ComingFromRelay.md
    let pressed = environment.preload(NodeQuery(id: id))  // when the link is pressed
    let page = QueryHandle(pressed)  // in the page
    // end
    return page
}

private func selecting(_ environment: RelayEnvironment, _ id: DataID) throws {
    // in ComingFromRelay.md
    try environment.update { store in
        try store.get(id)?.setValue(true, forField: "isSelected")
    }
    // end
}

private func mutation(_ environment: RelayEnvironment, _ books: DataID) async throws {
    // in ComingFromRelay.md
    try await environment.commit(
        LibraryAppendEdgeMutation(titles: ["Hope"], connections: [books.rawValue])
    ) { store, data in
        try store.root.setValue(.int(1), forField: "added")
    }
    // end
}

@MainActor private func watching(
    _ environment: RelayEnvironment, _ show: @escaping @MainActor @Sendable (QueryResult<FilmListQuery.Data>) -> Void
) -> ObservationToken {
    // in ComingFromApolloIOS.md
    // Apollo: watcher = client.watch(query: FilmListQuery(first: 20), cachePolicy: .cacheFirst) { result in ... }
    let films = QueryHandle<FilmListQuery>(in: environment, fetchPolicy: .storeOrNetwork)
    let token = films.observe(on: MainActor.shared) { result in show(result) }
    _ = films.get(first: 20)
    // end
    return token
}

private func changing(_ environment: RelayEnvironment) throws {
    // in ComingFromApolloIOS.md
    // Apollo: store.withinReadWriteTransaction { transaction in
    //     try transaction.updateObject(ofType: Film.self, withKey: "Film:4") { $0.title = "A New Hope" } }
    try environment.update { store in
        try store.get("Film", id: "4")?.setValue("A New Hope", forField: "title")
    }
    // end
}

private func paging(_ list: FragmentHandle<LibraryShelf_query>) {
    // in ComingFromApolloIOS.md
    // Apollo: pager.loadNext()
    if list.hasNext { list.loadNext(20) }
    // end
}
