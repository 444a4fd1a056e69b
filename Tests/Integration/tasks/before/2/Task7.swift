import Baton
import Films

@MainActor final class FilmScreen {
    private(set) var lines: [String] = ["loading"]

    private let handle: QueryHandle<FilmQuery>
    private var refreshes = 0

    init(film: String, in environment: RelayEnvironment) {
        handle = QueryHandle<FilmQuery>(in: environment, fetchPolicy: .storeOrNetwork)
        show(handle.get(id: film))
        handle.observe(on: MainActor.shared) { [weak self] result in
            self?.show(result)
        }
    }

    func refresh() {
        refreshes += 1
        Task { [weak self, handle] in
            await handle.refetch()
            self?.refreshed()
        }
    }

    private func refreshed() {
        refreshes -= 1
        if let error = handle.fetchError, error != .cancelled {
            lines = ["failed"]
        } else {
            show(handle.result)
        }
    }

    private func show(_ result: QueryResult<FilmQuery.Data>) {
        switch result {
        case .loading:
            // What is on show stays there while the network is asked again.
            if refreshes == 0 { lines = ["loading"] }
        case .failure:
            lines = ["failed"]
        case .success(let data):
            if let film = data?.film {
                lines = [film.title, film.year.map { String($0) } ?? "?"]
            } else if handle.errors.isEmpty && !handle.isMissingData {
                lines = ["no film"]
            } else {
                lines = ["failed"]
            }
        }
    }
}
