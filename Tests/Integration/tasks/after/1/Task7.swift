import Baton
import Films

@MainActor final class FilmScreen {
    private(set) var lines: [String] = ["loading"]
    private let query: QueryHandle<FilmQuery>

    init(film: String, in environment: RelayEnvironment) {
        query = QueryHandle<FilmQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        show(query.get(id: film))
        query.observe(on: MainActor.shared) { [weak self] result in
            self?.show(result)
        }
    }

    func refresh() {
        query.refetch()
    }

    private func show(_ result: QueryResult<FilmQuery.Data>) {
        switch result {
        case .loading:
            if let film = query.previousData?.film {
                lines = Self.lines(of: film)
            } else {
                lines = ["loading"]
            }
        case .failure:
            lines = ["failed"]
        case .success(let data):
            if let film = data?.film {
                lines = Self.lines(of: film)
            } else {
                // A film that is null because of an error is no word that there is none.
                lines = query.errors.isEmpty ? ["no film"] : ["failed"]
            }
        }
    }

    private static func lines(of film: FilmQuery.Data.Film) -> [String] {
        guard let year = film.year else { return [film.title, "?"] }
        return [film.title, "\(year)"]
    }
}
