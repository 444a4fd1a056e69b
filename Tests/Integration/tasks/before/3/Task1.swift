import Baton
import Films

func titles(pages: Int, in environment: RelayEnvironment) async throws -> [String] {
    guard pages > 0 else { return [] }

    let query = FilmListQuery()
    let retention = environment.retain(query)
    defer { retention.release() }

    let response = try await environment.fetch(
        query,
        policy: .networkOnly,
        configuration: RequestConfiguration(errorPolicy: .failure)
    )
    if let failure = response.failure { throw failure }
    guard let data = response.data else { throw RelayError.noData(response.errors) }

    let rows = FragmentHandle(data.fragments.filmRows, in: environment)
    rows.configuration = RequestConfiguration(errorPolicy: .failure)

    var held = 1
    while held < pages, rows.hasNext {
        try await rows.loadNext(2).finished()
        held += 1
    }

    guard let shown = try rows.get().get() else { throw RelayError.notInStore(component: "FilmRows") }
    guard let films = shown.films else { return [] }
    return films.nodes.map { $0.title }
}
