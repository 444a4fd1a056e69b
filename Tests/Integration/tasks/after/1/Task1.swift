import Baton
import Films

func titles(pages: Int, in environment: RelayEnvironment) async throws -> [String] {
    guard pages > 0 else { return [] }

    // What the list shows stays in the store while it is being loaded.
    let retention = environment.retain(FilmListQuery())
    defer { retention.release() }

    // A response with errors is a page that could not be loaded.
    let response = try await environment.fetch(
        FilmListQuery(), configuration: RequestConfiguration(errorPolicy: .failure))
    guard let data = try response.result.get() else { throw RelayError.noData(response.errors) }

    let list = FragmentHandle(data.fragments.filmRows, in: environment)
    list.configuration.errorPolicy = .failure

    var shown = try list.get().get()
    var held = 1
    while held < pages, list.hasNext {
        try await list.loadNext(2).finished()
        held += 1
        shown = try list.get().get()
    }
    guard let rows = shown else { throw RelayError.noData(list.errors) }
    guard let films = rows.films else { return [] }
    return films.nodes.map { $0.title }
}
