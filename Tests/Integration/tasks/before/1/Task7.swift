import Baton
import Films

@MainActor final class FilmScreen {
    private let handle: QueryHandle<FilmQuery>
    private(set) var lines: [String] = ["loading"]

    init(film: String, in environment: RelayEnvironment) {
        handle = QueryHandle<FilmQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        show(handle.get(id: film))
        handle.observe(on: MainActor.shared) { [weak self] result in self?.show(result) }
    }

    func refresh() {
        Task { [handle] in
            // The outcome, also a failure, comes to the observer.
            await handle.refetch()
        }
    }

    private func show(_ result: QueryResult<FilmQuery.Data>) {
        switch result {
        case .loading:
            if let previous = handle.previousData {
                lines = text(of: previous)
            } else {
                lines = ["loading"]
            }
        case .failure:
            lines = ["failed"]
        case .success(let data):
            lines = text(of: data)
        }
    }

    private func text(of data: FilmQuery.Data?) -> [String] {
        guard let film = data?.film else {
            // A null that comes from an error of the server is not a film that does not exist.
            return handle.errors.isEmpty ? ["no film"] : ["failed"]
        }
        return [film.title, film.year.map { String($0) } ?? "?"]
    }
}
