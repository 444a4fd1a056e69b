import Baton
import Films

@MainActor final class FilmScreen {
    private(set) var lines: [String] = ["loading"]
    private let query: QueryHandle<FilmQuery>
    private var refreshes = 0

    init(film: String, in environment: RelayEnvironment) {
        query = QueryHandle<FilmQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        show(query.get(id: film))
        query.observe(on: MainActor.shared) { [weak self] result in
            self?.show(result)
        }
    }

    func refresh() {
        refreshes += 1
        Task { @MainActor [weak self, query] in
            let result = await query.refetch()
            guard let self else { return }
            self.refreshes -= 1
            if case .failure(let error) = result, error != .cancelled {
                self.show(result)
            } else {
                self.show(query.result)
            }
        }
    }

    private func show(_ result: QueryResult<FilmQuery.Data>) {
        switch result {
        case .loading:
            // While the network is asked again, the lines stay as they are.
            if refreshes == 0 { lines = ["loading"] }
        case .failure:
            lines = ["failed"]
        case .success(let data):
            if let film = data?.film {
                lines = [film.title, film.year.map { String($0) } ?? "?"]
            } else if data == nil || !query.errors.isEmpty {
                lines = ["failed"]
            } else {
                lines = ["no film"]
            }
        }
    }
}
