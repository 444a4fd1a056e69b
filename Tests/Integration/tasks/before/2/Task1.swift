import Baton
import Films

func titles(pages: Int, in environment: RelayEnvironment) async throws -> [String] {
    guard pages > 0 else { return [] }

    let query = FilmListQuery()
    // The list stays in the store while its pages are loaded.
    let retention = environment.retain(query)
    defer { retention.release() }

    let response = try await environment.fetch(query)
    guard let data = try response.result.get() else { throw RelayError.noData(response.errors) }
    guard response.errors.isEmpty else { throw RelayError.hasErrors(response.errors) }

    let rows = FragmentHandle<FilmRows>(data.fragments.filmRows, in: environment)
    var list = try rows.get().get()?.films
    var loaded = 1
    while loaded < pages, rows.hasNext {
        try await rows.loadNext(2).finished()
        if let error = rows.fetchError { throw error }
        guard rows.errors.isEmpty else { throw RelayError.hasErrors(rows.errors) }
        list = try rows.get().get()?.films
        guard list != nil else { throw RelayError.noData([]) }
        loaded += 1
    }
    guard let list else { return [] }
    return list.nodes.map { $0.title }
}
