import Baton
import Films

@MainActor final class FilmScreen {
    private(set) var lines: [String] = ["loading"]
    private let film: QueryHandle<FilmQuery>
    private var refreshes = 0

    init(film id: String, in environment: RelayEnvironment) {
        film = QueryHandle(in: environment, fetchPolicy: .storeOrNetwork)
        show(film.get(id: id))
        film.observe(on: MainActor.shared) { [weak self] result in
            self?.show(result)
        }
    }

    func refresh() {
        refreshes += 1
        let number = refreshes
        let fetch = film.refetch()
        Task { @MainActor [weak self] in
            var hasFailed = false
            do throws(RelayError) {
                try await fetch.finished()
            } catch {
                hasFailed = error.kind != .cancelled
            }
            self?.end(number, hasFailed: hasFailed)
        }
    }

    private func end(_ number: Int, hasFailed: Bool) {
        guard number == refreshes else { return }
        if hasFailed { lines = ["failed"] } else { show(film.result) }
    }

    private func show(_ result: QueryResult<FilmQuery.Data>) {
        switch result {
        case .loading:
            // What was shown stays while the network is asked again.
            if let old = film.previousData?.film { lines = text(old) } else { lines = ["loading"] }
        case .failure:
            lines = ["failed"]
        case .success(let data):
            if let new = data?.film {
                lines = text(new)
            } else {
                lines = film.errors.isEmpty ? ["no film"] : ["failed"]
            }
        }
    }

    private func text(_ film: FilmQuery.Data.Film) -> [String] {
        [film.title, film.year.map { String($0) } ?? "?"]
    }
}
