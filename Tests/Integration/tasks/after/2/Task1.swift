import Baton
import Films

func titles(pages: Int, in environment: RelayEnvironment) async throws -> [String] {
    guard pages > 0 else { return [] }
    let strict = RequestConfiguration(errorPolicy: .failure)
    let query = FilmListQuery()
    let retention = environment.retain(query)
    defer { retention.release() }

    let response = try await environment.fetch(query, configuration: strict)
    guard let data = try response.result.get() else { throw RelayError.noData(response.errors) }

    let list = FragmentHandle(data.fragments.filmRows, in: environment)
    list.configuration = strict
    _ = list.get()
    var loaded = 1
    while loaded < pages, list.hasNext {
        try await list.loadNext(2).finished()
        loaded += 1
    }

    let rows = try list.get().get()
    guard let films = rows?.films else {
        if loaded == 1 { return [] }
        throw RelayError.noData(list.errors)
    }
    return films.nodes.map { $0.title }
}
