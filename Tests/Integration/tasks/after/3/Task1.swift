import Baton
import Films

func titles(pages: Int, in environment: RelayEnvironment) async throws -> [String] {
    guard pages > 0 else { return [] }
    let query = FilmListQuery()
    let retention = environment.retain(query)
    defer { retention.release() }

    let response = try await environment.fetch(
        query, configuration: RequestConfiguration(errorPolicy: .failure))
    guard let data = try response.result.get() else { throw RelayError.noData(response.errors) }

    let list = FragmentHandle<FilmRows>(data.fragments.filmRows, in: environment)
    list.configuration.errorPolicy = .failure
    var loaded = 1
    while loaded < pages, list.hasNext {
        try await list.loadNext(2).finished()
        loaded += 1
    }
    guard let rows = try list.get().get() else { throw RelayError.notInStore(component: "FilmRows") }
    return rows.films?.nodes.map { $0.title } ?? []
}
