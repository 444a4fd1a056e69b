import Baton
import Films

func titles(pages: Int, in environment: RelayEnvironment) async throws -> [String] {
    let response = try await environment.fetch(FilmListQuery())
    guard let query = response.data else { throw RelayError.noData(response.errors) }
    let list = FragmentHandle(query.fragments.filmRows, in: environment)
    for _ in 1..<max(pages, 1) where list.hasNext {
        try await list.loadNext(2).finished()
    }
    return try list.get().get()?.films?.nodes.map(\.title) ?? []
}
