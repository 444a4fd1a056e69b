import Baton
import Films

func titles(pages: Int, in environment: RelayEnvironment) async throws -> [String] {
    let pageSize = 2
    let query = FilmListQuery()
    let configuration = RequestConfiguration(errorPolicy: .failure)

    // The list stays in the store while it is being shown.
    let retention = environment.retain(query)
    defer { retention.release() }

    let response = try await environment.fetch(query, configuration: configuration)
    guard let data = response.data else { throw response.failure ?? RelayError.noResponse }

    let rows = FragmentHandle(data.fragments.filmRows, in: environment)
    rows.configuration = configuration

    var loaded = 1
    while loaded < pages, rows.hasNext {
        try await rows.loadNext(pageSize).finished()
        loaded += 1
    }

    guard let shown = try rows.get().get() else { return [] }
    return shown.films?.nodes.map { $0.title } ?? []
}
