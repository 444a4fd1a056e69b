import Baton
import Films

@MainActor final class FilmScreen {
    private(set) var lines: [String]
    private let film: QueryHandle<FilmQuery>
    private let id: String
    private var refreshes = 0

    init(film id: String, in environment: RelayEnvironment) {
        self.id = id
        film = QueryHandle(in: environment, fetchPolicy: .storeOrNetwork)
        lines = Self.lines(of: film.get(id: id, fetchKey: 0))
        film.observe(on: MainActor.shared) { [weak self] result in self?.lines = Self.lines(of: result) }
    }

    func refresh() {
        refreshes += 1
        lines = Self.lines(of: film.get(id: id, fetchKey: refreshes))
    }

    private static func lines(of result: QueryResult<FilmQuery.Data>) -> [String] {
        switch result {
        case .loading: return ["loading"]
        case .failure: return ["failed"]
        case .success(let data):
            guard let film = data?.film else { return ["no film"] }
            return [film.title, film.year.map { "\($0)" } ?? "?"]
        }
    }
}
